"""The paytables of 633a.13, 590.12, 635a.12 and ch. 633c: package data in `paytables/*.toml`, read once and checked.

A row keeps the regulation's own outcome words and odds. `key` names the outcome for the code: the optional wagers in
`wagers/` and the settlement of the main wager have one rule for each key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.model.money import cents
from shoetool.rules.games import GAMES
from shoetool.rules.odds import Odds
from shoetool.rules.printed_meter import PrintedMeter

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the regulation's words for the outcome, its odds, and the clause that prints it.

    option: the key by which the certificate holder offers the row, "" for one that he may not leave out. bonus: whether
    it is paid beside the payout of another row (Crown Treasure, Magic Card, Lucky Player, the fixed sums of 635a.12(c))
    and not in place of one. envy: cents that other players get when a hand has this outcome, each with the wager in
    cents that it is printed for, 0 for any.
    """

    outcome: str
    key: str
    odds: Odds
    option: str
    bonus: bool
    clause: str
    envy: tuple[tuple[int, int], ...] = ()

    @property
    def optional(self) -> bool:
        """Whether the certificate holder may leave the row out."""
        return bool(self.option)

    def envy_for(self, wager: int) -> int:
        """Cents of envy bonus beside a wager of so many cents; 0 where none is printed."""
        return next((amount for stake, amount in self.envy if stake in (0, wager)), 0)

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "outcome": self.outcome,
            "key": self.key,
            "odds": self.odds.text,
            "optional": self.optional,
            "bonus": self.bonus,
            "clause": self.clause,
            "envy": [{"wager": wager or None, "amount": amount} for wager, amount in self.envy],
        }


@dataclass(frozen=True, slots=True)
class Note:
    """A limit on a paytable's figures, or an exception from them, in one sentence with its clause."""

    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class Paytable:
    """One paytable: rows in the order of the text, best outcome first where outcomes overlap.

    name: the regulation's letter or number ("A", "P17-B" for its option B), or "" when the conditions alone choose the
    table. games: those in which the chapter offers the wager. decks: fewest and most decks it is printed for; most is
    None without a limit. paid_as: the key by which a round names such a payment. notes: the exceptions from these
    figures. stake: cents of the one wager that the table is printed for, None where it says nothing. meters: the
    progressive meters with their figures. most_envy: whether the envy bonus is printed as the most that a player gets.
    only: the numbers of decks of the range that the wager may be played with, () for all of it.
    """

    wager: str
    title: str
    name: str
    clause: str
    games: tuple[str, ...]
    decks: tuple[int, int | None]
    rows: tuple[Row, ...]
    paid_as: str
    notes: tuple[Note, ...] = ()
    stake: int | None = None
    meters: tuple[PrintedMeter, ...] = ()
    most_envy: bool = False
    only: tuple[int, ...] = ()

    def row(self, key: str) -> Row:
        """Return the row with this outcome key. KeyError when the table has none."""
        for row in self.rows:
            if row.key == key:
                return row
        raise KeyError(key)

    def has(self, key: str) -> bool:
        """Whether a row has this outcome key."""
        return any(row.key == key for row in self.rows)

    def covers(self, decks: int) -> bool:
        """Whether the text prints this table for a game with this number of decks."""
        fewest, most = self.decks
        return decks in self.only if self.only else fewest <= decks and (most is None or decks <= most)

    def conditions(self) -> str:
        """The deck condition in words: "six decks", "two or more decks", "any number of decks"."""
        return deck_words(self.decks, self.only)

    def to_json(self) -> dict[str, Any]:
        """JSON types only."""
        return {
            "wager": self.wager,
            "title": self.title,
            "paytable": self.name,
            "clause": self.clause,
            "games": list(self.games),
            "decks": {"min": self.decks[0], "max": self.decks[1], **({"only": list(self.only)} if self.only else {})},
            "rows": [row.to_json() for row in self.rows],
            "paid_as": self.paid_as,
            "notes": [{"clause": note.clause, "text": note.text} for note in self.notes],
            "stake": self.stake,
            "meters": [meter.to_json() for meter in self.meters],
            "most_envy": self.most_envy,
        }


_COUNT: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def deck_words(decks: tuple[int, int | None], only: tuple[int, ...] = ()) -> str:
    """A range of deck counts in words, or those of it that are allowed."""
    fewest, most = decks
    if len(only) > 1:
        words = [_COUNT[count] for count in only]
        return f"{', '.join(words[:-1])} or {words[-1]} decks"
    count = _COUNT[fewest] if fewest < len(_COUNT) else str(fewest)
    if most is None:
        return "any number of decks" if fewest == 1 else f"{count} or more decks"
    if fewest == most:
        return f"{count} deck" if fewest == 1 else f"{count} decks"
    return f"{fewest} to {most} decks"


def paytables(wager: str | None = None) -> tuple[Paytable, ...]:
    """Return every paytable, or those of one wager. BadInput for a wager without a paytable."""
    tables = _all_tables()
    if wager is None:
        return tuple(table for group in tables.values() for table in group)
    if wager not in tables:
        raise BadInput(f"no paytable for a wager {wager!r}: name one of {', '.join(sorted(tables))}")
    return tables[wager]


