"""`shoetool simulate`: deal a named scenario on the virtual board, and with --serve keep it open for other shells."""

from __future__ import annotations

import dataclasses
import shlex
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import click
from shoesim.dealer_truth import Truth
from shoesim.model import PRESETS as MODELS
from shoesim.places import state_folder
from shoesim.plants import PLANTS, Plant, parse_plant
from shoesim.rig import Rig
from shoesim.scenario import PRESETS, Scenario
from shoesim.wagers_plants import EVERY_PLANT

from shoetool.cli.completion import beginning
from shoetool.cli.device import open_client
from shoetool.cli.examples import examples
from shoetool.cli.exits import say
from shoetool.cli.options import Speed, table_option
from shoetool.cli.output import console, emit, emit_line, json_option, print_table, progress
from shoetool.cli.outputs import OutputFile, OutputFolder, output_option
from shoetool.cli.pulling import pull_histories
from shoetool.cli.virtual import DealerThread, announced, as_configured, interpreter_of, interpreter_option, set_up
from shoetool.cli.wager_record import Wagers, at_the_table, error_rows, plan_wagers
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import HISTORY, TABLE_RECORD
from shoetool.model.output_file import output_folder
from shoetool.model.printable import clean
from shoetool.report.sentences import many
from shoetool.report.text_tables import headed

_TICK_S: Final = 0.25


@click.command(
    "simulate",
    epilog=examples(
        ("simulate six-deck", "deal, then write the history"),
        ("simulate six-deck --serve", "keep the shoe open for others"),
        "simulate six-deck --plant dealer_draws_on_17@4",
        "simulate six-deck --table-record night.jsonl",
    ),
)
@click.argument(
    "name", required=False, metavar="[SCENARIO]", shell_complete=lambda *words: beginning(PRESETS, words[2])
)
@click.option("--list", "list_all", is_flag=True, help="List the scenarios and the irregularities that can be planted.")
@click.option("--seed", type=click.IntRange(min=0), help="Deal other cards; the same seed deals the same cards again.")
@click.option(
    "--plant",
    "plants",
    multiple=True,
    metavar="NAME[@ROUND]",
    help="Plant an irregularity; may be repeated.",
    shell_complete=lambda *words: beginning(PLANTS, words[2]),
)
@click.option("--rounds", type=click.IntRange(min=1), help="Deal at most this many rounds, not to the cover card.")
@click.option("--model", type=click.Choice(list(MODELS)), help="How the cards are printed, pulled and read.")
@click.option("--speed", type=Speed(), help="1 is real time, 0 as fast as the firmware reads.")
@click.option("--serve", is_flag=True, help="Print the port first, deal in real time, then stay open until Ctrl-C.")
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0, max=86_400),
    default=0,
    metavar="SECONDS",
    help="With --serve: wait this long before the first key, so that you can provision or configure the shoe.",
)
@interpreter_option
@output_option("--out", type=OutputFolder(HISTORY), default=Path("histories"), show_default=True)
@output_option(
    "--table-record",
    "record",
    type=OutputFile(TABLE_RECORD),
    metavar="FILE",
    help="Write the wagers, the dealer's actions and the payments of each round to a table record.",
)
@table_option("With --table-record: the rules submission, or the name of an example. By default the game's example.")
@click.option(
    "--wager-error",
    "errors",
    multiple=True,
    metavar="NAME[@ROUND]",
    help="With --table-record: pay wrongly, or do something at the wrong time; may be repeated.",
    shell_complete=lambda *words: beginning(EVERY_PLANT, words[2]),
)
@json_option
def command(
    name: str | None,
    list_all: bool,
    seed: int | None,
    plants: tuple[str, ...],
    rounds: int | None,
    model: str | None,
    speed: float | None,
    serve: bool,
    wait_s: float,
    interpreter: str | None,
    out: Path,
    record: Path | None,
    table: str | None,
    errors: tuple[str, ...],
    as_json: bool,
) -> None:
    """Deal a scenario. The firmware runs on the virtual board, and a simulated dealer draws the cards.

    Without --serve the histories are fetched into the --out folder when the shoe is finished. With --serve the shoe's
    pseudo-terminal is printed at once: use it in another shell with `shoetool monitor --port ...` or another command.
    """
    if list_all:
        list_scenarios(as_json)
        return
    scenario = choose(name, seed, plants, rounds, model, speed if speed is not None else (1.0 if serve else 0.0))
    if serve and record is not None:
        raise click.UsageError("--table-record needs the histories, which --serve leaves in the shoe")
    if wait_s and not serve:
        raise click.UsageError("--wait needs --serve: without --serve the shoe cannot be reached before it is dealt")
    wagers = plan_wagers(record, table, errors, scenario)
    if wagers is not None:
        scenario = at_the_table(scenario, wagers.recorder.rules)
    chosen = interpreter_of(interpreter)
    if not serve:
        output_folder(out, create=False)  # before the deal, which takes a while
    with (
        state_folder() as state,
        Rig(state, interpreter=chosen, model=MODELS[scenario.model], seed=scenario.seed, speed=scenario.speed) as rig,
    ):
        set_up(rig, scenario)
        if serve:
            run_served(str(name), scenario, rig, wait_s, as_json)
            return
        truth = deal(scenario, rig)
        with open_client(rig.link_path) as client:
            pulled = pull_histories(client, client.history_list(), out)
    files = [str(kept.path) for kept in pulled]
    missed = say_missed(scenario, truth)
    if wagers is not None:
        missed += write_wagers(wagers, [kept.path for kept in pulled])
    if as_json:
        told = {} if wagers is None else {"table_record": str(wagers.path), "wager_errors": planted_errors(wagers)}
        emit("simulate", {"scenario": name, **truth_document(truth), "not_planted": missed, "files": files, **told})
    else:
        plural = "histories" if len(files) != 1 else "history"
        console().print(f"{dealt(truth)} dealt (seed {truth.seed}); {plural}:")
        for kept in pulled:
            console().print(f"  {clean(str(kept.path))}  {kept.label()}")
        if truth.plants:
            console().print(f"planted: {', '.join(f'{one.name} in round {one.round}' for one in truth.plants)}")
        if wagers is not None:
            console().print(f"table record: {clean(str(wagers.path))}")
            for one in wagers.recorder.planted:
                console().print(f"  {one.name} in round {one.round}")
        also = "" if wagers is None else f" --table-record {shlex.quote(str(wagers.path))}"
        console().print(clean(f"next: shoetool verify {shlex.join(files)}{also}"))


