"""A pass as a figure: the four lines of its head over time, and bits, speed and margins over the place on the card."""

from __future__ import annotations

import io
import logging
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from shoetool.model import card_code
from shoetool.model.cards import COVER_CARD, TEST_CARDS, card_name
from shoetool.model.naming import many
from shoetool.model.protocol_table import Pass
from shoetool.report.pass_track import PRESENT, At, Cell, Track, track
from shoetool.report.sentences import side_name, words
from shoetool.report.waveform import LINES, duration_us
from shoetool.wire.answers import TracePass

WIDTH_IN, HEIGHT_IN, LOW_IN = 11.0, 8.0, 3.2
"""Size of a figure, and its height where no mark went by: it has the lines alone."""
DOTS_PER_INCH: Final = 150
LINES_PT: Final = 720
"""Width of the lines over time."""
BIT_PT: Final = 8
"""So far apart must two bits be that both are written."""
SUMMARY_WIDTH: Final = 130
MOST_CELLS: Final = 64
"""More than a shoe keeps of a pass; the bits of more are not drawn."""
MOST_MM: Final = 1.0
"""A margin beyond this is drawn as an arrow."""
TOO_FAST: Final = 3.3
"""m/s; an unreadable pass that was faster is named for that."""
CLOCKS: Final = 6
LEVEL: Final = 0.62
"""Height of a dark line, of the 1 from line to line."""
COLORS: Final = {"PRESENT": "#5b6770", "CLOCK_A": "#1f6fb4", "CLOCK_B": "#2a9d8f", "DATA": "#c05a1c"}
BAND, DARK, WRONG, GRID, AXIS, TEXT, INK = "#eef3f8", "#edc9b0", "#c1121f", "#d9dee3", "#8a939b", "#3c444b", "#1b1f23"
STYLE: Final = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": AXIS,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "svg.hashsalt": "shoetool",
}
NAMED: Final = {
    Pass.CARD: range(52),
    Pass.COVER_CARD: (COVER_CARD,),
    Pass.TEST_CARD: TEST_CARDS,
    Pass.FOREIGN_BATCH: range(card_code.LAST_CARD + 1),
}
"""The kinds of passes that name a card, and which."""

logging.getLogger("matplotlib").setLevel(logging.ERROR)  # at its first start it reports that it looks for fonts


def pass_picture(one: TracePass, form: str) -> bytes:
    """Return a pass as the content of a file, `form` svg or png."""
    out = io.BytesIO()
    with style.context(["default", STYLE], after_reset=True):
        # past output_file: into memory.
        pass_figure(one).savefig(out, format=form, dpi=DOTS_PER_INCH, metadata={"Date": None} if form == "svg" else {})
    return out.getvalue()


def pass_figure(one: TracePass) -> Figure:
    """Return a pass as a figure of matplotlib."""
    found = track(one)
    word = printed_word(one.kind, [cell.dark for cell in found.cells])
    figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN if found.marks else LOW_IN), layout="constrained")
    if found.marks:
        lines, bits, speed, margin = figure.subplots(4, 1, height_ratios=(3.2, 0.75, 1.7, 1.9))
        speed.sharex(margin)
        bits.sharex(margin)
        if found.marks <= MOST_CELLS:
            _draw_bits(bits, found, word)
        _draw_speed(speed, found.speeds)
        _draw_margins(margin, found)
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    else:
        lines = figure.subplots()
    _draw_lines(lines, one, found, word)
    figure.suptitle(heading(one, word), x=0.01, ha="left", fontsize=13, fontweight="bold")
    lines.set_title(summary(one, found, word), loc="left", fontsize=9, color=TEXT)
    return figure


def printed_word(kind: int, bits: Sequence[bool]) -> tuple[int, int] | None:
    """Return card and batch of the printed word that all 26 cells show, with one wrong at most.

    None when there is none, and when the shoe named no card, or another one: nothing is read here that the shoe did not
    read. Any two words differ in eight cells.
    """
    if len(bits) != card_code.CELLS or kind not in NAMED:
        return None
    for card in NAMED[Pass(kind)]:
        for batch in range(card_code.FIRST_BATCH, card_code.LAST_BATCH + 1):
            if len(_wrong(bits, (card, batch))) <= 1:
                return card, batch
    return None


