"""A shoe's settings as people write them: names, ranges, words for numbers; read from TOML or KEY=VALUE."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from shoetool.model.card_code import same_design
from shoetool.model.errors import BadInput, DeviceError
from shoetool.model.input_file import read_input
from shoetool.model.naming import (
    DRAWS_TO,
    DRAWS_TO_BIT,
    MOST_DRAWS_TO,
    OPTION_BITS,
    SETTING_ENUMS,
    option_names,
)
from shoetool.model.protocol_table import CONFIGS, ShoeKind
from shoetool.model.toml_text import parse_toml
from shoetool.rules.games import GAMES, game_of_shoe

Values = dict[str, int]

NAMES: Final = tuple(row["name"] for row in CONFIGS.values())
ROWS: Final[dict[str, dict[str, Any]]] = {row["name"]: row for row in CONFIGS.values()}
# The words for people. The texts of protocol.toml are for programmers.
MEANINGS: Final = {
    "game": "the game that is dealt",
    "shoe_kind": "one side or two; a double shoe is for Blackjack and Blackjack Switch only (633a.3(c))",
    "side_a_color": "the determinant card's suits that send the round to side A (633a.7(d)(1))",
    "options": (
        "what is switched on; hybrid without a hole card: draws_to_1 to draws_to_20, the highest count on which a hand "
        "without a choice draws (633c.5(z))"
    ),
}
OPTION_MEANINGS: Final = {
    "face_down_double": "the card on a double lies face down (633a.10(c))",
    "continuous_shuffler": "no burn card after later loads (633a.7(c) with .5(h))",
    "new_dealer_burns": "a new dealer burns a card with a double shoe too",
    "two_batches": "two batches alternate (633a.3(b))",
    "overwrite_unfetched": "histories that were not fetched may be overwritten",
    "card_reader": "the table has a card reader device (633a.2(f))",
    "switch_hands": "switch hands are offered (633c.4); Blackjack only",
    "switch_hands_last": "switch hands cards come after the Blackjack hands (633c.4(j)); a double shoe needs it",
    "blackjack_premium": "Blackjack premium is offered (633c.4(k))",
    "extra_card": "two 7s may get one more card after the dealer's Blackjack (633c.9(d)(4)); needs card_reader",
}
LARGEST_FILE: Final = 65536
_NUMBER: Final = re.compile(r"[+-]?(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)", re.ASCII)
_LONGEST_NUMBER: Final = 40
_COUNTS: Final = frozenset(str(count) for count in range(1, MOST_DRAWS_TO + 1))
_SHOWN: Final = 60


def as_typed(value: object) -> str:
    """Return in quotes what somebody typed, cut short when it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 20]}... ({len(text)} characters)"


def parse_value(name: str, value: object) -> int:
    """Return the number that a person's value means: an integer, a word of the setting's enumeration, or option names.

    BadInput names the setting, the value and what is allowed.
    """
    if name not in ROWS:
        close = difflib.get_close_matches(name[:_SHOWN], NAMES, n=1)
        hint = f"; did you mean {close[0]}?" if close else f"; settings are {', '.join(NAMES)}"
        raise BadInput(f"there is no setting {as_typed(name)}{hint}")
    number = _number(name, value)
    low, high = ROWS[name]["min"], ROWS[name]["max"]
    if not low <= number <= high:
        # Python does not print a number with thousands of digits.
        large = str(number) if number.bit_length() <= 64 else f"a number of {number.bit_length()} bits"
        raise BadInput(f"{name} = {large} is out of range: {low} to {high} ({meaning(name)})")
    return number


def _number(name: str, value: object) -> int:
    if isinstance(value, bool):
        raise BadInput(f"{name} takes a number, not {str(value).lower()}")
    if isinstance(value, int):
        return value
    if name == "options" and isinstance(value, list):
        return _option_bits([str(item) for item in value])
    if isinstance(value, str):
        text = value.strip()
        if name in SETTING_ENUMS and text in (words := {item.name.lower(): int(item) for item in SETTING_ENUMS[name]}):
            return words[text]
        # Python would also accept digits of other scripts, and underscores.
        if len(text) <= _LONGEST_NUMBER and _NUMBER.fullmatch(text):
            return int(text, 0)
        if name in SETTING_ENUMS:
            raise BadInput(f"{name} takes {', '.join(words)} or its number, not {as_typed(text)}")
        if name == "options":
            return _option_bits([part.strip() for part in text.split(",")])
    raise BadInput(f"{name} takes a whole number, not {as_typed(value)}")


def _option_bits(words: list[str]) -> int:
    bits = 0
    for word in words:
        if word in ("", "none"):
            continue
        if word.startswith(DRAWS_TO) and word.removeprefix(DRAWS_TO) in _COUNTS:
            bits = bits & (1 << DRAWS_TO_BIT) - 1 | int(word.removeprefix(DRAWS_TO)) << DRAWS_TO_BIT
            continue
        if word not in OPTION_BITS:
            raise BadInput(f"there is no option {as_typed(word)}; options are {', '.join(OPTION_BITS)}")
        bits |= 1 << OPTION_BITS[word]
    return bits


