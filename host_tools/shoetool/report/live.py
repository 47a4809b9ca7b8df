"""The table drawn for a terminal: dealer, positions, sides, lamps and what went wrong, in a fixed number of lines.

Only dealt cards are drawn. For the shoe it shows how many cards were drawn, and never which ones remain.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.style import Style
from rich.text import Text

from shoetool.model.protocol_table import HandEnd, Lamp, Peek
from shoetool.report import faces
from shoetool.report.sentences import fault_sentence, game_name
from shoetool.report.table_view import TableView, cover_out
from shoetool.table.card import DrawnCard

ENDINGS: Final[dict[int, str]] = {
    HandEnd.STAND: "stand",
    HandEnd.TWENTY_ONE: "21",
    HandEnd.BUST: "bust",
    HandEnd.BLACKJACK: "BJ",
    HandEnd.DOUBLED: "dbl",
    HandEnd.SURRENDERED: "surr",
    HandEnd.DEAD: "dead",
    HandEnd.DEALER_BLACKJACK: "lost",
}
LAMPS: Final = (
    (Lamp.READY, "ready", Style(color="green")),
    (Lamp.DEAL_A, "deal A", Style(color="cyan")),
    (Lamp.DEAL_B, "deal B", Style(color="cyan")),
    (Lamp.COVER, "last round", Style(color="yellow")),
    (Lamp.CLEAN, "clean soon", Style(color="yellow")),
    (Lamp.STOP, "STOP", Style(color="bright_red", bold=True)),
)
PEEKS: Final[dict[int, str]] = {
    Peek.NO_BLACKJACK: "no Blackjack",
    Peek.BLACKJACK: "Blackjack",
    Peek.READ_AGAIN: "read again",
    Peek.REFUSED: "refused",
}
SIDE_LETTERS: Final = "AB"
CARD_WIDTH: Final = 5
NOTE_LINES: Final = 4
NOTICE: Final = Style(color="bright_yellow", bold=True)
FIXED_LINES: Final = 17  # everything except the hands' cards, with one side bar
MOST_HAND_ROWS: Final = 11
LEAST_HAND_ROWS: Final = 4


class TableDrawing:
    """A renderable of a `TableView`. It is drawn from the view each time the console asks."""

    def __init__(self, view: TableView, title: str = "") -> None:
        """Draw `view` under an optional title, no higher than the terminal."""
        self.view = view
        self.title = title
        self.notice = ""
        """A note about the drawing itself. It comes before faults and irregularities."""
        self.clock = ""
        """The time of day of the last event; empty when times are not wanted."""
        self.stale = False
        """Whether the drawing may be out of date. Then everything except the notice is dimmed."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the drawing for the console's width and height."""
        height = min(options.height or console.height, console.height)
        yield Group(
            *draw(
                self.view,
                min(options.max_width, 140),
                height - 1,
                self.title,
                self.notice,
                stale=self.stale,
                clock=self.clock,
            )
        )


def draw(
    view: TableView,
    width: int,
    height: int | None,
    title: str = "",
    notice: str = "",
    *,
    stale: bool = False,
    clock: str = "",
) -> list[Text]:
    """Return the lines of the table, none wider than `width`.

    With a `height` the number of lines depends only on it and on the sides, so that a live drawing stands still.
    Without one the hands and the notes decide it. `stale` dims everything except the notice. `clock`: the time of the
    last event.
    """
    if height is None:
        hands = [hand for box in view.boxes for hand in view.hands_of(box)]
        hand_rows = max([LEAST_HAND_ROWS, *(2 * len(hand.cards) + 1 for hand in hands)])
    else:
        spare = height - FIXED_LINES - max(1, len(view.sides)) + 1 - (1 if title else 0)
        hand_rows = max(LEAST_HAND_ROWS, min(MOST_HAND_ROWS, spare))
    lines = [Text(title, Style(bold=True))] if title else []
    lines += [_heading(view, width), *_bars(view, width), Text()]
    lines += _dealer(view, width)
    lines += [Text(), *_players(view, width, hand_rows), Text()]
    lamps = _lamps(view)
    if clock:
        room = width - lamps.cell_len - 2
        told = f"last event {clock}"
        lamps = _spread(lamps, Text(told if len(told) <= room else clock, faces.DIM), width)
    lines.append(lamps)
    said = _wrapped(notice, width, NOTICE) if notice else []
    notes = [*said, *_notes(view, width)][:NOTE_LINES]
    if height is not None:
        notes += [Text() for _ in range(NOTE_LINES - len(notes))]
    if stale:
        lines = [Text(line.plain, faces.DIM) for line in lines]
        notes[len(said) :] = [Text(line.plain, faces.DIM) for line in notes[len(said) :]]
    lines += notes
    for line in lines:
        line.no_wrap = True
        line.truncate(width, overflow="ellipsis")
    return lines


