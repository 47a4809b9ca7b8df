"""PicoBoard put together from parts that only note what is done with them, and main.run_pico around it."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pico import pins
from pico.settings import Settings

VERBS = [
    "name",
    "heads",
    "unique_id",
    "entropy",
    "firmware_digest",
    "boot_cause",
    "note_boot_cause",
    "read_edges",
    "edges_wait",
    "read_key",
    "lamp_mask",
    "card_stop",
    "ready",
    "journal",
    "vault",
    "store",
    "keys",
    "link_read",
    "link_write",
    "ticks_us",
    "ticks_ms",
    "feed_watchdog",
    "wait",
    "levels",
    "threshold",
]


class Parts:
    """Stands for machine and the modules of board/pico; `log` has what happened, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.log: list[str] = []
        self.stop_levels: list[int] = []
        self.ms = 0
        self.waiting = self.unread = self.gone_by = self.line_ready = self.line_busy = self.key_waits = False
        self.lines = 0
        self.samples = 0
        self.allocated = 0
        self.collected: list[int] = []
        self.thresholds: list[int] = []
        self.cause = 2
        self.broken = ""
        self.sticks: dict[str, BaseException] = {}
        self.looks: list[int] = []
        self.events: dict[int, Callable[[], None]] = {}
        parts = self

        class Pin:
            OUT = 1

            def __init__(self, number: int, mode: int, value: int) -> None:
                assert number == pins.CARD_STOP and mode == self.OUT
                parts.value(value)

            value = staticmethod(self.value)

        def part(name: str, **verbs: Any) -> Any:
            def make(*_: Any) -> SimpleNamespace:
                if parts.broken == name:
                    raise OSError(16)
                parts.log.append(f"open {name}")
                return SimpleNamespace(close=lambda: parts.closed(name), **verbs)

            return make

        def module(name: str, **content: Any) -> None:
            made = ModuleType(name)
            made.__dict__.update(content)
            monkeypatch.setitem(sys.modules, name, made)
            if name.startswith("pico."):
                monkeypatch.setattr(importlib.import_module("pico"), name[5:], made, raising=False)

        nothing = lambda *_: None  # noqa: E731
        module("machine", Pin=Pin)
        module(
            "pico.chip",
            SOFT=2, CRASH=4,
            take_boot_cause=lambda: self.cause,
            note_boot_cause=lambda cause: self.log.append(f"note {cause}"),
            start_watchdog=self.start_watchdog,
            stop_watchdog=lambda: self.log.append("watchdog off"),
            restart=lambda: self.log.append("restart"),
            unique_id=lambda: bytes(8), supply_mv=lambda: 5000,
        )  # fmt: skip
        module("pico.entropy", Entropy=part("entropy", draw=bytes, work=self.work))
        begin = lambda: self.log.append("watched anew")  # noqa: E731
        settle = lambda: self.log.append("settled")  # noqa: E731
        looks = {"waiting": lambda: self.waiting, "unread": lambda: self.unread}
        looks |= {"due": lambda: self.gone_by, "lines": self.see}
        optics = part("optics", read=nothing, begin=begin, **looks)
        module("pico.optics", Optics=optics)
        module("pico.panel", Panel=part("panel", read_key=nothing, lamp_mask=nothing, poll=lambda: self.key_waits))
        module("pico.levels", Levels=part("levels", levels=nothing, threshold=nothing, settle=settle))
        verbs = {"read": self.receive, "write": nothing, "ready": self.ready, "busy": lambda: self.line_busy}
        module("pico.uart", UartLine=part("uart", **verbs))
        module("pico.cdc", CdcLine=part("cdc", **verbs))
        module("pico.partitions", open_all=self.partitions)
        monkeypatch.delitem(sys.modules, "pico.board", raising=False)
        self.module: Any = importlib.import_module("pico.board")
        monkeypatch.setattr(
            self.module,
            "time",
            SimpleNamespace(ticks_ms=lambda: self.ms, ticks_us=lambda: 1000 * self.ms, sleep_ms=self.sleep),
        )
        memory = {
            "mem_alloc": lambda: self.allocated, "mem_free": self.left,
            "collect": self.collect, "threshold": self.thresholds.append,
        }  # fmt: skip
        monkeypatch.setattr(self.module, "gc", SimpleNamespace(**memory))

    def closed(self, name: str) -> None:
        self.log.append(f"close {name}")
        if name in self.sticks:
            raise self.sticks[name]

    def left(self) -> int:
        self.looks.append(self.ms)
        return 100_000 - self.allocated

    def ready(self, card: Callable[[], bool]) -> bool:
        return self.line_ready and not (self.line_busy and card())

    def receive(self, buf: Any, most: int) -> int:
        return min(len(buf), most) if self.line_ready else 0

    def value(self, level: int) -> None:
        self.stop_levels.append(int(level))
        self.log.append("stop released" if level else "stop engaged")

    def partitions(self) -> tuple[str, ...]:
        if self.broken == "partitions":
            raise OSError("flash")
        return ("journal", "vault", "store", "keys")

    def start_watchdog(self, ms: int) -> SimpleNamespace:
        self.log.append(f"watchdog {ms}")
        return SimpleNamespace(feed=lambda: self.log.append("fed"))

    def sleep(self, ms: int) -> None:
        self.ms += ms
        if self.ms in self.events:
            self.events.pop(self.ms)()

    def work(self) -> bool:
        self.samples += 1
        return False

    def see(self, head: int) -> int:
        return self.lines

    def collect(self) -> None:
        self.collected.append(self.ms)
        self.allocated = 0
        self.ms += 25


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    made = Parts(monkeypatch)
    yield made
    sys.modules.pop("pico.board", None)


