"""`shoetool keys`: export, pin and list the public keys of the shoes, which verify their signatures.

`--heads` compares the heads of the histories seen so far with another side's list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from shoetool.cli.device import connected, port_options
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE
from shoetool.cli.options import FILE, keys_option
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.history.store import ShoelogReader
from shoetool.model.errors import BadInput, DeviceError
from shoetool.model.file_kinds import PUBLIC_KEY
from shoetool.model.naming import enum_name
from shoetool.model.output_file import write_whole
from shoetool.model.printable import clean
from shoetool.model.protocol_table import Signature, Signing
from shoetool.report.sentences import many
from shoetool.trust.heads import compare_heads, heads_text, read_heads, seen_heads
from shoetool.trust.keys import PublicKey, read_exported
from shoetool.trust.lms import verify
from shoetool.trust.pins import PinStore
from shoetool.trust.signed_history import examine
from shoetool.trust.statement import Statement
from shoetool.trust.trust import Trust
from shoetool.verify.signatures import Closings


@dataclass(frozen=True, slots=True)
class Found:
    """A public key, the device that it belongs to, and where it was found."""

    device: bytes
    key: PublicKey
    source: str
    used: int | None = None
    """The number of one-time indices that are spent, if the shoe reported it."""
    doubt: str | None = None
    """What does not fit in the history that holds the key, in words; None when all that the key signed fits."""


@click.command(
    "keys",
    epilog=examples(
        ("keys", "the pinned keys"),
        ("keys --device", "the shoe's own key"),
        ("keys --device --pin", "pin it, once compared"),
        ("keys night.shoelog --export shoe.key.json", "keep a history's key"),
        ("keys --heads > today.heads", "for the other side"),
        ("keys --heads --compare theirs.heads", "what it saw"),
    ),
)
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE]...")
@click.option("--device", "ask", is_flag=True, help="Ask the shoe on the line for its key.")
@click.option("--pin", is_flag=True, help="Pin the keys of FILE or of the shoe, so that verify trusts them.")
@click.option("--replace", is_flag=True, help="With --pin: replace another key of the same device.")
@output_option("--export", type=OutputFile(PUBLIC_KEY), metavar="FILE", help="Write one key to a file.")
@click.option("--heads", is_flag=True, help="Print the heads of the histories that were verified here so far.")
@click.option("--compare", type=FILE, metavar="FILE", help="With --heads: compare them with another side's list.")
@click.option("--unpin", metavar="DEVICE", help="Remove the pin of a device (16 hexadecimal digits).")
@keys_option
@port_options
@json_option
def command(
    files: tuple[Path, ...],
    ask: bool,
    pin: bool,
    replace: bool,
    export: Path | None,
    heads: bool,
    compare: Path | None,
    unpin: str | None,
    keys: Path | None,
    port: str | None,
    record: Path | None,
    as_json: bool,
) -> int:
    """List the pinned keys, or show, pin and export the keys of a shoe (--device), of histories and of exported files.

    A fingerprint is eight groups of four digits. Before you pin a key, compare its fingerprint with the one that the
    shoe itself shows over a line that you trust, for example at provisioning. A history alone proves nothing: a forger
    can put any key into it. When a history does not fit its signature, its key is shown with what is wrong, and is
    neither pinned nor exported.

    Two sides can exchange their --heads every day, and so find histories that one of them was not shown. --compare
    exits with code 1 when a history differs, or when the other side saw one that this side did not.
    """
    store = PinStore(keys)
    if compare is not None and not heads:
        raise click.UsageError("--compare goes with --heads")
    if heads:
        if files or ask or pin or export is not None or unpin is not None:
            raise click.UsageError("--heads takes no FILE and goes with --compare, --keys and --json only")
        return show_heads(store, compare, as_json)
    if unpin is not None:
        remove(store, unpin)
    found = [one for file in files for one in of_file(file)]
    if ask:
        with connected(port, record) as client:
            found.append(of_shoe(client))
    if pin or export is not None:
        refuse_doubtful(found)
    if not found and (pin or export is not None):
        raise BadInput("there is no key to pin or export: name a FILE, or --device for the shoe on the line")
    if not found:
        found = [Found(device, key, "the pins") for device, key in store.items()]
    fresh = [store.pin(one.device, one.key, replace) for one in found] if pin else []
    if export is not None:
        write(export, found)
    if as_json:
        emit("keys", {"folder": _name(store), "keys": [document(store, one) for one in found]})
        return FINE
    show(console(), store, found, fresh, export)
    return FINE


def _name(store: PinStore) -> str | None:
    return None if store.folder is None else str(store.folder)


def of_shoe(client: Any) -> Found:
    """Return the key of the shoe on the line. DeviceError when it has none."""
    who = client.identify()
    answer = client.signing_key()
    if answer is None:
        raise DeviceError("the firmware of this shoe is too old to sign; update it")
    if answer.state == Signing.MAKING:
        raise DeviceError(f"the shoe is making its key: {answer.made} of {answer.of} leaves; ask again later")
    if not answer.public:
        raise DeviceError(f"the shoe has no signing key ({enum_name(Signing, answer.state)}): see shoetool provision")
    return Found(who.device, PublicKey(answer.public), "the shoe on the line", answer.next_index)


def of_file(path: Path) -> list[Found]:
    """Return the keys of an exported file, or the keys of a history whose signatures verify. BadInput: no key."""
    exported = read_exported(path)
    if exported is not None:
        return [Found(*exported, str(path))]
    found: dict[tuple[bytes, bytes], Found] = {}
    with ShoelogReader(path) as reader:
        doubts = doubts_of(reader)
        for chunk in reader.signatures:
            if chunk.state != Signature.SIGNED:
                continue
            key, statement = PublicKey(chunk.public), Statement.unpack(chunk.statement)
            if key.identifier != statement.key or not verify(key.raw, chunk.statement, chunk.signature):
                raise BadInput(f"{path}: the signature of shoe {chunk.shoe} does not verify; do not trust its key")
            doubt = doubts.get((statement.device, key.raw))
            found[statement.device, key.raw] = Found(statement.device, key, str(path), doubt=doubt)
    if not found:
        raise BadInput(f"{path}: holds no signature, and with it no key")
    return list(found.values())


def doubts_of(reader: ShoelogReader) -> dict[tuple[bytes | None, bytes], str]:
    """Return in words what was done to the pages that keys signed, by device and key. Reads the whole history."""
    closings = Closings(reader)
    closings.read_all()
    shoes, _findings = examine(reader, Trust(), closings.closed, closings.told, closings.rounds_behind)
    doubts: dict[tuple[bytes | None, bytes], str] = {}
    for shoe in shoes:
        if shoe.key is not None and shoe.found:
            words = f"shoe {shoe.shoe} does not fit what was signed ({', '.join(shoe.found)})"
            doubts.setdefault((shoe.device, shoe.key.raw), words)
    return doubts


def refuse_doubtful(found: list[Found]) -> None:
    """Raise BadInput when a key comes from a history that differs from what it signed: somebody tampered with it."""
    for one in found:
        if one.doubt is not None:
            raise BadInput(
                f"{one.source}: {one.doubt}: its key is not pinned and not exported; see shoetool verify, and take the "
                "key from the shoe itself (--device)"
            )


def write(path: Path, found: list[Found]) -> None:
    """Export the one key. BadInput when there are several, or a file of that name."""
    if len({one.key.raw for one in found}) != 1:
        raise BadInput(f"{len(found)} keys do not go into one file; name one history or one shoe")
    one = found[0]
    text = json.dumps({"device": one.device.hex(), **one.key.to_json()}, indent=1) + "\n"
    write_whole(path, text, PUBLIC_KEY)


def remove(store: PinStore, device: str) -> None:
    """Remove one pin. BadInput when there is none."""
    try:
        name = bytes.fromhex(device)
    except ValueError:
        raise BadInput(f"{device} is not a device id; it has 16 hexadecimal digits") from None
    if not store.remove(name):
        raise BadInput(f"no key is pinned for device {device}")


def state_of(store: PinStore, one: Found) -> str:
    """Return `pinned`, `not pinned`, or that another key is pinned for the device."""
    held = store.get(one.device)
    if held is None:
        return "not pinned"
    return "pinned" if held == one.key else "another key is pinned"


def document(store: PinStore, one: Found) -> dict[str, Any]:
    """Return one key, with JSON types only."""
    return {
        "device": one.device.hex(),
        **one.key.to_json(),
        "source": one.source,
        "state": state_of(store, one),
        "used": one.used,
        "doubt": one.doubt,
    }


def show(out: Console, store: PinStore, found: list[Found], fresh: list[bool], export: Path | None) -> None:
    """Print the keys, and what the command did with them."""
    if not found:
        out.print("no key is pinned" if store.folder is None else f"no key is pinned in {clean(str(store.folder))}")
        return
    for place, one in enumerate(found):
        out.print(
            f"device {one.device.hex()}, {state_of(store, one)}"
            + (" now" if place < len(fresh) and fresh[place] else "")
        )
        out.print(f"  fingerprint {one.key.fingerprint}")
        used = "" if one.used is None else f", {one.used} of {1 << one.key.height} signatures used"
        out.print(f"  from {clean(str(one.source))}, tree of height {one.key.height}{used}")
        if one.doubt is not None:
            out.print(f"  DOES NOT HOLD: {clean(str(one.doubt))}; see shoetool verify")
    if export is not None:
        out.print(f"written to {clean(str(export))}")


def show_heads(store: PinStore, theirs: Path | None, as_json: bool) -> int:
    """Print the heads seen so far, or compare them with the other side's list. Returns the exit code."""
    heads = seen_heads(store)
    compared = None if theirs is None else compare_heads(heads, read_heads(theirs))
    if as_json:
        emit(
            "keys",
            {
                "folder": _name(store),
                "keys": [],
                "heads": [head.to_json() for head in heads],
                "compared": None if compared is None else compared.to_json(),
            },
        )
    elif compared is None:
        click.echo(heads_text(heads), nl=False)
    else:
        out = console()
        for found in compared.found:
            out.print(f"DIFFERS  {found}")
        for note in compared.notes:
            out.print(f"  note: {note}")
        out.print(f"{theirs}: {many(compared.same, 'head')} the same, {many(len(compared.found), 'difference')}")
    return FINDINGS if compared is not None and compared.found else FINE
