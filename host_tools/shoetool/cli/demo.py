"""`shoetool demo`: deal two shoes live on the virtual board, then fetch, replay and verify their histories."""

from __future__ import annotations

import dataclasses
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.text import Text
from shoesim.dealer_truth import Truth, first_difference
from shoesim.forger import remove_simulated
from shoesim.places import state_folder
from shoesim.rig import Rig
from shoesim.scenario import PRESETS, Scenario

from shoetool.cli import demo_sealed, demo_signed
from shoetool.cli.device import open_client
from shoetool.cli.examples import examples
from shoetool.cli.exits import FINDINGS, FINE, say
from shoetool.cli.options import Speed
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFolder, output_option
from shoetool.cli.pulling import Pulled, pull_one
from shoetool.cli.reading import opened
from shoetool.cli.virtual import DealerThread, interpreter_of, interpreter_option, set_up
from shoetool.cli.watching import Watch
from shoetool.client.client import Client
from shoetool.client.host_clock import HostClock
from shoetool.history.readings import basis_notes
from shoetool.model.file_kinds import HISTORY
from shoetool.model.output_file import output_folder
from shoetool.model.printable import clean
from shoetool.report.findings import VERIFIED
from shoetool.report.sentences import many
from shoetool.rules.games import clause_in
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify import Report, verify

ACTS: Final = (
    ("six-deck", "six-deck Blackjack shoe, dealt without errors"),
    ("double-planted", "eight-deck double shoe, red and blue, with irregularities"),
)
SPEED: Final = 10.0


@dataclass(slots=True)
class Act:
    """One shoe of the demo: what was dealt, where its history is, and what was found in it."""

    name: str
    scenario: Scenario
    truth: Truth
    pulled: Pulled
    report: Report
    difference: str | None

    @property
    def expected(self) -> set[tuple[str, str]]:
        """(clause, verdict) of every planted irregularity that happened."""
        return {(clause_in(self.scenario.game, plant.clause), plant.verdict) for plant in self.truth.plants}

    @property
    def found(self) -> set[tuple[str, str]]:
        """(clause, verdict) of every finding."""
        return {(finding.clause, finding.verdict) for finding in self.report.findings}

    @property
    def missed_plants(self) -> list[str]:
        """Names of planted irregularities for which the deal gave no opportunity."""
        happened = [plant.name for plant in self.truth.plants]
        return [plant.name for plant in self.scenario.plants if plant.name not in happened]

    @property
    def agrees(self) -> bool:
        """Whether exactly what was planted was found, and every card of the history is the card that was drawn."""
        return self.expected == self.found and not self.missed_plants and self.difference is None

    def document(self) -> dict[str, Any]:
        """Return the act, with JSON types only."""
        return {
            "scenario": self.name,
            "seed": self.truth.seed,
            "rounds": self.truth.rounds,
            "cards": len(self.truth.cards),
            "files": [str(self.pulled.path)],
            "planted": [{"name": one.name, "round": one.round, "clause": one.clause} for one in self.truth.plants],
            "found": [
                {"clause": one.clause, "verdict": one.verdict, "records": list(one.records), "sentence": one.sentence}
                for one in self.report.findings
            ],
            "agrees": self.agrees,
        }


@click.command("demo", epilog=examples("demo --out build/demo"))
@output_option(
    "--out",
    type=OutputFolder(HISTORY),
    default=Path("build/demo"),
    show_default=True,
    help="Folder for the histories.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Deal other cards.")
@click.option("--speed", type=Speed(), default=SPEED, show_default=True, help="1 is real time, 0 the fastest.")
@interpreter_option
@json_option
def command(out: Path, seed: int | None, speed: float, interpreter: str | None, as_json: bool) -> int:
    """Deal two shoes on the virtual board, open a sealed hole card, forge a history, and show what shoetool finds.

    The firmware runs under MicroPython. A simulated dealer draws the cards up to the cover card while you watch. Then
    the histories are fetched, replayed and verified. The first shoe is clean; irregularities are planted in the second.

    The demo fails (exit code 1) unless exactly those are found, the hole card agrees with its commitment, and the
    signature exposes a forged copy. The demo's signing keys have a tree of height 5; a real shoe has 10 or more.
    """
    begun = time.monotonic()
    screen = console()
    output_folder(out)
    chosen = interpreter_of(interpreter)
    store = demo_signed.fresh_store(out)
    acts = []
    for number, (name, title) in enumerate(ACTS, 1):
        scenario = PRESETS[name]
        scenario = dataclasses.replace(scenario, speed=speed, seed=scenario.seed if seed is None else seed)
        heading = f"{number} of {len(ACTS) + 2} · {title}"
        if not as_json and not screen.is_terminal:
            screen.print(heading)
        acts.append(play(name, heading, scenario, out, chosen, as_json, store))
        if not as_json:
            conclude(screen, acts[-1])
    with opened(acts[0].pulled.path) as reader:
        hole = demo_sealed.first_hole(reader.records())
    forged = demo_signed.forged_copy(acts[0].pulled.path, store)
    agrees = all(act.agrees for act in acts) and hole.agrees and forged.caught
    seconds = round(time.monotonic() - begun, 1)
    if as_json:
        shoes = [act.document() for act in acts]
        parts = {"sealed": hole.document(), "forged": forged.document()}
        emit("demo", {"shoes": shoes, **parts, "agrees": agrees, "seconds": seconds})
    else:
        demo_sealed.show(screen, hole, len(ACTS) + 1)
        demo_signed.show(screen, forged, len(ACTS) + 2)
        what_next(screen, acts, seconds)
    missed = [plant for act in acts for plant in act.missed_plants]
    if missed and all(act.expected == act.found and act.difference is None for act in acts):
        say(f"the demo FAILED: this deal gave no opportunity for {', '.join(missed)}; choose another --seed")
    elif not agrees:
        say("the demo FAILED: what was found is not what was planted, see above")
    return FINE if agrees else FINDINGS