def _wrong(bits: Sequence[bool], word: tuple[int, int]) -> list[int]:
    """Return the numbers of the cells that differ from a printed word."""
    return [number for number, cell in enumerate(card_code.frame_cells(*word)) if bits[number] != bool(cell)]


def heading(one: TracePass, word: tuple[int, int] | None) -> str:
    """Return what a pass was: number, head, kind, and the card that the shoe named."""
    card = f" · {card_name(word[0])} of batch {word[1]}" if word else ""
    return f"Pass {one.index} · {side_name(one.head)} · {words(Pass, one.kind)}{card}"


def summary(one: TracePass, found: Track, word: tuple[int, int] | None) -> str:
    """Return the figures of a pass, in one line or two."""
    told = [f"{len(one.edges)} edges in {duration_us(one.edges) / 1000:.1f} ms"]
    other = "" if found.marks == card_code.CELLS else f" (a card has {card_code.CELLS})"
    told.append(many(found.marks, "clock mark") + other if found.marks else "no clock mark went by")
    if found.skips:
        told.append(f"both clock lines changed at once: {found.skips}")
    if word and (wrong := _wrong([cell.dark for cell in found.cells], word)):
        told.append(f"cell {wrong[0] + 1} was put right")
    if found.marks and found.speeds:
        speeds = [speed.value for speed in found.speeds]
        slow, fast = f"{min(speeds):.2f}", f"{max(speeds):.2f}"
        told.append(f"{slow} to {fast} m/s" if slow != fast else f"{fast} m/s")
    if found.present_mm is not None:
        told.append(f"card's edge {found.present_mm - card_code.QUARTER_MM / 2:.1f} mm after the first mark")
    if one.edges and one.edges[-1][1] & PRESENT:
        told.append("the trace ends before the card had left")
    return textwrap.fill(" · ".join(told), SUMMARY_WIDTH)


def _draw_lines(axes: Axes, one: TracePass, found: Track, word: tuple[int, int] | None) -> None:
    """Draw the four lines over time, the marks as bands behind them, and the bits where they were taken."""
    times = [time_us / 1000 for time_us in found.times_us]
    end = times[-1] if times else 0.0
    room = max(end * 0.01, 0.05)
    for row, name in enumerate(reversed(LINES)):
        bit = len(LINES) - 1 - row
        levels = [LEVEL * (lines >> bit & 1) for _, lines in one.edges]
        at, heights = [*times, end + room], [row + level for level in [*levels, *levels[-1:]]]
        if times:
            axes.fill_between(at, row, heights, step="post", color=COLORS[name], alpha=0.22, linewidth=0)
            axes.step(at, heights, where="post", color=COLORS[name], linewidth=1.1)
    under = [len(LINES) if lines & CLOCKS else -1 for _, lines in one.edges]
    axes.fill_between(times, -1, under, step="post", color=BAND, linewidth=0, zorder=0)
    axes.plot(
        [cell.time_us / 1000 for cell in found.cells],
        [LEVEL * cell.dark for cell in found.cells],
        linestyle="none",
        marker="o",
        markersize=3,
        color=TEXT,
    )
    axes.set_xlim(-room, end + room)
    rows, names = [row + 0.3 for row in range(len(LINES))], list(reversed(LINES))
    bits = _has_room(found.cells, (end + 2 * room) / LINES_PT)
    if bits:
        rows, names = [-0.45, *rows], ["bit", *names]
        for cell in found.cells:
            axes.text(cell.time_us / 1000, -0.45, str(int(cell.dark)), **_bit_style(cell, word))
    axes.set_ylim(-0.75 if bits else -0.2, len(LINES) - 0.2)
    axes.set_yticks(rows, names)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("time from the first edge (ms)")


def _has_room(cells: Sequence[Cell], ms_per_pt: float) -> bool:
    """Whether all bits can be written where they were taken. Some of them alone would mislead."""
    apart = [(late.time_us - early.time_us) / 1000 for early, late in pairwise(cells)]
    return bool(cells) and min(apart, default=BIT_PT * ms_per_pt) >= BIT_PT * ms_per_pt


