"""Simulated sessions for the checks of a table record: the firmware's dealing under the simulated dealer, no board."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "regulation"))

from in_process_shoe import InProcessShoe
from shoesim.plants import Plant
from shoesim.scenario import Scenario, run_scenario
from shoesim.wagers import TableRecorder
from shoesim.wagers_plants import WagerPlant
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.model.records import Record
from shoetool.round_file.file import FORMAT, each_record
from shoetool.rules.submission.checks import refusals
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.verify import Report, verify
from shoetool.verify.table_record import Lines, TableJudge
from wagers_offered import offering

NAMES = {game: game.name.lower() for game in Game}
SIDES = {
    "blackjack": (
        *("lucky_ladies", "match_the_dealer", "in_between", "royal_match_21", "bet_the_set_21", "kings_bounty"),
        *("bad_beat", "three_card_poker", "hit_and_run", "straight_jack", "house_money"),
    ),
    "free_bet": ("push_22",),
    "spanish_21": ("spanish_match_the_dealer",),
    "switch": ("super_match",),
    "from_the_hand": ("royal_match_21", "house_money"),
}


def rules_of(game: Game = Game.BLACKJACK, decks: int = 6, **changes: Any) -> RulesSubmission:
    """A table that offers every optional wager of its game."""
    rules = offering(RulesSubmission.default(NAMES[game], decks, **changes), *SIDES[NAMES[game]])
    assert not refusals(rules)
    return rules


@lru_cache(maxsize=64)
def session(
    game: Game = Game.BLACKJACK,
    seed: int = 1,
    kind: ShoeKind = ShoeKind.SINGLE,
    decks: int = 6,
    shoes: int = 1,
    plants: tuple[str, ...] = (),
) -> tuple[Record, ...]:
    """The history of a session with a card reader device."""
    print("session seed", seed)
    players = (3, 6) if game == Game.FREE_BET else (3, 7)
    asked = tuple(Plant(name) for name in plants)
    scenario = Scenario(game, kind, decks, seed, asked, players=players, shoes=shoes)
    shoe = InProcessShoe(scenario)
    run_scenario(scenario, shoe)
    return tuple(shoe.history())


def recorded(
    history: Iterable[Record], rules: RulesSubmission, seed: int = 1, plants: Iterable[WagerPlant] = (), **options: Any
) -> tuple[TableRecorder, list[dict[str, Any]]]:
    """The recorder, and the lines of the table record that it wrote."""
    recorder = TableRecorder(rules, seed, plants, **options)
    return recorder, list(recorder.lines(history))


def judge_of(
    lines: Iterable[dict[str, Any]], rules: RulesSubmission, last: bool = True, required: bool = False
) -> TableJudge:
    """A judge of these lines, read as a file's would be; the first one gets the format."""
    texts = [json.dumps({**({"format": FORMAT} if at == 0 else {}), **line}) for at, line in enumerate(lines)]
    return TableJudge(Lines(each_record(texts, "record")), rules, last, required)


def judged(history: Iterable[Record], lines: Iterable[dict[str, Any]], rules: RulesSubmission) -> Report:
    """What `verify` says of a history with these lines."""
    return verify(history, judge_of(lines, rules))