def play(name: str, title: str, scenario: Scenario, out: Path, interpreter: str, as_json: bool, store: PinStore) -> Act:
    """Deal one shoe and watch it, then fetch and verify its history."""
    with state_folder() as state, Rig(state, interpreter=interpreter, seed=scenario.seed, speed=scenario.speed) as rig:
        set_up(rig, scenario)
        dealer = DealerThread(scenario, rig)
        with open_client(rig.link_path) as client:
            demo_signed.provision(client, store)
            watch_deal(client, dealer, title, as_json)
            truth = dealer.result()
            rig.wait(1)  # the shoe signs in this time
            path = out / f"{name}.shoelog"
            remove_simulated(path)
            # The clock of the simulation runs faster: a reading at its end would not fit the one in the journal.
            pulled = pull_one(client, client.history_list()[-1], path, mark=True, clock=False)
    with opened(pulled.path) as reader:
        difference = first_difference(truth, reader.records())
    with opened(pulled.path) as reader:
        report = verify(reader, trust=Trust(store))
    return Act(name, scenario, truth, pulled, report, difference)


def watch_deal(client: Client, dealer: DealerThread, title: str, silent: bool) -> None:
    """Show the live records until the dealer is done and the last record has come."""
    live = client.subscribe(0)
    clock = HostClock(client, lambda point: None)
    with Watch(title, silent=silent) as watch:
        dealer.start()
        while dealer.is_alive():
            clock.refresh()
            found = live.poll(0.05)
            clock.saw(found)
            watch.show(found)
        end = client.status().next_record
        while live.next_number is None or live.next_number < end:
            watch.show(live.poll(0.2))


def conclude(screen: Console, act: Act) -> None:
    """Print what was found in one shoe's history."""
    path = clean(str(act.pulled.path))
    pages = many(act.pulled.pages, "page")
    screen.print(
        f"dealt {many(act.truth.rounds, 'round')}, {len(act.truth.cards)} cards drawn; fetched {pages} to {path}"
    )
    if act.difference is None:
        screen.print(Text(f"replayed: all {len(act.truth.cards)} cards are the cards that were drawn", VERIFIED))
    else:
        screen.print(Text(f"REPLAY DIFFERS from what was drawn: {act.difference}", "bright_red"))
    demo_signed.show_report(screen, act.pulled.path, act.report)
    for note in basis_notes({one.boot: one.basis for one in act.report.summary.times}):
        screen.print(note)
    if act.expected and act.agrees:
        kinds = len(act.expected)
        screen.print(Text(f"planted {kinds} irregularities, found {kinds} and nothing else", VERIFIED))
    for clause, verdict in sorted(act.expected - act.found):
        screen.print(Text(f"PLANTED AND NOT FOUND: {clause}, {verdict}", "bright_red"))
    for clause, verdict in sorted(act.found - act.expected):
        screen.print(Text(f"FOUND AND NOT PLANTED: {clause}, {verdict}", "bright_red"))
    for name in act.missed_plants:
        screen.print(Text(f"PLANT THAT NEVER HAPPENED: {name}", "bright_red"))
    screen.print()


def what_next(screen: Console, acts: list[Act], seconds: float) -> None:
    """Print commands that work when the user copies them."""
    planted = acts[-1]
    number = planted.truth.plants[0].round if planted.truth.plants else 1
    path = planted.pulled.path
    screen.print(f"The demo took {seconds:.0f} s. Try next:")
    in_tree = Path(".venv/bin/activate").is_file() and not shutil.which("shoetool")
    for line in (
        *([". .venv/bin/activate"] if in_tree else []),
        f"shoetool verify {path} --readings",
        f"shoetool verify {path.parent}/*.shoelog --keys {path.parent}/keys",
        f"shoetool replay {path} --round {max(1, number)}",
        f"shoetool verify {path} --json",
        "shoetool simulate --list",
        "shoetool simulate six-deck --serve   # in another shell: shoetool monitor",
    ):
        screen.print(f"  {clean(line)}")