def _bit_style(cell: Cell, word: tuple[int, int] | None) -> dict[str, Any]:
    """Return how a bit is written: one that was put right, or that moved while it was taken, stands out."""
    wrong = word is not None and bool(card_code.frame_cells(*word)[cell.number]) != cell.dark
    color, weight = (WRONG, "bold") if wrong or cell.moved else (INK, "normal")
    return {"ha": "center", "va": "center", "fontsize": 8, "color": color, "fontweight": weight}


def _draw_bits(axes: Axes, found: Track, word: tuple[int, int] | None) -> None:
    """Draw the data track as it was read: a box for each cell, with its bit."""
    for cell in found.cells[:MOST_CELLS]:
        left = cell.number * card_code.CELL_MM
        filled = DARK if cell.dark else "white"
        axes.add_patch(Rectangle((left, 0), card_code.CELL_MM, 1, facecolor=filled, edgecolor=AXIS, linewidth=0.6))
        axes.text(left + card_code.CELL_MM / 2, 0.5, str(int(cell.dark)), **_bit_style(cell, word))
    axes.set_ylim(-0.05, 1.05)
    axes.set_yticks([0.5, 1.3], ["bits", "cell"])
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)
    numbers = [number for number in range(found.marks) if number == 0 or (number + 1) % 5 == 0][:MOST_CELLS]
    axes.tick_params(axis="x", bottom=False, labelbottom=False)
    top = axes.secondary_xaxis("top")
    top.set_xticks([(number + 0.5) * card_code.CELL_MM for number in numbers], [str(number + 1) for number in numbers])
    top.tick_params(length=0, labelsize=8)
    top.spines["top"].set_visible(False)


def _draw_speed(axes: Axes, speeds: Sequence[At]) -> None:
    axes.plot([at.mm for at in speeds], [at.value for at in speeds], color=TEXT, linewidth=1.2)
    values = [at.value for at in speeds] or [0.0]
    high = max(1.15 * max(values), 0.05)
    if max(values) > 0.6 * TOO_FAST:
        axes.axhline(TOO_FAST, color=WRONG, linewidth=0.8, linestyle="--", label=f"{TOO_FAST} m/s: too fast for a head")
        high = max(high, 1.05 * TOO_FAST)
    axes.set_ylim(min(0.0, 1.15 * min(values)), high)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.set_ylabel("speed (m/s)")
    axes.tick_params(axis="x", labelbottom=False)


def _draw_margins(axes: Axes, found: Track) -> None:
    """Draw how far the clock lines and DATA were from a misreading, in mm of the card."""
    for name, color, marker, values in (
        ("clock lines: way from edge to edge, 0.50 mm as printed", COLORS["CLOCK_A"], "o", found.clocks),
        ("DATA: way from an edge to the next bit, 0.75 mm as printed", COLORS["DATA"], "D", found.data),
    ):
        shown: dict[str, Any] = {"linestyle": "none", "markersize": 3.5, "color": color}
        inside = [at for at in values if at.value <= MOST_MM]
        beyond = [at for at in values if at.value > MOST_MM]
        axes.plot([at.mm for at in inside], [at.value for at in inside], marker=marker, label=name, **shown)
        axes.plot([at.mm for at in beyond], [MOST_MM] * len(beyond), marker="^", **{**shown, "markersize": 6})
    if any(at.value > MOST_MM for at in (*found.clocks, *found.data)):
        axes.plot([], [], marker="^", linestyle="none", color=TEXT, label=f"more than {MOST_MM:.2f} mm")
    low = min((-0.05, *(at.value - 0.05 for at in found.data)))
    axes.axhspan(low, 0, color=WRONG, alpha=0.10, linewidth=0)
    axes.axhline(0, color=WRONG, linewidth=0.9, label="here it would be misread")
    axes.set_ylim(low, MOST_MM + 0.1)
    axes.set_ylabel("margin (mm)")
    axes.set_xlabel("place along the code (mm)")
    axes.set_xlim(-4, max(card_code.CODE_MM, found.marks * card_code.CELL_MM) + 4)
