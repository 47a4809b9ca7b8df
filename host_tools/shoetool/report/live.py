"""The table drawn for a terminal: dealer, positions, sides, lamps and what went wrong, in a fixed number of lines.

Only what was dealt is drawn, and of the shoe only how many cards are out (no counts of what remains).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.style import Style
from rich.text import Text

from shoetool.model.protocol_table import HandEnd, Lamp, Peek, RoundEnd, ShoeKind
from shoetool.report import faces
from shoetool.report.sentences import fault_sentence, game_name
from shoetool.report.table import HandView, SideView, TableView

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
FIXED_LINES: Final = 17  # all but the hands' cards, with one side bar
MOST_HAND_ROWS: Final = 11
LEAST_HAND_ROWS: Final = 4


class TableDrawing:
    """A renderable of a `TableView`, drawn anew from the view each time the console asks."""

    def __init__(self, view: TableView, title: str = "", height: int | None = None) -> None:
        """Draw `view` under an optional title; `height` lines at most (the terminal's own when None)."""
        self.view = view
        self.title = title
        self.height = height
        self.notice = ""
        """What is to be said of the drawing itself; it stands before faults and irregularities."""
        self.clock = ""
        """The time of day of the last event; empty when times are not asked for."""
        self.stale = False
        """What is drawn may not be so any more: all but the notice is dimmed."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the drawing for the console's width and height."""
        height = self.height or min(options.height or console.height, console.height)
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

    With a `height` the count of lines depends on it and the sides alone, so that a live drawing stands still; without
    one it is what the hands need. `stale` dims all but the notice. `clock` is when the last event was.
    """
    if height is None:
        hand_rows = max([LEAST_HAND_ROWS, *(2 * len(hand.cards) + 1 for hand in view.hands.values())])
    else:
        spare = height - FIXED_LINES - max(1, len(view.sides)) + 1 - (1 if title else 0)
        hand_rows = max(LEAST_HAND_ROWS, min(MOST_HAND_ROWS, spare))
    lines = [Text(title, Style(bold=True))] if title else []
    lines += [_heading(view, width), *_bars(view, width), Text()]
    lines += _dealer(view, width)
    lines += [Text(), *_players(view, width, hand_rows), Text()]
    lamps = _lamps(view)
    lines.append(_spread(lamps, Text(f"last event {clock}", faces.DIM), width) if clock else lamps)
    said = _wrapped(notice, width, NOTICE) if notice else []
    notes = [*said, *_notes(view, width)][:NOTE_LINES]
    if stale:
        lines = [Text(line.plain, faces.DIM) for line in lines]
        notes[len(said) :] = [Text(line.plain, faces.DIM) for line in notes[len(said) :]]
    lines += notes
    for line in lines:
        line.no_wrap = True
        line.truncate(width, overflow="ellipsis")
    return lines


def _heading(view: TableView, width: int) -> Text:
    kind = "double shoe" if view.shoe_kind == ShoeKind.DOUBLE else "shoe"
    left = Text(f"{game_name(view.game)} · {view.decks}-deck {kind} · table {view.table}" if view.decks else "no shoe")
    left.stylize(Style(bold=True))
    right = Text(f"round {view.round}" if view.rounds or view.round_open else "before the first round")
    if view.chosen is not None:
        dealt = "dealt from " if view.round_open else ""
        right.append(f" · {dealt}side {SIDE_LETTERS[view.chosen & 1]}", faces.SIDE_BACKS[view.chosen & 1])
    if not view.round_open and view.outcome is not None and not view.shoe_closed:
        right.append(" · void" if view.outcome == RoundEnd.VOID else " · round closed")
    if view.shoe_closed:
        right.append(" · shoe closed")
    return _spread(left, right, width)


def _bars(view: TableView, width: int) -> list[Text]:
    """One bar a side: cards drawn of the cards loaded, and nothing about which."""
    lines = []
    for side, state in sorted(view.sides.items() or {0: SideView()}.items()):
        label = f"side {SIDE_LETTERS[side & 1]} " if view.shoe_kind == ShoeKind.DOUBLE else "shoe   "
        if not state.loaded:
            lines.append(Text(f"{label}not loaded", faces.DIM))
            continue
        state_word = " · cover card out" if state.cover_out else ""
        if state.finished:
            state_word = " · counting" if state.counting else " · finished"
        drawn = min(state.drawn, state.loaded)
        tail = f" {drawn:>3} of {state.loaded} drawn"
        if state.drawn > drawn:
            tail += f" + {state.drawn - drawn} too many"
        if state.foreign:
            tail += f" + {state.foreign} foreign"
        tail += state_word
        room = max(4, width - len(label) - max(34, len(tail)))
        done = min(room, room * drawn // state.loaded)
        line = Text(label, faces.SIDE_BACKS[side & 1] if view.shoe_kind == ShoeKind.DOUBLE else Style())
        line.append("█" * done, faces.SIDE_BACKS[side & 1]).append("░" * (room - done), faces.DIM).append(tail)
        lines.append(line)
    return lines


def _dealer(view: TableView, width: int) -> list[Text]:
    """The dealer's hand on the left; what lies beside the game on the right."""
    shown = faces.total(view.dealer.faces)
    label = Text("DEALER", Style(bold=True))
    if shown:
        label.append(f"  {count(shown)}")
        if any(face is None for face in view.dealer.faces):
            label.append(" shown", faces.DIM)
    block: list[tuple[Text, list[Text]]] = [(label, faces.boxes(view.dealer.faces, _back(view), limit=9))]
    if view.burn_shown and not view.round_open:
        block.append((Text("BURN"), faces.boxes([None], _back(view))))
    if view.determinant is not None:
        aside = view.determinant.box not in range(1, 8)
        rows = faces.boxes([view.determinant.card])
        where = ["segregated", ""] if aside else ["first card of", f"position {view.determinant.box}"]
        for row, said in zip(rows, [f"side {SIDE_LETTERS[view.determinant.head & 1]}", *where], strict=True):
            row.append(f" {said}", faces.DIM)
        block.append((Text("DETERMINANT"), rows))
    if view.held:
        block.append((Text("HELD"), faces.boxes([card.card for card in view.held], _back(view), limit=3)))
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
    """One column a betting position, its hands side by side; above each its count, and its turn or how it ended."""
    boxes = view.boxes
    lines = [Text() for _ in range(rows + 3)]
    if not boxes:
        lines[1] = Text("no wagers yet", faces.DIM)
        return lines
    hands = {box: view.hands_of(box) or [HandView()] for box in boxes}
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
            ended = ENDINGS.get(hand.ended, "?") if hand.ended is not None else "dbl" if hand.doubled else ""
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
    double = view.shoe_kind == ShoeKind.DOUBLE
    for lamp, word, ink in LAMPS:
        if lamp in (Lamp.DEAL_A, Lamp.DEAL_B) and not double:
            continue
        on = lamp in lit
        line.append("● " if on else "○ ", ink if on else faces.DIM).append(word, ink if on else faces.DIM).append("   ")
    if view.peek is not None:
        line.append(f"reader: {PEEKS.get(view.peek, '?')}", NOTICE if view.peek == Peek.BLACKJACK else Style())
    return line


def _notes(view: TableView, width: int) -> list[Text]:
    """A fixed number of lines: each latched fault with what to do, in full, then the latest irregularities."""
    lines = []
    for code, head in view.faults.items():
        lines += _wrapped(f"!! {fault_sentence(code, head)}", width, Style(color="bright_red", bold=True))
    for note in reversed(view.notes):
        lines += _wrapped(f"!  {note}", width, Style(color="yellow"))
    return [*lines, *(Text() for _ in range(NOTE_LINES))][:NOTE_LINES]


def _wrapped(text: str, width: int, ink: Style) -> list[Text]:
    return [Text(part, ink) for part in textwrap.wrap(text, width, subsequent_indent="   ")]


def count(shown: tuple[int, bool]) -> str:
    """Return a hand's count as it is spoken at a table: `17`, and `7/17` while an ace may still count 1 or 11."""
    value, soft = shown
    return f"{value - 10}/{value}" if soft and value != 21 else str(value)


def _ending_style(ended: int | None) -> Style:
    if ended in (HandEnd.BLACKJACK, HandEnd.TWENTY_ONE):
        return Style(color="green", bold=True)
    if ended in (HandEnd.BUST, HandEnd.DEAD, HandEnd.DEALER_BLACKJACK):
        return Style(color="red")
    return faces.DIM


def _back(view: TableView) -> Style:
    return faces.SIDE_BACKS[(view.chosen or 0) & 1]


def _write(line: Text, column: int, part: Text) -> None:
    """Append a part at a column of a line that is still shorter than that."""
    line.append(" " * max(0, column - line.cell_len)).append_text(part)


def _spread(left: Text, right: Text, width: int) -> Text:
    gap = max(2, width - left.cell_len - right.cell_len)
    return Text.assemble(left, " " * gap, right)