def _heading(view: TableView, width: int) -> Text:
    table, round_ = view.table, view.round
    kind = "double shoe" if table.double else "shoe"
    left = Text(f"{game_name(table.game)} · {table.decks}-deck {kind} · table {table.number}")
    if not table.decks:
        left = Text("no shoe")
    left.stylize(Style(bold=True))
    right = Text("before the first round" if round_ is None else f"round {round_.number}")
    if round_ is not None and round_.side >= 0:
        dealt = "dealt from " if view.round_open else ""
        right.append(f" · {dealt}side {SIDE_LETTERS[round_.side & 1]}", faces.SIDE_BACKS[round_.side & 1])
    if not view.round_open and round_ is not None and round_.outcome >= 0 and not view.shoe_closed:
        right.append(" · void" if round_.void else " · round closed")
    if view.shoe_closed:
        right.append(" · shoe closed")
    return _spread(left, right, width)


def _bars(view: TableView, width: int) -> list[Text]:
    """Return one bar a side: how many of the loaded cards were drawn, but not which."""
    lines = []
    for index, side in view.sides.items():
        label = f"side {SIDE_LETTERS[index]} " if view.table.double else "shoe   "
        if not side.loaded:
            lines.append(Text(f"{label}not loaded", faces.DIM))
            continue
        word = " · cover card out" if cover_out(side) else ""
        if side.finished >= 0:
            word = " · counting" if side.counting else " · finished"
        drawn = min(side.drawn, side.loaded)
        tail = f" {drawn:>3} of {side.loaded} drawn"
        if side.drawn > drawn:
            tail += f" + {side.drawn - drawn} too many"
        if side.apart:
            tail += f" + {side.apart} foreign"
        tail += word
        room = max(4, width - len(label) - max(34, len(tail)))
        done = min(room, room * drawn // side.loaded)
        line = Text(label, faces.SIDE_BACKS[index] if view.table.double else Style())
        line.append("█" * done, faces.SIDE_BACKS[index]).append("░" * (room - done), faces.DIM).append(tail)
        lines.append(line)
    return lines


def _dealer(view: TableView, width: int) -> list[Text]:
    """Return the dealer's hand on the left, and the cards beside the game on the right."""
    dealt = [card.face for card in view.dealer]
    shown = faces.total(dealt)
    label = Text("DEALER", Style(bold=True))
    if shown:
        label.append(f"  {count(shown)}")
        if None in dealt:
            label.append(" shown", faces.DIM)
    block: list[tuple[Text, list[Text]]] = [(label, faces.boxes(dealt, _back(view), limit=9))]
    if view.burn_shown and not view.round_open:
        block.append((Text("BURN"), faces.boxes([None], _back(view))))
    first = None if view.round is None else view.round.determinant
    if first is not None:
        rows = faces.boxes([first.face])
        where = ["segregated", ""] if is_aside(first) else ["first card of", f"position {first.box}"]
        for row, said in zip(rows, [f"side {SIDE_LETTERS[first.head & 1]}", *where], strict=True):
            row.append(f" {said}", faces.DIM)
        block.append((Text("DETERMINANT"), rows))
    if view.held:
        block.append((Text("HELD"), faces.boxes([card.face for card in view.held], _back(view), limit=3)))
    if view.set_aside:
        block.append((Text("ASIDE"), faces.boxes([card.face for card in view.set_aside], _back(view), limit=3)))
    rows = [Text() for _ in range(4)]
    used = 0
    for index, (heading, cards) in enumerate(block):
        cell = max(heading.cell_len, *(row.cell_len for row in cards), 22 if index == 0 else 8) + 2
        if used + cell > width + 2:
            break
        for row, part in zip(rows, [heading, *(cards or [Text()] * 3)], strict=True):
            row.append_text(part.copy())
            row.append(" " * (used + cell - row.cell_len))
        used += cell
    counts = f"burned {view.burned}" if view.burned else ""
    if view.segregated:
        counts += f"{' · ' if counts else ''}segregated {len(view.segregated)}"
    rows[3] = _spread(rows[3], Text(counts, faces.DIM), width) if rows[3].cell_len + len(counts) < width else rows[3]
    return rows


def _players(view: TableView, width: int, rows: int) -> list[Text]:
    """Return one column a betting position, its hands side by side. Above each: its count, and its turn or its end."""
    boxes = view.boxes
    lines = [Text() for _ in range(rows + 3)]
    if not boxes:
        lines[1] = Text("no wagers yet", faces.DIM)
        return lines
    hands = {box: view.hands_of(box) for box in boxes}
    in_turn = view.hand_in_turn
    widths = _widths([len(hands[box]) for box in boxes], width)
    start = 0
    for box, room in zip(boxes, widths, strict=True):
        cell = max(CARD_WIDTH, room // len(hands[box]))
        _write(lines[0], start, Text(f"[{box}]", Style(bold=True)))
        for index, hand in enumerate(hands[box]):
            at = start + index * min(cell, CARD_WIDTH + 1)
            shown = faces.total(hand.faces)
            _write(lines[1], at, Text(count(shown) if shown else ""))
            ended = ENDINGS.get(hand.ended, "?") if hand.ended >= 0 else "dbl" if hand.doubled else ""
            turn = Text("turn", Style(bold=True)) if hand is in_turn else Text(ended, _ending_style(hand.ended))
            _write(lines[2], at, turn)
            for row, part in enumerate(faces.column(hand.faces, _back(view), rows)):
                _write(lines[3 + row], at, part)
        start += room
    return lines


def _widths(hands: Sequence[int], width: int) -> list[int]:
    """Share the width among betting positions: equal shares, unless a split position needs more."""
    needs = [(CARD_WIDTH + 1) * count for count in hands]
    share = min(16, width // len(hands))
    if all(need <= share for need in needs):
        return [share] * len(hands)
    spare = max(0, width - sum(needs)) // len(hands)
    return [need + min(spare, 4) for need in needs]


def _lamps(view: TableView) -> Text:
    line = Text()
    lit = view.lamps
    for lamp, word, ink in LAMPS:
        if lamp in (Lamp.DEAL_A, Lamp.DEAL_B) and not view.table.double:
            continue
        on = lamp in lit
        line.append("● " if on else "○ ", ink if on else faces.DIM).append(word, ink if on else faces.DIM).append("   ")
    if view.peek >= 0:
        line.append(f"reader: {PEEKS.get(view.peek, '?')}", NOTICE if view.peek == Peek.BLACKJACK else Style())
    return line


def _notes(view: TableView, width: int) -> list[Text]:
    """Return the lines of each latched fault in full with what to do, then those of the latest irregularities."""
    lines = []
    for code, fault in view.table.faults.items():
        lines += _wrapped(f"!! {fault_sentence(code, fault.values[1])}", width, Style(color="bright_red", bold=True))
    for note in reversed(view.notes):
        lines += _wrapped(f"!  {note}", width, Style(color="yellow"))
    return lines


def _wrapped(text: str, width: int, ink: Style) -> list[Text]:
    return [Text(part, ink) for part in textwrap.wrap(text, width, subsequent_indent="   ")]


def is_aside(determinant: DrawnCard) -> bool:
    """Whether a determinant card went to the segregated place, 633a.7(d)(2) mismatch."""
    return not 0 < determinant.box < 8


def count(shown: tuple[int, bool]) -> str:
    """Return a hand's count as people say it at a table: `17`, or `7/17` while an ace may count 1 or 11."""
    value, soft = shown
    return f"{value - 10}/{value}" if soft and value != 21 else str(value)


def _ending_style(ended: int) -> Style:
    if ended in (HandEnd.BLACKJACK, HandEnd.TWENTY_ONE):
        return Style(color="green", bold=True)
    if ended in (HandEnd.BUST, HandEnd.DEAD, HandEnd.DEALER_BLACKJACK):
        return Style(color="red")
    return faces.DIM


def _back(view: TableView) -> Style:
    return faces.SIDE_BACKS[1 if view.round is not None and view.round.side == 1 else 0]


def _write(line: Text, column: int, part: Text) -> None:
    """Append a part at a column of a line that is still shorter than that."""
    line.append(" " * max(0, column - line.cell_len)).append_text(part)


def _spread(left: Text, right: Text, width: int) -> Text:
    gap = max(2, width - left.cell_len - right.cell_len)
    return Text.assemble(left, " " * gap, right)
