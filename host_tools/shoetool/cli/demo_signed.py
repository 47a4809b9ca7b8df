"""The signed part of the demo: each shoe gets keys, and a forged copy of a history is caught."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text
from shoesim.forger import Forgery, forge

from shoetool.cli.reading import opened
from shoetool.client.authority import fresh_secret
from shoetool.client.client import Client
from shoetool.judge.registry_trust import EDITED
from shoetool.model.cards import card_name
from shoetool.model.errors import DeviceError
from shoetool.model.printable import clean
from shoetool.model.protocol_table import Signing
from shoetool.report.findings import VERIFIED, finding_lines, verdict_line
from shoetool.report.trust import signed_lines
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify

HEIGHT: Final = 5
"""The height of the demo's trees: 32 signatures, so that nobody waits. A shoe at work has height 10 or more."""


@dataclass(frozen=True, slots=True)
class Forged:
    """A forged history: where it is, what was exchanged, and what verify reported."""

    path: Path
    forgery: Forgery
    report: Report

    @property
    def caught(self) -> bool:
        """Whether verify reported the forgery, and only by its signature."""
        return {finding.check for finding in self.report.findings} == {EDITED}

    def document(self) -> dict[str, Any]:
        """Return the forged history, with JSON types only."""
        return {
            "file": str(self.path),
            "exchanged": [card_name(card) for card in self.forgery.cards],
            "caught": self.caught,
            "found": [finding.sentence for finding in self.report.findings],
        }


def provision(client: Client, store: PinStore) -> None:
    """Give the shoe a command key, let it make a signing key, and pin the signing key."""
    key = client.authority.offer(fresh_secret())
    client.authority.provision(key, HEIGHT)
    client.authority.key = key
    while (answer := client.signing_key()) is not None and answer.state == Signing.MAKING:
        client.transport.sleep(0.05)
    if answer is None or answer.state != Signing.READY:
        raise DeviceError("the virtual shoe made no signing key")
    store.pin(client.identify().device, PublicKey(answer.public))


def fresh_store(out: Path) -> PinStore:
    """Return the demo's own pins, which lie beside its histories. Pins of an older demo are removed."""
    store = PinStore(out / "keys")
    for device, _ in list(store.items()):
        store.remove(device)
    return store


def forged_copy(source: Path, store: PinStore) -> Forged:
    """Forge a copy of a history and verify it."""
    target = source.with_name(f"{source.stem}-forged.shoelog")
    forgery = forge(source, target)
    with opened(target) as reader:
        return Forged(target, forgery, verify(reader, trust=Trust(store)))


def show_report(screen: Console, path: Path, report: Report) -> None:
    """Print what was found in a history, who signed it, and the verdict."""
    for finding in report.findings:
        for line in finding_lines(finding, min(screen.width, 110)):
            screen.print(line)
    for line in signed_lines(report.summary.signatures):
        screen.print(line)
    screen.print(verdict_line(clean(str(path)), report.verdict, report.headline()))


def show(screen: Console, forged: Forged, number: int) -> None:
    """Print what the forger did, and how verify found it."""
    one, other = (card_name(card) for card in forged.forgery.cards)
    first, second = forged.forgery.records
    screen.print(
        f"{number} of {number} · a forger exchanges the {one} of record {first} with the {other} of record {second}"
    )
    screen.print("in the first history, and computes every CRC and the whole chain anew: the rules find nothing wrong")
    show_report(screen, forged.path, forged.report)
    if forged.caught:
        screen.print(Text("the forged history was caught by its signature", VERIFIED))
    else:
        screen.print(Text("THE FORGED HISTORY WAS NOT CAUGHT as what it is", "bright_red"))
    screen.print()
