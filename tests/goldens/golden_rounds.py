"""Round files and rules submissions: the examples, seeded rounds that the rules allow, and seeded changes of both."""

from __future__ import annotations

import json
import re
from functools import partial
from random import Random
from typing import Any

from golden_case import Case, Command, write_text
from random_rounds import Playout, random_round
from shoetool.model.cards import card_name
from shoetool.round_file.examples import round_example, round_example_names
from shoetool.rules.games import GAMES
from shoetool.rules.submission.file import example, example_names, parse

PLAYED = 12
CHANGED = 24


def settle_examples() -> list[Case]:
    """Each example of `settle`, and the list of them."""
    return [
        Case("the list", lambda: [("settle", "--list"), ("settle", "--list", "--json")]),
        *(Case(name, partial(_settle_example, name)) for name in round_example_names()),
    ]


def _settle_example(name: str) -> list[Command]:
    file = write_text(f"{name}.json", round_example(name))
    return [("settle", file), ("settle", "--json", file)]


def table_examples() -> list[Case]:
    """Each example of `table`, and the list of them."""
    return [
        Case("the list", lambda: [("table", "--list"), ("table", "--list", "--json")]),
        *(Case(name, partial(_table_example, name)) for name in example_names()),
    ]


def _table_example(name: str) -> list[Command]:
    file = write_text(f"{name}.toml", example(name))
    return [("table", file), ("table", "--layout", file), ("table", "--json", "--layout", file)]


def tables_changed() -> list[Case]:
    """Each example of `table` with one, two or three lines changed: what is refused, and what can still be used."""
    return [
        Case(f"{name} {seed}", partial(_table_changed, name, seed)) for name in example_names() for seed in range(20)
    ]


def _table_changed(name: str, seed: int) -> list[Command]:
    random = Random(f"table {name} {seed}")
    lines = example(name).splitlines()
    for _ in range(random.randint(1, 3)):
        at = random.choice([number for number, line in enumerate(lines) if re.match(r"\w+ =", line)])
        lines[at] = _changed_line(lines[at], random)
    file = write_text("table.toml", "\n".join(lines) + "\n")
    return [("table", file), ("table", "--json", file)]


def _changed_line(line: str, random: Random) -> str:
    key = line.partition(" =")[0]
    choices = ["", f"{key}s = 1"]
    if re.search(r"= \d+", line):
        choices += [f"{key} = {number}" for number in (0, 1, 2, 3, 4, 6, 7, 8, 100, 5000, -1)]
    elif re.search(r"= (true|false)", line):
        choices += [f"{key} = true", f"{key} = false", f"{key} = 1"]
    elif '= "' in line:
        words = (
            "A",
            "B",
            "C",
            "D",
            "E",
            "way_1",
            "way_2",
            "none",
            "automatic",
            "continuous",
            "single",
            "double",
            "0.25",
        )
        choices += [f'{key} = "{word}"' for word in (*words, *GAMES)]
    else:
        choices += ["meter = { start = 100, reset = 5000, rate = 0.5 }", "meter = { start = 5000 }"]
    return random.choice(choices)


def paytables() -> list[Case]:
    """`paytables` as a whole: text, JSON."""
    return [Case("all", lambda: [("paytables",), ("paytables", "--json")])]


def rounds_played() -> list[Case]:
    """Seeded rounds that the rules allow, on the table of each example, settled from a round file."""
    return [Case(f"{name} {seed}", partial(_played, name, seed)) for name in example_names() for seed in range(PLAYED)]


def _played(name: str, seed: int) -> list[Command]:
    file = write_text("round.json", json.dumps(_document(name, seed), ensure_ascii=False))
    return [("settle", file), ("settle", "--json", file)]


def rounds_changed() -> list[Case]:
    """The same with something changed: cards, decisions, wagers. Most are refused, with the clause."""
    return [
        Case(f"{name} {seed}", partial(_changed, name, seed)) for name in example_names() for seed in range(CHANGED)
    ]


def _changed(name: str, seed: int) -> list[Command]:
    random = Random(f"round {name} {seed}")
    document = _document(name, 1000 + seed)
    for _ in range(random.randint(1, 2)):
        _change(document, random)
    file = write_text("round.json", json.dumps(document, ensure_ascii=False))
    return [("settle", file)]


def _change(document: dict[str, Any], random: Random) -> None:
    seat = random.choice(document["positions"])
    cards, words = document["cards"], seat["decisions"]
    at = random.randrange(len(cards))
    match random.randrange(9):
        case 0:
            del cards[at]
        case 1:
            cards[at] = card_name(random.randrange(52))
        case 2:
            cards.insert(at, card_name(random.randrange(52)))
        case 3 if words:
            del words[random.randrange(len(words))]
        case 3 | 4 | 5:
            verbs = ("hit", "stand", "double", "split", "surrender", "switch", "free_double", "free_split", "rescue")
            words.insert(random.randint(0, len(words)), random.choice(verbs))
        case 6:
            seat["insurance"] = random.choice(("5.00", "12.50", "1000.00"))
        case 7:
            seat["wager"] = random.choice(("0.50", "7.25", "100000.00", "25.00"))
        case _:
            seat["side"] = {**seat["side"], random.choice(("lucky_ladies", "push_22", "super_match")): "5.00"}


def _document(name: str, seed: int) -> dict[str, Any]:
    return {"format": "shoetool-round/1", "table": name, **_written(random_round(parse(example(name)), seed))}


def _written(playout: Playout) -> dict[str, Any]:
    """A played round as a round file has it."""
    seats: dict[int, dict[str, Any]] = {}
    for stake in playout.stakes:
        side = {key: _dollars(amount) for key, amount in stake.side.items()}
        seats[stake.position] = {
            "position": stake.position,
            "wager": _dollars(stake.wager),
            **({"player_position": stake.player_position} if stake.player_position is not None else {}),
            "side": side,
            "decisions": [],
        }
    for one in playout.decisions:
        seat = seats[one.position]
        if one.name == "insurance":
            seat["insurance"] = _dollars(one.amount or 0)
        elif one.name == "even_money":
            seat["even_money"] = True
        else:
            seat["decisions"].append(one.name if one.amount is None else {one.name: _dollars(one.amount)})
    return {
        "cards": [card_name(card) for card in playout.cards],
        "burned": GAMES[playout.submission.game].deal.burns,
        "positions": list(seats.values()),
        "lucky_player": playout.lucky_player,
        "magic_card": card_name(playout.magic_card),
        "meters": {key: _dollars(amount) for key, amount in playout.meters.items()},
    }


def _dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