def write_wagers(wagers: Wagers, histories: list[Path]) -> list[str]:
    """Write the table record. Report on standard error which errors found no opportunity, and return them."""
    missed = wagers.write(histories)
    if missed:
        say(f"not planted: {', '.join(missed)} (no round gave an opportunity)")
    return missed


def planted_errors(wagers: Wagers) -> list[dict[str, Any]]:
    """Return the errors of the table record, with JSON types only."""
    return [{"name": one.name, "round": one.round, "clause": one.clause} for one in wagers.recorder.planted]


def say_missed(scenario: Scenario, truth: Truth) -> list[str]:
    """Report on standard error which plants found no opportunity. Returns them as the user wrote them."""
    happened = Counter(one.name for one in truth.plants)
    missed: list[Plant] = []
    for plant in scenario.plants:
        if happened[plant.name]:
            happened[plant.name] -= 1
        else:
            missed.append(plant)
    names = [plant.name if plant.round is None else f"{plant.name}@{plant.round}" for plant in missed]
    if names:
        say(f"not planted: {', '.join(names)} ({many(truth.rounds, 'round')} dealt, without an opportunity)")
    return names


def choose(
    name: str | None, seed: int | None, plants: tuple[str, ...], rounds: int | None, model: str | None, speed: float
) -> Scenario:
    """Return the scenario of that name with the wanted changes. BadInput names what does not exist or does not fit."""
    if name is None:
        raise click.UsageError("name a scenario, or ask for --list")
    if name not in PRESETS:
        raise BadInput(f"there is no scenario {name!r}; there are {', '.join(PRESETS)}")
    changes: dict[str, Any] = {"speed": speed}
    if seed is not None:
        changes["seed"] = seed
    if plants:
        changes["plants"] = PRESETS[name].plants + tuple(parse_plant(text) for text in plants)
    if rounds is not None:
        changes["rounds"] = rounds
    if model is not None:
        changes["model"] = model
    return dataclasses.replace(PRESETS[name], **changes)


