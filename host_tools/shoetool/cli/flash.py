"""`shoetool flash`: put the firmware onto a board with a stock MicroPython, and check that it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoetool.cli import settings
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE, say
from shoetool.cli.options import FILE
from shoetool.cli.output import console, emit, json_option, print_table, progress
from shoetool.cli.port_search import port_filter, ports_option
from shoetool.cli.selftest import failed_parts
from shoetool.flash.board_file import read_board_file
from shoetool.flash.boards import find_board
from shoetool.flash.device_files import LIST, DeviceFiles, digest_of, find
from shoetool.flash.flasher import Flasher, Outcome, Wish
from shoetool.flash.repl import LineLost, Repl
from shoetool.model.errors import ShoetoolError
from shoetool.model.naming import setting_value
from shoetool.model.printable import clean
from shoetool.report.sentences import many
from shoetool.report.text_tables import headed

WHOLE = "the running firmware was not changed, and the next `shoetool flash` continues from here"
NOT_REACHED = "no board has answered yet, and nothing was written"


@click.command(
    "flash",
    epilog=examples(
        ("flash", "a new shoe or an update"),
        ("flash --config table7.toml", "with its settings"),
        ("flash /dev/ttyACM0 --dry-run", "what is there"),
        ("flash --list", "the files that would go"),
    ),
)
@click.argument("port", required=False)
@click.option(
    "--config",
    "config_file",
    type=FILE,
    metavar="FILE.toml",
    help="Settings of the game in a file for `shoetool configure`; not for a provisioned shoe.",
)
@click.option(
    "--board",
    "board_file",
    type=FILE,
    metavar="FILE.json",
    help="The board's equipment: link, rs485, heads, panel, repl.",
)
@click.option(
    "--overwrite-unfetched",
    is_flag=True,
    help="Go on although the shoe holds histories that were not fetched, or data that may not be a shoe's.",
)
@click.option("--dry-run", is_flag=True, help="Check the board and report whether flashing is possible. Write nothing.")
@click.option("--list", "list_files", is_flag=True, help="Print the files that would be copied; needs no board.")
@ports_option
@json_option
def command(
    port: str | None,
    config_file: Path | None,
    board_file: Path | None,
    overwrite_unfetched: bool,
    dry_run: bool,
    list_files: bool,
    as_json: bool,
) -> int:
    """Put the firmware onto the board on the USB port PORT. The board runs a stock MicroPython 1.24 or newer.

    Without PORT it is the only MicroPython board that is plugged in.

    The files go into the slot that is not running and are read back. Then the board switches to that slot. Settings,
    self-test and start follow. You may interrupt and repeat the command at any time: the running firmware is not
    changed, and the next run goes on. The shoe deals no cards meanwhile. Exits with code 1 when the self-test fails.
    """
    files = find()
    if list_files:
        return show_files(files, as_json)
    wish = Wish(
        files,
        {} if config_file is None else settings.read_toml(config_file),
        None if board_file is None else read_board_file(board_file),
        overwrite_unfetched,
        dry_run,
        settings.check_together,
    )
    done = flash(port or only_board(quiet=as_json), wish, quiet=as_json)
    if as_json:
        emit("flash", document(done, dry_run))
    else:
        show_end(done, dry_run)
    return FINDINGS if done.failed else FINE


def only_board(quiet: bool) -> str:
    """Return the port of the only board, and print which it is unless `quiet`. LinkError when there is no only one."""
    port, number = find_board(port_filter())
    if not quiet:
        console().print(f"{'port':<10}  {clean(port)}, the only MicroPython board (USB serial number {clean(number)})")
    return port


def flash(port: str, wish: Wish, quiet: bool = False) -> Outcome:
    """Flash the board, and print each step unless `quiet`. However this ends, the board runs what it then holds."""
    out = console()

    def tell(step: str, text: str) -> None:
        if not quiet:
            out.print(f"{step:<10}  {clean(text)}")

    with Repl(port) as repl, progress("copying", "bytes") as advance:
        try:
            return Flasher(repl, wish, tell, advance).run()
        except KeyboardInterrupt:
            say(f"interrupted; {WHOLE if repl.reached else NOT_REACHED}")
            repl.let_go()
            raise
        except LineLost:
            say(WHOLE if repl.reached else NOT_REACHED)
            raise
        except ShoetoolError:
            repl.let_go()
            raise


def show_end(done: Outcome, dry_run: bool) -> None:
    """Print the last line: how it ended."""
    out = console()
    if dry_run:
        out.print("dry run: nothing was written")
    elif done.failed:
        out.print(f"flashed; the self-test FAILED: {', '.join(failed_parts(done.failed))}")
    else:
        out.print(f"flashed: shoe {done.device} runs {done.firmware} from slot {done.slot}; self-test passed")


def document(done: Outcome, dry_run: bool) -> dict[str, Any]:
    """Return the body of the JSON document."""
    return {
        "port": done.port,
        "device": done.device,
        "machine": done.machine,
        "micropython": done.micropython,
        "firmware": done.firmware,
        "digest": done.digest,
        "dry_run": dry_run,
        "new_shoe": done.new_shoe,
        "unfetched": done.unfetched,
        "slot": done.slot or None,
        "copied": done.copied,
        "copied_bytes": done.copied_bytes,
        "settings": {
            name: {"old": None if old is None else setting_value(name, old), "new": setting_value(name, new)}
            for name, (old, new) in done.settings.items()
        },
        "self_test": None if done.failed is None else {"passed": not done.failed, "failed": failed_parts(done.failed)},
        "read_back": done.read_back or None,
        "boot": done.boot,
    }


def show_files(files: DeviceFiles, as_json: bool) -> int:
    """Print the files that would be copied."""
    held = {**files.root, **{f"SLOT/{name}": content for name, content in files.slot.items()}}
    held[f"SLOT/{LIST}"] = files.listing
    rows = [(name, *digest_of(content)) for name, content in sorted(held.items())]
    if as_json:
        listed = [{"name": name, "size": size, "sha256": digest} for name, size, digest in rows]
        emit(
            "firmware",
            {"folder": str(files.folder), "firmware": files.version, "digest": files.digest, "files": listed},
        )
        return FINE
    table = headed("file", "bytes", "SHA-256")
    for column in table.columns:
        column.no_wrap, column.justify = True, "right" if column.header == "bytes" else "left"
    for name, size, digest in rows:
        table.add_row(name, str(size), digest[:16])
    print_table(console(), table)
    console().print(f"{many(len(rows), 'file')}, {files.size()} bytes, in {clean(str(files.folder))}")
    console().print(f"firmware {files.version}, digest {files.digest}")
    return FINE
