"""`shoetool configure`: show or change a shoe's settings, all or nothing."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem
from rich.table import Table

from shoetool.cli import settings
from shoetool.cli.completion import beginning
from shoetool.cli.device import connected, key_option, port_options
from shoetool.cli.examples import examples
from shoetool.cli.options import FILE_OR_NAME
from shoetool.cli.output import console, emit, json_option, print_table
from shoetool.model.errors import BadInput
from shoetool.model.naming import setting_value
from shoetool.report.text_tables import headed


@click.command(
    "configure",
    epilog=examples(
        ("configure", "show the settings"),
        ("configure decks=8 shoe_kind=double", "change two of them"),
        ("configure shoe.toml --dry-run", "what a file would change"),
        ("configure decks=6 --key table7.shoekey", "on a provisioned shoe"),
    ),
)
@click.argument(
    "changes",
    type=FILE_OR_NAME,
    nargs=-1,
    metavar="[FILE.toml | KEY=VALUE]...",
    shell_complete=lambda *words: complete(words[2]),
)
@click.option("--dry-run", is_flag=True, help="Check and show the difference; send nothing.")
@click.option("--toml", "as_toml", is_flag=True, help="Print the settings as a TOML file that can be read back.")
@key_option
@port_options
@json_option
def command(
    changes: tuple[str, ...],
    dry_run: bool,
    as_toml: bool,
    key_file: Path | None,
    port: str | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Show a shoe's settings, or change them from TOML files and KEY=VALUE pairs (later ones win).

    Before anything is sent, every value is checked against its range and against the other settings, and the difference
    is shown. The shoe takes all changes or none. It refuses while a shoe is open. A provisioned shoe refuses without
    its key.
    """
    wanted = read_changes(changes)  # before the port is opened: wrong input needs no shoe
    with connected(port, record, key_file=key_file) as client:
        old = client.config_read()
        new = {**old, **wanted}
        if wanted:
            settings.check_together(new)
        changed = settings.difference(old, wanted)
        written = bool(changed) and not dry_run
        if written:
            client.config_write({name: value for name, (_, value) in changed.items()})
            kept = client.config_read()
            if any(kept.get(name) != value for name, (_, value) in changed.items()):
                raise settings.not_kept(changed, kept)
    if as_json:
        difference = {
            name: {"old": None if before is None else setting_value(name, before), "new": setting_value(name, after)}
            for name, (before, after) in changed.items()
        }
        kept_now = {name: setting_value(name, value) for name, value in (new if written else old).items()}
        body = {"settings": kept_now, "difference": difference, "written": written}
        emit("configure", body)
    elif as_toml:
        click.echo(settings.to_toml(new), nl=False)
    elif not changes:
        print_table(console(), settings_table(old))
    else:
        show_difference(changed, written)


def complete(incomplete: str) -> list[CompletionItem]:
    """Return the settings that begin with what was typed, with their words if they have any, and files."""
    pairs = [f"{name}={word}" for name in settings.NAMES for word in settings.words(name) or [""]]
    return [*beginning(pairs, incomplete), CompletionItem(incomplete, type="file")]


def read_changes(changes: tuple[str, ...]) -> settings.Values:
    """Return the settings that the arguments ask for. BadInput names the argument that makes no sense."""
    wanted: settings.Values = {}
    for change in changes:
        if "=" in change:
            wanted.update(settings.read_pairs([change]))
        elif change.endswith(".toml") or is_there(change):
            wanted.update(settings.read_toml(Path(change)))
        else:
            raise BadInput(f"{settings.as_typed(change)} is neither KEY=VALUE nor a TOML file that exists")
    return wanted


def is_there(name: str) -> bool:
    """Return whether there is a file or folder of that name. False for a name that no file can have."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def settings_table(values: settings.Values) -> Table:
    """Return all settings, with what may be typed for them and what they mean. Each option has its own line."""
    table = headed("setting", "value", "takes", "meaning")
    table.columns[0].no_wrap = True
    for name, value in values.items():
        shown = settings.show_value(name, value).replace(",", ", ")
        if name not in settings.ROWS:
            table.add_row(name, shown, "", "a setting of a newer firmware")
            continue
        table.add_row(name, shown, settings.takes(name), settings.meaning(name))
        if name == "options":
            for option, meaning in settings.OPTION_MEANINGS.items():
                table.add_row("", "", option, meaning)
    return table


def show_difference(changed: dict[str, tuple[int | None, int]], written: bool) -> None:
    """Print what changes, and whether it was sent."""
    out = console()
    if not changed:
        out.print("nothing to change: the shoe has these settings already")
        return
    for name, (before, after) in changed.items():
        old = "unset" if before is None else settings.show_value(name, before)
        out.print(f"{name}: {old} -> {settings.show_value(name, after)}")
    out.print("written" if written else "dry run: nothing was sent")
