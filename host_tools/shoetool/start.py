"""Where the program starts. It loads next to nothing, so that Ctrl-C ends it without a word from its first lines on."""

try:
    from shoetool.endings import leave_at_once
except KeyboardInterrupt:  # Python's own handler, until the one of `leave_at_once` is set
    raise SystemExit(130) from None


def main() -> None:
    """Run `shoetool` with this process's arguments and leave with its exit code."""
    leave_at_once()  # while the rest is loaded, and again when the command is done
    from shoetool.cli import main as run

    run()