def paytable(wager: str, name: str, decks: int, game: str | None = None) -> Paytable:
    """Return the paytable of that letter for a game with this number of decks. Letter "" when there is not a choice.

    BadInput, with the clause, when the text prints none for these decks (readings 6 and 11), when the letter is unknown
    or missing, or when the chapter does not offer the wager in that game.
    """
    tables = paytables(wager)
    title = tables[0].title
    clauses = _join(dict.fromkeys(table.clause for table in tables))
    if game is not None and not (tables := tuple(table for table in tables if game in table.games)):
        raise BadInput(f"{clauses}: {title} is not offered in the game {game!r}")
    lettered = [table for table in tables if table.name == name]
    if name and not lettered:
        letters = _join(dict.fromkeys(table.name for table in tables if table.name)) or "none (leave the name out)"
        raise BadInput(f"{clauses}: {title} has no paytable {name!r}; its paytables: {letters}")
    fitting = [table for table in tables if table.covers(decks)]
    if not fitting:
        printed = _join(dict.fromkeys(table.conditions() for table in tables))
        raise BadInput(f"{clauses}: {title} has no paytable for {deck_words((decks, decks))}, only for {printed}")
    chosen = [table for table in fitting if table.name == name]
    if name and not chosen:
        letters = _join(table.name for table in fitting)
        where = f"{lettered[0].clause}: paytable {name} of {title} is for {lettered[0].conditions()}"
        raise BadInput(f"{where}; with {deck_words((decks, decks))} choose {letters}")
    if len(chosen or fitting) > 1:
        printed = _join(dict.fromkeys(table.clause for table in fitting))
        letters = _join(dict.fromkeys(table.name for table in fitting if table.name))
        what = f"a paytable of {title}: {letters}" if letters else f"the game for a paytable of {title}"
        raise BadInput(f"{printed}: name {what}")
    return (chosen or fitting)[0]


def _join(texts: Iterable[str]) -> str:
    return ", ".join(texts)


@cache
def _all_tables() -> dict[str, tuple[Paytable, ...]]:
    tables: dict[str, tuple[Paytable, ...]] = {}
    folder = files(__package__).joinpath("paytables")
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
    for entry in sorted(found, key=lambda item: item.name):
        document = tomllib.loads(entry.read_text(encoding="utf-8"))  # reads: a file of the package
        for table in parse_paytables(document, entry.name):
            tables[table.wager] = (*tables.get(table.wager, ()), table)
    return tables


def parse_paytables(document: Mapping[str, Any], where: str) -> list[Paytable]:
    """Return the paytables of one TOML document. BadInput names the place of whatever is no paytable."""
    found = []
    for number, entry in enumerate(document.get("paytable", []), 1):
        place = f"{where}, paytable {number}"
        try:
            found.append(_parse_table(document, entry))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"{place}: {error!r} in a paytable; compare it with the others") from error
        except BadInput as error:
            raise BadInput(f"{place}: {error}") from error
    if not found:
        raise BadInput(f"{where}: holds no [[paytable]]")
    return found


def _parse_table(document: Mapping[str, Any], entry: Mapping[str, Any]) -> Paytable:
    clause = entry["clause"]
    games = tuple(entry.get("games", document.get("games")))
    if not games or set(games) - set(GAMES):
        raise BadInput(f"games {games} are not of {tuple(GAMES)}")
    only = tuple(entry.get("decks", document.get("decks", ())))
    decks = (min(only), max(only)) if only else (int(entry.get("min_decks", 1)), entry.get("max_decks"))
    rows = tuple(
        Row(
            row["outcome"],
            row["key"],
            Odds.parse(row["odds"]),
            row.get("option", row["key"] if row.get("optional", False) else ""),
            row.get("bonus", False),
            row.get("clause", clause),
            _envy(row.get("envy", {})),
        )
        for row in _shared(document, "rows", entry["rows"])
    )
    keys = [row.key for row in rows]
    if not rows or len(set(keys)) != len(keys) or not all(_KEY.fullmatch(key) for key in keys):
        raise BadInput(f"row keys {keys} are missing, doubled or no plain words")
    wager = entry.get("wager", document.get("wager"))
    notes = tuple(Note(note["clause"], note["text"]) for note in entry.get("notes", ()))
    title, name = entry.get("title", document["title"]), entry.get("name", "")
    paid_as = entry.get("paid_as", document.get("paid_as", wager))
    stake = cents(entry["stake"]) if "stake" in entry else None
    meters = tuple(map(PrintedMeter.parse, _shared(document, "meters", entry.get("meters", ()))))
    _check_meters(rows, meters)
    most_envy = entry.get("most_envy", False)
    of_meters = (stake, meters, most_envy)
    return Paytable(wager, title, name, clause, games, decks, rows, paid_as, notes, *of_meters, only)


def _shared(document: Mapping[str, Any], what: str, value: Any) -> Any:
    """Rows or meters of a paytable, or those that several have in common and name."""
    return document[what][value] if isinstance(value, str) else value


def _envy(values: str | Mapping[str, str]) -> tuple[tuple[int, int], ...]:
    """An envy bonus: one amount, or one for each wager that the house may offer."""
    if isinstance(values, str):
        return ((0, cents(values)),)
    return tuple((cents(wager), cents(amount)) for wager, amount in values.items())


def _check_meters(rows: tuple[Row, ...], meters: tuple[PrintedMeter, ...]) -> None:
    """Raise BadInput when a row pays from a meter that the table does not print, or a printed one pays no row."""
    won = {row.odds.meter for row in rows if row.odds.progressive}
    named = [meter.name for meter in meters]
    if (sorted(won) != sorted(named)) if named else (won - {""}):
        raise BadInput(f"rows pay from meters {sorted(won)}, and the table prints {sorted(named)}")
