"""A settled round as text and as JSON: the cards, each wager with its reason in words, and the totals."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich.style import Style
from rich.text import Text

from shoetool.model.cards import card_name, is_blackjack, total
from shoetool.model.money import dollars, signed
from shoetool.model.naming import many
from shoetool.report.faces import DIM, inked
from shoetool.round_file.paid import Difference
from shoetool.rules.games import GAMES
from shoetool.rules.round import Box, Hand, Line, Settlement, TableRound
from shoetool.rules.wagers.catalogue import meter_title, title_of

HEADING: Final = Style(bold=True)
WON: Final = Style(color="green")
LOST: Final = Style(color="red")
DIFFERS: Final = Style(color="bright_red", bold=True)
_ENDS: Final = {
    "doubled": "doubled",
    "surrendered": "surrendered",
    "rescued": "double rescued",
    "dead": "dead hand",
    "even_money": "even money",
    "bust": "bust",
}


def settlement_lines(
    heading: str, table_round: TableRound, settlement: Settlement, differences: Sequence[Difference], width: int
) -> Iterator[Text]:
    """Yield a settled round as lines that are no wider than `width`, if the words allow it."""
    game = GAMES[table_round.game]
    title = Text(heading, HEADING).append(f" · {game.title}, {many(table_round.decks, 'deck')}", DIM)
    yield title if table_round.decks != 1 else Text(heading, HEADING).append(f" · {game.title}, 1 deck", DIM)
    own = any(box.dealer for box in table_round.boxes)
    yield _cards_line("dealer", table_round.dealer, "" if own else _dealer_words(table_round))
    if table_round.community:
        yield _cards_line("community", table_round.community, "")
    if table_round.void is not None:
        yield Text(f"the round is void by {table_round.void}", DIFFERS)
    widths = _widths(settlement.lines)
    for box in table_round.boxes:
        yield Text()
        yield from _box_lines(box, settlement, widths, width)
    apart = [line for line in settlement.lines if line.position is None]
    for line in apart:
        yield from _line(line, False, widths, width)
    yield Text()
    yield from totals_lines(settlement.tray, settlement.house, settlement.meters)
    for difference in differences:
        yield from _difference_lines(difference, width)


def totals_lines(tray: int, house: int, meters: Mapping[str, int]) -> Iterator[Text]:
    """Yield what the table, its meters and the house won or lost, as one line."""
    parts = [f"tray {signed(tray)}"]
    parts += [f"{meter_title(key)} {signed(change)}" for key, change in meters.items()]
    if house:
        parts.append(f"house, not from the tray {signed(house)}")
    yield Text("   ".join(parts), HEADING)


def _cards_line(who: str, cards: Iterable[int], words: str) -> Text:
    line = Text(f"{who}  ", HEADING)
    for card in cards:
        line.append_text(inked(card)).append(" ")
    return line.append(f" {words}", DIM)


def _dealer_words(table_round: TableRound) -> str:
    cards = table_round.dealer
    if len(cards) < 2:
        return "no whole hand"
    words = "Blackjack" if is_blackjack(cards) else str(total(cards)[0])
    if table_round.draws_discarded:
        words += f", discarded {' '.join(map(card_name, table_round.draws_discarded))}"
    return words


def _hand_words(hand: Hand) -> str:
    words = "Blackjack" if hand.end in ("blackjack", "even_money") else str(total(hand.cards)[0])
    end = "free double" if hand.free_double and hand.end == "doubled" else _ENDS.get(hand.end, "")
    marks = [end] if end else []
    if hand.free_double and hand.end != "doubled":
        marks.append("free double")
    if hand.lammer:
        marks.append("free split")
    if hand.switched:
        marks.append("switched")
    return ", ".join([words, *marks])


def _box_lines(box: Box, settlement: Settlement, widths: tuple[int, int, int], width: int) -> Iterator[Text]:
    net = settlement.net(box.position)
    several = len(box.hands) > 1
    if several:
        yield Text(f"position {box.position}", HEADING).append(f"  {signed(net)}", _ink(net))
    for hand in box.hands:
        who = f"  hand {hand.number}" if several else f"position {box.position}"
        line = _cards_line(who, hand.cards, _hand_words(hand))
        if not several:
            line.append(f"  {signed(net)}", _ink(net))
        yield line
    if box.dealer:
        words = "Blackjack" if is_blackjack(box.dealer) else str(total(box.dealer)[0])
        yield _cards_line("  against", box.dealer, words)
    for one in settlement.lines:
        if one.position == box.position:
            yield from _line(one, several, widths, width)


def _label(line: Line, several: bool = True) -> str:
    title = title_of(line.wager)
    return f"{title}, hand {line.hand}" if several and line.hand is not None else title


def _widths(lines: Sequence[Line]) -> tuple[int, int, int]:
    """Columns of wager, stake and odds."""
    return (
        max((len(_label(line)) for line in lines), default=0),
        max((len(dollars(line.staked)) for line in lines), default=0),
        max((len(_odds(line)) for line in lines), default=0),
    )


def _odds(line: Line) -> str:
    return "" if line.odds is None else line.odds.text


def _line(line: Line, several: bool, widths: tuple[int, int, int], width: int) -> Iterator[Text]:
    names, stakes, odds = widths
    text = Text(f"  {_label(line, several):<{names}}  {dollars(line.staked):>{stakes}}  {_odds(line):<{odds}}  ")
    yield text.append(f"{signed(line.net):>10}", _ink(line.net))
    yield from _reason(line.clause, line.words, width)
    for clause, words in line.notes:
        yield from _reason(clause, words, width)


def _reason(clause: str, words: str, width: int) -> Iterator[Text]:
    room = max(30, width - 4)
    first = True
    for part in textwrap.wrap(f"{clause}  {words}", room, break_on_hyphens=False):
        if first and part.startswith(clause):
            yield Text(f"    {clause}", Style(dim=True, bold=True)).append(part[len(clause) :], DIM)
        else:
            yield Text(f"    {part}", DIM)
        first = False


def _difference_lines(difference: Difference, width: int) -> Iterator[Text]:
    line = Text("DIFFERS  ", DIFFERS).append(difference.what(), HEADING)
    short = difference.due - difference.paid
    if difference.due < 0 and difference.paid <= 0:
        words = f"{dollars(abs(short))} too {'much' if short > 0 else 'little'} collected"
    else:
        words = f"{dollars(abs(short))} too {'little' if short > 0 else 'much'}"
    yield line.append(f": paid {signed(difference.paid)}, due {signed(difference.due)}, {words}")
    if not difference.lines:
        yield Text("    no such wager was made there", DIM)
    for one in difference.lines:
        yield from _reason(one.clause, f"{_label(one)}: {signed(one.net)}, {one.words}", width)


def _ink(cents: int) -> Style:
    return WON if cents > 0 else LOST if cents < 0 else Style()


def round_document(
    table_round: TableRound, settlement: Settlement, differences: Sequence[Difference]
) -> dict[str, Any]:
    """Return a settled round with JSON types only; money in cents."""
    return {
        "game": table_round.game,
        "decks": table_round.decks,
        "void": table_round.void,
        "dealer": [card_name(card) for card in table_round.dealer],
        **({"community": [card_name(card) for card in table_round.community]} if table_round.community else {}),
        "positions": [
            {
                "position": box.position,
                "net": settlement.net(box.position),
                **({"dealer": [card_name(card) for card in box.dealer]} if box.dealer else {}),
                "hands": [
                    {"hand": hand.number, "cards": [card_name(card) for card in hand.cards], "end": hand.end}
                    for hand in box.hands
                ],
            }
            for box in table_round.boxes
        ],
        "lines": [line.to_json() for line in settlement.lines],
        "tray": settlement.tray,
        "house": settlement.house,
        "meters": dict(settlement.meters),
        "differences": [one.to_json() for one in differences],
    }
