"""Where the program starts. It loads next to nothing, so that Ctrl-C ends it without a word from its first lines on."""

try:
    from shoetool.endings import last_word, leave, leave_at_once
except KeyboardInterrupt:  # Python's own handler, until the one of `leave_at_once` is set
    raise SystemExit(130) from None  # leaves: the module for it is just being loaded


def main() -> None:
    """Run `shoetool` with this process's arguments and leave with its exit code, whatever happens."""
    leave_at_once()  # while the rest is loaded, and again when the command is done
    try:
        from shoetool.cli import run

        code = run()
    except BaseException as error:
        code = unstarted(error)
    leave(code)


def unstarted(error: BaseException) -> int:
    """Tell why the program could not be loaded. Returns the exit code."""
    try:
        from shoetool.model.missing_module import missing_module

        why = missing_module(error) if isinstance(error, ImportError) else None
        if why is not None:
            import sys

            sys.stderr.write(f"shoetool: {why}\n")
            return 2
    except BaseException:
        pass  # the error itself is what counts
    return last_word(error)
