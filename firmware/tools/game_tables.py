"""The tables of games.toml: facts of each game as bytes for the firmware, as frozen declarations for the host."""

from __future__ import annotations

from typing import Any

PLANS = {  # what the dealing machine can deal
    ("players up", "dealer up", "players up", "dealer down"),
    ("players down", "dealer up", "players down", "dealer down"),
    ("positions up", "dealer up", "positions up", "dealer down"),
    ("community up", "dealer up", "community up"),
}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FLAGS = (
    "tens", "double_face_down", "surrender", "rescue", "switch", "switch_hands", "blackjack_waits", "long_21_wins",
    "second_face_up", "burn_card", "community",
)  # fmt: skip
NUMBERS = ("hands", "burns", "positions", "player_positions", "double_cards", "splits")
FIELDS = {"deal", "shoes", "decks", "reader_ranks", *NUMBERS, *FLAGS}
MOST_DECKS = 8


def check(games: dict[str, Any], numbers: dict[str, int]) -> None:
    """Every game of enum.game has all facts and no others, and a deal that the dealing machine knows."""
    assert set(games) == set(numbers), "games.toml and enum.game name other games"
    assert sorted(numbers.values()) == list(range(len(numbers))), "enum.game: a row of the table is a game's number"
    for name, facts in games.items():
        assert set(facts) == FIELDS, f"{name}: {', '.join(sorted(set(facts) ^ FIELDS))}: missing, or no fact of a game"
        assert tuple(facts["deal"]) in PLANS, f"{name}: the dealing machine has no such deal"
        assert set(facts["reader_ranks"]) <= {"A", *RANKS[9:]}, f"{name}: no rank that makes a Blackjack"


def _decks(rule: dict[str, Any]) -> int:
    """Bit n - 1 set: n decks are allowed."""
    allowed = rule.get("exactly") or range(rule["least"], rule.get("most", MOST_DECKS) + 1)
    return sum(1 << decks - 1 for decks in allowed)


def _literal(row: bytes) -> str:
    return 'b"' + "".join(f"\\x{value:02x}" for value in row) + '"'


def device_table(games: dict[str, Any], numbers: dict[str, int]) -> str:
    """Text of shoe/game_table.py."""
    columns = ["players_down", "no_hole", "from_the_hand", "double_shoe", "decks", *NUMBERS, *FLAGS]
    rows = []
    counts = []
    for name in sorted(numbers, key=lambda name: numbers[name]):
        facts = games[name]
        deal, shoes = facts["deal"], facts["shoes"]
        first = ["players down" in deal, "dealer down" not in deal, shoes == ["hand"], "double" in shoes]
        row = bytes([*map(int, first), _decks(facts["decks"]), *(int(facts[key]) for key in (*NUMBERS, *FLAGS))])
        rows.append(f"    {_literal(row)},  # {name}")
        seen = bytes((1 if rank == "A" else 2) if rank in facts["reader_ranks"] else 0 for rank in RANKS)
        counts.append(f"    {_literal(seen)},  # {name}")
    lines = [
        '"""Facts of the games by enum.game; generated from games.toml by generate_tables.py."""',
        "",
        "from shoe.compat import const",
        "",
        "# places in a row of GAMES; decks: bit n - 1 for n decks; double_cards: 0 for two or more",
        *(f"{column.upper()} = const({place})" for place, column in enumerate(columns)),
        "",
        "GAMES = (",
        *rows,
        ")",
        "# by rank, where the card reader device is used: 1 an ace, 2 a ten-value card; together a Blackjack",
        "READER_COUNTS = (",
        *counts,
        ")",
    ]
    return "\n".join(lines) + "\n"


def host_table(games: dict[str, Any], numbers: dict[str, int]) -> str:
    """Text of host_tools/shoetool/rules/games/game_table.py."""
    lines = [
        '"""Facts of the games. Generated from firmware/games.toml, which says what each is, by `make tables`."""',
        "",
        "from __future__ import annotations",
        "",
        "from dataclasses import dataclass",
        "from typing import Final, Literal",
        "",
        'ShoeKind = Literal["single", "double", "hand"]',
        "",
        "",
        "@dataclass(frozen=True, slots=True)",
        "class GameFacts:",
        '    """What the shoe and the host both need to know of a game. `deal`: (to, face up) of each pass."""',
        "",
        '    deal: tuple[tuple[Literal["players", "dealer", "positions", "community"], bool], ...]',
        "    shoes: tuple[ShoeKind, ...]",
        "    decks_least: int",
        "    decks_most: int | None",
        "    decks_exactly: tuple[int, ...]",
        "    reader_ranks: frozenset[int]",
        *(f"    {key}: int" for key in NUMBERS),
        *(f"    {key}: bool" for key in FLAGS),
        "",
        "",
        "FACTS: Final = {",
    ]
    for name in sorted(numbers, key=lambda name: numbers[name]):
        facts = games[name]
        deal = tuple((to, way == "up") for to, way in map(str.split, facts["deal"]))
        decks = facts["decks"]
        ranks = sorted(RANKS.index(rank) for rank in facts["reader_ranks"])
        lines += [
            f'    "{name}": GameFacts(',
            f"        deal={deal!r},",
            f"        shoes={tuple(facts['shoes'])!r},",
            f"        decks_least={decks.get('least', 1)},",
            f"        decks_most={decks.get('most')},",
            f"        decks_exactly={tuple(decks.get('exactly', ()))!r},",
            f"        reader_ranks=frozenset({ranks!r}),",
            *(f"        {key}={facts[key]!r}," for key in (*NUMBERS, *FLAGS)),
            "    ),",
        ]
    return "\n".join([*lines, "}"]) + "\n"