def show_value(name: str, value: int) -> str:
    """Return a setting's value as a person writes it."""
    if name in SETTING_ENUMS and value in set(SETTING_ENUMS[name]):
        return SETTING_ENUMS[name](value).name.lower()
    if name == "options":
        flags = value & (1 << DRAWS_TO_BIT) - 1
        if flags & ~sum(1 << bit for bit in OPTION_BITS.values()) or value >> DRAWS_TO_BIT > MOST_DRAWS_TO:
            return f"0x{value:04x}"
        return ",".join(option_names(value)) or "none"
    return str(value)


def words(name: str) -> list[str]:
    """Return the words that may be typed for a setting. Empty when it takes numbers only."""
    if name in SETTING_ENUMS:
        return [item.name.lower() for item in SETTING_ENUMS[name]]
    return ["none", *OPTION_BITS] if name == "options" else []


def takes(name: str) -> str:
    """Return what may be typed for a setting: its words, or its range."""
    if name in SETTING_ENUMS:
        return ", ".join(words(name))
    if name == "options":
        return "none, or of these with commas between:"
    return f"{ROWS[name]['min']} to {ROWS[name]['max']}"


def meaning(name: str) -> str:
    """Return what a setting means, for people."""
    return MEANINGS.get(name) or str(ROWS[name]["means"])


def to_toml(values: Mapping[str, int]) -> str:
    """Return settings as a TOML file that `configure` reads back, each with its meaning."""
    lines = []
    for name in NAMES:
        if name not in values:
            continue
        shown = show_value(name, values[name])
        quoted = shown if shown.isdigit() else f'"{shown}"'
        lines.append(f"# {meaning(name)}; takes {takes(name)}")
        if name == "options":
            lines += [f"#   {option}: {told}" for option, told in OPTION_MEANINGS.items()]
        lines.append(f"{name} = {quoted}")
    return "\n".join(lines) + "\n"


def read_toml(path: Path) -> Values:
    """Return the settings that a TOML file names. BadInput when it is no such file."""
    try:
        content = read_input(path, "a configuration", LARGEST_FILE, "too large for a configuration")
        document = parse_toml(content.decode("utf-8"))
    except ValueError as error:  # broken TOML, or not UTF-8
        raise BadInput(f"{path}: no TOML file: {error}") from None
    try:
        return {name: parse_value(name, value) for name, value in document.items()}
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def read_pairs(pairs: Iterable[str]) -> Values:
    """Return the settings of KEY=VALUE arguments."""
    values: Values = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise BadInput(f"{as_typed(pair)} is neither KEY=VALUE nor a TOML file that exists")
        values[name.strip()] = parse_value(name.strip(), text)
    return values


def check_together(values: Mapping[str, int]) -> None:
    """Check the rules that tie settings together, as the shoe does. BadInput names the clause."""
    get = {name: values.get(name, ROWS[name]["default"]) for name in NAMES}
    game = game_of_shoe(get["game"])
    decks, positions = get["decks"], get["positions"]
    if game is not None and not game.decks.allows(decks):
        text = f"{game.title} is played with {game.decks.words()} decks, not {decks}"
        raise BadInput(f"{text} ({game.decks.clause})")
    if game is not None and positions > game.facts.positions:
        text = f"{game.title} has at most {game.facts.positions} betting positions, not {positions}"
        raise BadInput(f"{text} ({game.clauses.positions})")
    if get["options"] >> DRAWS_TO_BIT and (game is None or not game.no_hole):
        raise BadInput(f"{DRAWS_TO}... is for Blackjack on a hybrid table without a hole card only (633c.5(z))")
    if get["shoe_kind"] == ShoeKind.DOUBLE:
        if game is None or "double" not in game.deal.shoes:
            allowed = " and ".join(one.title for one in GAMES.values() if "double" in one.deal.shoes)
            raise BadInput(f"a double shoe is for {allowed} only (633a.3(c))")
        if get["decks"] % 2:
            raise BadInput(f"a double shoe holds the same number of decks on each side, not {get['decks']} (633a.3(c))")
    both = get["shoe_kind"] == ShoeKind.DOUBLE or get["options"] >> OPTION_BITS["two_batches"] & 1
    if both and (get["batch_a"] == get["batch_b"] or not same_design(get["batch_a"], get["batch_b"])):
        raise BadInput(
            f"batches {get['batch_a']} and {get['batch_b']} are not the two back colors of one design: take 1 and 2, "
            "3 and 4, 5 and 6 or 7 and 8 (633a.3(b)(2), 633a.3(c))"
        )


def difference(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, tuple[int | None, int]]:
    """Return the settings that would change as name -> (old value or None, new value)."""
    return {name: (old.get(name), value) for name, value in new.items() if old.get(name) != value}


def not_kept(changed: Mapping[str, tuple[int | None, int]], kept: Mapping[str, int]) -> DeviceError:
    """Return the error for a shoe that acknowledged settings but then reports others."""
    wrong = [name for name, (_, value) in changed.items() if kept.get(name) != value]
    return DeviceError(f"the shoe acknowledged but did not keep {', '.join(wrong)}")
