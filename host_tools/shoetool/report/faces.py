"""How a card looks in text: its short name, its colour, and a small box. A face-down card is shown as a back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text

from shoetool.model.cards import RANKS, SUITS, UNKNOWN, card_name, is_playing_card, is_red
from shoetool.model.cards import total as count

RED: Final = Style(color="bright_red", bold=True)
BLACK: Final = Style(bold=True)
DIM: Final = Style(dim=True)
BACK: Final = "░░░"
# Backs of the batches loaded on the two sides: red and blue, as most houses order them.
SIDE_BACKS: Final = (Style(color="red"), Style(color="blue"))


def name(card: int | None) -> str:
    """Return a card's short name, such as `10♥`; `??` for a card that nobody read; None is a back, `░░`."""
    if card is None:
        return "░░"
    return "??" if card == UNKNOWN else card_name(card)


def style(card: int | None, back: Style = DIM) -> Style:
    """Return the colour of a card: hearts and diamonds red, clubs and spades in the terminal's own colour."""
    if card is None:
        return back
    return RED if is_red(card) else BLACK


def inked(card: int | None) -> Text:
    """Return a card's name in its colour."""
    return Text(name(card), style(card))


def middle(card: int | None) -> str:
    """Return the three columns inside a card's box."""
    if card is None:
        return BACK
    if is_playing_card(card):
        return f"{RANKS[card % 13]:>2}{SUITS[card // 13]}"
    return f"{name(card):>3.3}"


def boxes(cards: Sequence[int | None], back: Style = DIM, limit: int = 12) -> list[Text]:
    """Draw overlapping cards side by side, the last one on top: three rows of 4 columns a card, plus one.

    At most `limit` cards are drawn. A count after the last one stands for the others.
    """
    rows = [Text(), Text(), Text()]
    shown = list(cards[:limit])
    for index, card in enumerate(shown):
        ink = style(card, back)
        edge = back if card is None else DIM
        left = "╭" if index == 0 else "┬"
        foot = "╰" if index == 0 else "┴"
        rows[0].append(f"{left}───", edge)
        rows[1].append("│", edge).append(middle(card), ink)
        rows[2].append(f"{foot}───", edge)
    if shown:
        rows[0].append("╮", DIM)
        rows[1].append("│", DIM)
        rows[2].append("╯", DIM)
        if len(cards) > limit:
            rows[1].append(f" +{len(cards) - limit}", DIM)
    return rows


def column(cards: Sequence[int | None], back: Style = DIM, rows: int = 13) -> list[Text]:
    """Draw cards one below the other, five columns wide.

    When full boxes do not fit into `rows` lines, the edges between the cards are left out. When even that does not fit,
    a count replaces the first cards, because people look for the last card.
    """
    if not cards:
        return []
    shown = list(cards)
    lines = [Text("╭───╮", DIM)]
    tight = 2 * len(shown) + 1 > rows
    if len(shown) + 2 > rows:
        hidden = len(shown) - (rows - 3)
        shown = shown[hidden:]
        lines.append(Text("│").append(f"+{hidden}".center(3)).append("│"))
        lines[-1].stylize(DIM)
    for index, card in enumerate(shown):
        if index and not tight:
            lines.append(Text("├───┤", DIM))
        lines.append(Text("│", DIM).append(middle(card), style(card, back)).append("│", DIM))
    lines.append(Text("╰───╯", DIM))
    return lines


def total(cards: Sequence[int | None]) -> tuple[int, bool] | None:
    """Return (count, soft) of the cards that lie face up, 633a.3(e). None when there are none, or one is unknown."""
    faces = [card for card in cards if card is not None]
    if not faces or not all(is_playing_card(card) for card in faces):
        return None
    return count(faces)