def deal(scenario: Scenario, rig: Rig) -> Truth:
    """Deal to the end with a progress bar."""
    dealer = DealerThread(scenario, rig)
    dealer.start()
    with progress("dealing", "cards") as advance:
        while dealer.is_alive():
            dealer.join(0.1)
            if dealer.progress is not None:
                advance(dealer.progress.drawn, dealer.progress.cards)
    return dealer.result()


def run_served(name: str, scenario: Scenario, rig: Rig, wait_s: float, as_json: bool) -> None:
    """Print the port, wait, deal, and stay open until Ctrl-C or a termination signal."""
    port = rig.link_path
    if as_json:
        emit_line("simulate", {"scenario": name, "port": port, "seed": scenario.seed})
    else:
        click.echo(f"the shoe is on {port} (seed {scenario.seed}); in another shell:")
        click.echo(f"  shoetool monitor --port {port}")
        click.echo("Ctrl-C ends it")
    with announced(port):
        if wait_s:
            say(f"the dealer waits {wait_s:g} s: the shoe may be provisioned and configured now")
            until = time.monotonic() + wait_s
            while time.monotonic() < until:
                _pass_time(rig)
            scenario = as_configured(rig, scenario)
        dealer = DealerThread(scenario, rig)
        dealer.start()
        dealer.join()
        truth = dealer.result()
        say(f"dealt: {dealt(truth)}; the shoe stays open for pull and the rest")
        say_missed(scenario, truth)
        while True:
            _pass_time(rig)


def _pass_time(rig: Rig) -> None:
    """Let time go on in the shoe, so that waiting work gets done."""
    time.sleep(_TICK_S)
    rig.wait(_TICK_S)


def dealt(truth: Truth) -> str:
    """Return how much was dealt, in words."""
    return f"{many(truth.rounds, 'round')}, {many(len(truth.cards), 'card')}"


def truth_document(truth: Truth) -> dict[str, Any]:
    """Return what was dealt, with JSON types only. Faces are left out: they belong to the history."""
    return {
        "seed": truth.seed,
        "rounds": truth.rounds,
        "shoes": truth.shoes,
        "cards": len(truth.cards),
        "planted": [{"name": plant.name, "round": plant.round, "clause": plant.clause} for plant in truth.plants],
    }


def list_scenarios(as_json: bool) -> None:
    """Print the scenarios and what can be planted."""
    if as_json:
        body = {
            "scenarios": [
                {
                    "name": name,
                    "game": scenario.game.name.lower(),
                    "shoe_kind": scenario.shoe_kind.name.lower(),
                    "decks": scenario.decks,
                    "plants": [plant.name for plant in scenario.plants],
                }
                for name, scenario in PRESETS.items()
            ],
            "irregularities": [
                {"name": kind.name, "clause": kind.clause, "verdict": kind.verdict} for kind in PLANTS.values()
            ],
            "wager_errors": error_rows(),
        }
        emit("scenarios", body)
        return
    out = console()
    table = headed("scenario", "game", "shoe", "decks", "planted")
    for name, scenario in PRESETS.items():
        game, shoe = scenario.game.name.lower(), scenario.shoe_kind.name.lower()
        planted = ", ".join(plant.name for plant in scenario.plants) or "nothing"
        table.add_row(name, game, shoe, str(scenario.decks), planted)
    print_table(out, table)
    out.print()
    table = headed("irregularity", "clause", "verdict")
    for kind in PLANTS.values():
        table.add_row(kind.name, kind.clause, kind.verdict)
    print_table(out, table)
    out.print()
    table = headed("error of wagers", "clause")
    for row in error_rows():
        table.add_row(row["name"], row["clause"])
    print_table(out, table)
