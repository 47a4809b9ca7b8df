"""The live view on a whole terminal: the table, the rounds so far, the findings as they come, and the shoe itself.

It runs on Textual. A thread reads the line and hands over what comes; everything else runs in the application.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.widgets import Footer, RichLog, Static, TabbedContent, TabPane

from shoetool.cli.monitor_theme import DARK, DARK_COLOURS, LIGHT_COLOURS, THEMES
from shoetool.model.margin import percent
from shoetool.model.printable import clean
from shoetool.model.protocol_table import Lamp, RecordKind
from shoetool.model.records import Record
from shoetool.model.times import clock_now
from shoetool.report.findings import finding_lines
from shoetool.report.live import LAMPS, draw
from shoetool.report.rounds import IN_BETWEEN, RoundBlock, between, narrowed
from shoetool.report.sentences import fault_sentence, opening_letter, side_name
from shoetool.report.table_view import TableView
from shoetool.report.time_of_day import TimesOfDay
from shoetool.verify.engine import Verifier
from shoetool.wire.answers import Levels

FRAME_S: Final = 0.1
_HEADS_CHANGED: Final = (RecordKind.MARGIN, RecordKind.CALIBRATED, RecordKind.BOOT)
_INSIDE: Final = (0, 0, 0, 2)
"""Text that wraps stays two columns in, on every line."""
_MORE: Final = " … (key 4)"
"""Behind what has no room on the first screen: a fault with what to do, which stands on the fourth."""
_TABS: Final = (("table", "Table"), ("rounds", "Rounds"), ("findings", "Findings"), ("shoe", "Shoe"))


class Closed(Exception):
    """The person has closed the screen: the thread that reads the line ends."""


class Drawing(Static):
    """The table, as high and as wide as it may be."""

    def __init__(self, screen: MonitorScreen) -> None:
        super().__init__(id="drawing")
        self._of = screen

    def render(self) -> RenderableType:
        """Draw the table for the size of this widget."""
        size = self.size
        lines = draw(
            self._of.view,
            max(20, min(size.width, 140)),
            max(10, size.height),
            stale=self._of.lost,
            clock=self._of.clock,
        )
        # On a low terminal empty lines go first: the lamps must stand on it.
        for at in range(len(lines) - 1, -1, -1):
            if len(lines) > size.height and not lines[at].plain.strip():
                del lines[at]
        if len(lines) > size.height:
            del lines[max(1, size.height) :]
            lines[-1].truncate(size.width - len(_MORE))
            lines[-1].append(_MORE)
        return Group(*lines)


class MonitorScreen(App[None]):
    """The application. `read` reads the line until `Closed` or its end; it is called in a thread of its own.

    The thread calls `show`, `notice`, `line_lost` and `line_back` as those of `watching.Watch`. levels: asks for those
    of the read heads; it is called in the thread too, at the start and when a record tells that they changed. theme:
    DARK or LIGHT.
    """

    CSS = """
    Screen { overflow: hidden; }
    TabbedContent { height: 1fr; }
    TabPane { padding: 0; }
    #drawing { height: 1fr; }
    #notice { display: none; height: auto; max-height: 2; color: $warning; text-style: bold; }
    RichLog { scrollbar-size-vertical: 1; background: $background; }
    RichLog:focus { background-tint: $background 0%; }
    Tab { color: $foreground; }
    Tabs:focus Tab.-active { color: $block-cursor-foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(at), f"turn('{name}')", title) for at, (name, title) in enumerate(_TABS, 1)),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        title: str,
        read: Callable[[MonitorScreen], None],
        times: TimesOfDay | None = None,
        levels: Callable[[], Sequence[Levels]] = tuple,
        theme: str = DARK,
    ) -> None:
        super().__init__()
        for one in THEMES.values():
            self.register_theme(one)
        self.ansi_theme_dark, self.ansi_theme_light = DARK_COLOURS, LIGHT_COLOURS
        self.theme = THEMES[theme].name
        self.title = title
        self.view = TableView()
        self.lost = False
        self.clock = ""
        self.error: BaseException | None = None
        """What ended the thread, if it was an error."""
        self._read = read
        self._ask_levels = levels
        self._times = times
        self._verifier = Verifier()
        self._told = 0
        self._inside: list[Record] = []
        self._levels: Sequence[Levels] = ()
        self._stale = True
        self._over = False
        self._notice_passes = False

    # ------------------------------------------------------------------------------------------------ the screen
    def compose(self) -> ComposeResult:
        """Lay out the tabs, the line for notices, and the keys."""
        with TabbedContent():
            with TabPane("Table", id="table"):
                yield Drawing(self)
            with TabPane("Rounds", id="rounds"):
                yield RichLog(id="rounds-log", wrap=True, max_lines=5000)
            with TabPane("Findings", id="findings"):
                yield RichLog(id="findings-log", wrap=True, max_lines=5000)
            with TabPane("Shoe", id="shoe"):
                yield Static(id="shoe-told")
        yield Static(id="notice")
        yield Footer()

    def on_mount(self) -> None:
        """Start to read, and to draw what came."""
        self.set_interval(FRAME_S, self._draw)
        self.run_worker(self._reading, thread=True, exit_on_error=False)
        self.query_one("#findings-log", RichLog).write(Text("None so far in what the shoe's records show.", "dim"))

    def action_turn(self, name: str) -> None:
        """Show a tab."""
        self.query_one(TabbedContent).active = name
        if name in ("rounds", "findings"):
            self.query_one(f"#{name}-log", RichLog).focus()

    def action_interrupt(self) -> None:
        """Leave as every command does at Ctrl-C."""
        self.error = KeyboardInterrupt()
        self.exit()

    def exit(self, *how: Any, **more: Any) -> None:
        """Leave. The thread ends at its next word, before the screen that it writes to is taken down."""
        self._over = True
        super().exit(*how, **more)

    def on_unmount(self) -> None:
        """The thread ends at its next word."""
        self._over = True

    def _reading(self) -> None:
        try:
            self._call(self._take_heads, self._ask_levels())
            self._read(self)
        except Closed:
            return
        except BaseException as error:  # it is raised again once the terminal is as it was
            self.error = error
            if not self._over:
                self.call_from_thread(self.exit)

    def _fatal_error(self) -> None:
        """Leave without the traceback that Textual prints: the error is raised again, as one of the thread is."""
        self.error = self.error or self._exception
        self._close_messages_no_wait()

    def _draw(self) -> None:
        if not self._stale:
            return
        self._stale = False
        self.query_one(Drawing).refresh()
        self.query_one("#shoe-told", Static).update(Group(*self._shoe()))

    def _shoe(self) -> Iterable[RenderableType]:
        """Faults with what to do, lamps, read heads, and the clock."""
        yield Text("Faults", "bold")
        for code in sorted(self.view.table.faults):
            yield Padding(Text(fault_sentence(code), "bright_red"), _INSIDE)
        if not self.view.table.faults:
            yield Text("  none")
        yield Text("Lamps", "bold")
        words = {lamp: word for lamp, word, _ in LAMPS}
        lit = [words.get(lamp, lamp.name.lower().replace("_", " ")) for lamp in Lamp if lamp in self.view.lamps]
        yield Padding(Text(", ".join(lit) or "none"), _INSIDE)
        yield Text("Read heads", "bold")
        for one in self._levels:
            soon = "  CLEAN SOON" if one.clean_soon else ""
            yield Text(f"  {opening_letter(side_name(one.head)):<24}margin {percent(one.margin)}{soon}")
        if not self._levels:
            yield Text("  not known yet", "dim")
        yield Text("Last event", "bold")
        yield Text(f"  {self.clock or 'none yet'}")

    # ---------------------------------------------------------------------------------------- called by the thread
    def show(self, records: Iterable[Record]) -> None:
        """Fold records into the table. Closed when the person has gone."""
        found = list(records)
        self._call(self._take, found)
        if any(one.kind in _HEADS_CHANGED for one in found):
            self._call(self._take_heads, self._ask_levels())

    def notice(self, text: str, passes: bool = True) -> None:
        """Show a line about the view itself, until the next record if it `passes`."""
        self._call(self._notice, text, passes)

    def line_lost(self, silent_s: float) -> None:
        """Show that the shoe has been silent for so many seconds."""
        since = clock_now(silent_s)
        self._call(self._line, True, f"The line to the shoe is lost since {since}; trying again.")

    def line_back(self) -> None:
        """Show that the shoe answers again."""
        self._call(self._line, False, f"The line is back since {clock_now()}.")

    def _call(self, take: Callable[..., None], *words: object) -> None:
        if self._over:
            raise Closed
        try:
            self.call_from_thread(take, *words)
        except RuntimeError:
            raise Closed from None
        except NoMatches:
            if not self._over:
                raise
            raise Closed from None  # the screen was taken down while this call waited for its turn

    # ------------------------------------------------------------------------------------- in the application again
    def _notice(self, text: str, passes: bool) -> None:
        line = self.query_one("#notice", Static)
        line.update(Text(clean(text)))
        line.display = bool(text)
        self._notice_passes = passes

    def _line(self, lost: bool, text: str) -> None:
        self.lost = lost
        self._stale = True
        self._notice(text, not lost)

    def _take_heads(self, levels: Sequence[Levels]) -> None:
        self._levels = levels
        self._stale = True

    def _take(self, records: list[Record]) -> None:
        for record in records:
            self.view.feed(record)
            if self._times is not None:
                self.clock = self._times.clock(record)
            self._round(record)
        if not records:
            return
        self._stale = True
        if self._notice_passes:
            self._notice("", False)
        self._verifier.feed_all(records)
        self._find()

    def _round(self, record: Record) -> None:
        """Add a round to the list when it is closed, and what happens between rounds."""
        log = self.query_one("#rounds-log", RichLog)
        if self._inside or record.kind == RecordKind.ROUND_OPENED:
            self._inside.append(record)
            if record.kind == RecordKind.ROUND_CLOSED and self.view.round is not None:
                first, last = self._inside[0], self._inside[-1]
                block = RoundBlock(self.view, self.view.round, first.number, last.number, True, self._inside)
                for line in block.lines():
                    log.write(narrowed(line, self._wide), self._wide)
                self._inside = []
        elif record.kind in IN_BETWEEN:
            for line in between(record, self._times):
                log.write(line, self._wide)

    @property
    def _wide(self) -> int:
        """How many columns a list has: all but that of its scroll bar. A list that was not shown yet does not know."""
        return max(20, self.size.width - 1)

    def _find(self) -> None:
        """Show the findings that came."""
        found = self._verifier.ctx.findings
        log = self.query_one("#findings-log", RichLog)
        if found[self._told :] and not self._told:
            log.clear()
        for finding in found[self._told :]:
            for line in finding_lines(finding, self._wide):
                log.write(line, self._wide)
        if len(found) != self._told:
            self._told = len(found)
            self.query_one(TabbedContent).get_tab("findings").label = f"Findings {self._told}"