def test_it_has_every_verb(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    assert [verb for verb in VERBS if not hasattr(board, verb)] == []
    assert (board.journal, board.vault, board.store, board.keys) == ("journal", "vault", "store", "keys")


def test_the_card_stop_is_engaged_before_anything_else_and_released_by_the_application_alone(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    assert parts.log[:2] == ["stop engaged"] * 2 and set(parts.stop_levels) == {0}
    board.card_stop(False)
    assert parts.stop_levels[-1] == 1
    board.card_stop(True)
    assert parts.stop_levels[-1] == 0
    board.card_stop(False)
    parts.log.clear()
    board.close()
    assert parts.log[0] == "stop engaged"


@pytest.mark.parametrize("broken", ["entropy", "optics", "panel", "levels", "uart", "partitions"])
def test_when_a_part_fails_those_before_it_are_closed_and_the_stop_holds(parts: Parts, broken: str) -> None:
    parts.broken = broken
    with pytest.raises(OSError):
        parts.module.PicoBoard(Settings())
    opened = [line[5:] for line in parts.log if line.startswith("open")]
    closed = [line[6:] for line in parts.log if line.startswith("close")]
    assert closed == opened[::-1]
    assert set(parts.stop_levels) == {0}


def test_close_stops_the_watchdog_only_when_it_runs_and_each_part_once(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    board.feed_watchdog()
    assert "fed" not in parts.log
    board.ready(7)
    board.feed_watchdog()
    assert parts.log[-2:] == ["watchdog 8000", "fed"]
    board.close()
    board.close()
    assert parts.log.count("watchdog off") == 1
    assert sorted(line for line in parts.log if line.startswith("close")) == [
        f"close {name}" for name in ("entropy", "levels", "optics", "panel", "uart")
    ]


@pytest.mark.parametrize("error", [OSError(5), RuntimeError(), KeyboardInterrupt()])
def test_close_stops_every_part_whatever_one_of_them_raises(
    parts: Parts, error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    board = parts.module.PicoBoard(Settings())
    board.ready(7)
    board.card_stop(False)
    parts.sticks = dict.fromkeys(["uart", "optics"], error)
    board.close()
    closed = [line[6:] for line in parts.log if line.startswith("close")]
    assert closed == ["uart", "levels", "panel", "optics", "entropy"]
    assert parts.stop_levels[-1] == 0 and "watchdog off" in parts.log
    assert capsys.readouterr().out.count(f"shoe: close: {type(error).__name__}") == 2


def test_once_ready_the_heads_are_watched_anew_with_settled_thresholds(
    parts: Parts, capsys: pytest.CaptureFixture[str]
) -> None:
    board = parts.module.PicoBoard(Settings())
    assert "watched anew" not in parts.log
    board.ready(7)
    assert parts.log[-3:] == ["settled", "watched anew", "watchdog 8000"]
    assert capsys.readouterr().out.startswith("shoe ready, boot 7, ")


def test_settings_choose_the_line(parts: Parts) -> None:
    settings = Settings()
    settings.link = "cdc"
    parts.module.PicoBoard(settings)
    assert "open cdc" in parts.log and "open uart" not in parts.log


# ------------------------------------------------------------------------------------------------------------- wait
def waited(parts: Parts, board: Any, most_ms: int = 50) -> int:
    begin = parts.ms
    asyncio.run(board.wait(most_ms))
    return parts.ms - begin


@pytest.mark.parametrize("what", ["waiting", "line_ready", "key_waits"])
@pytest.mark.parametrize("at", [0, 1, 7, 30])
def test_wait_ends_a_millisecond_after_something_came(parts: Parts, what: str, at: int) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.events[at] = lambda: setattr(parts, what, True)
    if not at:
        parts.events.pop(at)()
    assert waited(parts, board) == at


def test_wait_ends_after_its_time_and_samples_meanwhile(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    assert waited(parts, board) == 50
    assert parts.samples >= 45
    assert waited(parts, board, 0) == 0


def test_two_requests_are_read_at_a_time_since_a_card_may_come_while_they_are_answered(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.line_ready = True
    for parts.line_busy in (False, True):
        assert board.link_read(bytearray(256)) == 48
        assert board.link_read(bytearray(7)) == 7


def test_once_a_card_has_gone_by_nothing_is_read_before_its_event(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.line_ready = parts.gone_by = True
    assert board.link_read(bytearray(256)) == 0
    parts.gone_by = False  # its edges were taken
    assert board.link_read(bytearray(256)) == 48


def test_a_line_that_flutters_does_not_keep_the_host_from_being_heard(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.line_ready = parts.gone_by = True
    read = [board.link_read(bytearray(256)) for _ in range(100)]
    assert read.count(48) == 11 and read.count(0) == 89


def test_with_a_card_in_a_head_one_request_is_read_and_none_while_answers_are_on_their_way(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    buf = bytearray(256)
    parts.line_ready = True
    parts.line_busy = True
    assert waited(parts, board) == 0
    parts.lines = 1
    assert board.link_read(buf) == 0
    assert waited(parts, board) == 50
    parts.line_busy = False
    assert board.link_read(buf) == 32
    assert waited(parts, board) == 0


def fetching(parts: Parts) -> Any:
    """A board that has just seen that a history is fetched."""
    board = parts.module.PicoBoard(Settings())
    parts.line_busy = True
    waited(parts, board)
    return board


def test_while_a_history_is_fetched_memory_is_collected_only_when_little_is_left(parts: Parts) -> None:
    board = fetching(parts)
    parts.allocated = 79_000
    for _ in range(40):
        waited(parts, board)
    assert not parts.collected
    parts.allocated = 81_000
    for _ in range(16):
        waited(parts, board)
    assert len(parts.collected) == 1
    parts.line_busy = False
    parts.allocated = 60_000
    for _ in range(8):
        assert len(parts.collected) == 1, "the line may be busy again in a moment"
        waited(parts, board)
    assert len(parts.collected) == 2


def test_in_a_fetch_memory_is_collected_as_soon_as_answers_are_handed_to_the_line(parts: Parts) -> None:
    board = fetching(parts)
    parts.ms += 2_000
    parts.allocated = 81_000
    begin = parts.ms
    waited(parts, board)
    assert parts.collected == [begin], "while the line sends"
    parts.ms += 2_000
    parts.allocated = 81_000
    parts.lines = 1
    waited(parts, board)
    assert len(parts.collected) == 1, "never with a card in a head"


def test_an_answer_that_has_gone_before_it_is_quiet_makes_no_fetch(parts: Parts) -> None:
    """So after a card's event, or a short answer: memory is collected as soon as it has gone."""
    board = parts.module.PicoBoard(Settings())
    for _ in range(20):
        parts.line_busy = True
        parts.events[parts.ms + 2] = lambda: setattr(parts, "line_busy", False)
        waited(parts, board)
    parts.line_busy = True
    parts.events[parts.ms + 2] = lambda: setattr(parts, "line_busy", False)
    parts.allocated = 17_000
    begin = parts.ms
    waited(parts, board)
    assert parts.collected == [begin + 3]


def test_cards_events_after_a_fetch_do_not_keep_it_up(parts: Parts) -> None:
    board = fetching(parts)
    parts.allocated = 60_000
    for _ in range(8):
        assert not parts.collected
        parts.events[parts.ms + 2] = lambda: setattr(parts, "line_busy", False)
        waited(parts, board)
        waited(parts, board)
        parts.line_busy = True
    assert len(parts.collected) == 1


def test_in_a_fetch_it_is_looked_what_is_left_before_it_can_have_been_used_up(parts: Parts) -> None:
    """To look takes 8 ms; 64 bytes a millisecond are more than a fetch takes."""
    board = fetching(parts)
    while not parts.collected:
        parts.ms += 20
        parts.allocated = used = 64 * parts.ms
        waited(parts, board, 1)
        assert used < 100_000 - 20_480 + 200 * 64
    assert len(parts.looks) <= 6


def test_a_wait_ends_with_the_collection(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.allocated = 50_000
    assert waited(parts, board) == 3 + 25


def test_memory_is_collected_in_a_quiet_moment_and_never_with_a_card_in_a_head(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.allocated = 50_000
    parts.lines = 1
    waited(parts, board)
    assert not parts.collected
    parts.lines = 0
    parts.events[parts.ms + 2] = lambda: setattr(parts, "waiting", True)
    waited(parts, board)
    assert not parts.collected, "there was something to do before it was quiet for long enough"
    parts.waiting = False
    parts.unread = True
    waited(parts, board)
    assert not parts.collected, "the card had gone by this moment, and its event is due"
    parts.unread = False
    begin = parts.ms
    waited(parts, board)
    assert parts.collected == [begin + 3]
    board.ready(1)
    assert parts.thresholds == [-1], "once the shoe is ready no allocation collects by itself"
    parts.allocated = 16_000
    waited(parts, board)
    assert len(parts.collected) == 1, "there is not enough to collect"


# --------------------------------------------------------------------------------------------------------- run_pico
class Main:
    """firmware/main.py over the parts; `runs` is what the application does."""

    def __init__(self, parts: Parts, monkeypatch: pytest.MonkeyPatch, runs: Callable[[Any], None]) -> None:
        self.parts = parts
        self.settings = Settings()

        class App:
            def __init__(self, board: Any) -> None:
                self.board = board

            async def run(self) -> None:
                runs(self.board)

        def crashed(board: Any, error: Exception) -> None:
            board.card_stop(True)
            parts.log.append(f"crashed {type(error).__name__}")

        main = importlib.import_module("main")
        monkeypatch.setattr(main, "gc", SimpleNamespace(threshold=lambda n: None))
        monkeypatch.setattr("time.sleep_ms", self.sleep, raising=False)
        monkeypatch.setattr("shoe.app.App", App)
        monkeypatch.setattr("shoe.app_defect.crashed", crashed)
        monkeypatch.setattr("pico.settings.load", lambda: self.settings)
        micropython = ModuleType("micropython")
        micropython.__dict__["kbd_intr"] = lambda value: parts.log.append(f"kbd {value}")
        monkeypatch.setitem(sys.modules, "micropython", micropython)
        self.run_pico = main.run_pico
        self.interrupted = False

    def sleep(self, ms: int) -> None:
        self.parts.log.append("pause")
        if self.interrupted:
            raise KeyboardInterrupt


def raises(error: BaseException, ready: bool = True) -> Callable[[Any], None]:
    def run(board: Any) -> None:
        if ready:
            board.ready(1)
            board.card_stop(False)
        raise error

    return run


def test_ctrl_c_leaves_a_quiet_chip_and_the_prompt(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main = Main(parts, monkeypatch, raises(KeyboardInterrupt()))
    assert main.run_pico("a", None) == 0
    log = parts.log
    assert parts.stop_levels[-1] == 0 and "restart" not in log
    assert log.index("kbd -1") < log.index("watchdog off") < log.index("close entropy") < log.index("kbd 3")
    assert "note 2" in log
    assert capsys.readouterr().out.splitlines()[-1].startswith("shoe stopped")


def test_a_crash_is_noted_and_restarts_the_board(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    main = Main(parts, monkeypatch, raises(ValueError("x")))
    main.run_pico("a", None)
    log = parts.log
    assert parts.stop_levels[-1] == 0
    assert log.index("crashed ValueError") < log.index("close entropy") < log.index("note 4") < log.index("restart")
    assert "kbd -1" not in log


def test_a_ctrl_c_in_the_pause_after_a_crash_reaches_the_prompt_and_keeps_the_cause(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = Main(parts, monkeypatch, raises(ValueError("x")))
    main.interrupted = True
    assert main.run_pico("a", None) == 0
    assert "restart" not in parts.log and parts.log[-2:] == ["note 4", "kbd 3"]


def test_without_a_prompt_ctrl_c_is_off_before_the_board_is_made_and_every_end_restarts(
    parts: Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error in (None, ValueError("x")):
        parts.log.clear()
        main = Main(parts, monkeypatch, raises(error) if error else lambda board: board.ready(1))
        main.settings.repl = False
        main.run_pico("a", None)
        assert parts.log[0] == "kbd -1" and "kbd 3" not in parts.log and "pause" not in parts.log
        assert parts.log[-1] == "restart"


def test_what_fails_before_ready_is_raised_for_the_other_slot_with_the_cause_kept(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The application's error may have come upon a card that lies face down: its own text is nowhere."""
    parts.cause = 1
    main = Main(parts, monkeypatch, raises(KeyError("king of clubs"), ready=False))
    monkeypatch.setattr("shoe.app_defect.sys", sys)
    with pytest.raises(RuntimeError, match=r"^shoe: KeyError$"):
        main.run_pico("a", None)
    said = "".join(capsys.readouterr())
    assert "KeyError" in said and "test_board.py" in said and "king" not in said
    assert "restart" not in parts.log and parts.log[-1] == "note 1"
    assert "close entropy" in parts.log and parts.stop_levels[-1] == 0


def test_wrong_settings_are_said_in_a_line(
    parts: Parts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main = Main(parts, monkeypatch, raises(KeyboardInterrupt()))
    main.settings.wrong = "/board.json: heads: must be 1, 2 or 3; correct it"
    main.run_pico("a", None)
    assert "/board.json: heads: must be 1, 2 or 3; correct it" in capsys.readouterr().out.splitlines()
