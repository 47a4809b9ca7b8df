"""PicoBoard put together from parts that only note what is done with them, and main.run_pico around it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from board_parts import Parts
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
    "entropy_ready",
    "ms_at",
    "until",
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
    "link_load",
    "ticks_us",
    "ticks_ms",
    "feed_watchdog",
    "wait",
    "levels",
    "threshold",
]


def test_it_has_every_verb(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    assert [verb for verb in VERBS if not hasattr(board, verb)] == []
    assert (board.journal, board.vault, board.store, board.keys) == ("journal", "vault", "store", "keys")


def test_until_begins_what_is_ready_at_its_time_and_holds_the_line_for_the_heads_that_count(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    start = parts.ms
    slept: list[int] = []
    real, parts.sleep = parts.sleep, lambda ms: (slept.append(ms), real(ms))[1]
    parts.module.time.sleep_ms = parts.sleep
    assert board.until(1000 * start + 24_500, 5, False, 3, 1)
    assert parts.begun == [(1000 * start + 24_500, 5, 3, 1)] and board._line.hold == 5
    assert 22 <= sum(slept) <= 24  # all but the last millisecond or two
    assert board.until(1000 * start, 5)
    assert parts.begun[1:] == [(1000 * start, 5, -1, -1)], "late, it begins at once; lamps and stop stay as they are"


def test_until_gives_up_at_the_first_edge(parts: Parts) -> None:
    board = parts.module.PicoBoard(Settings())
    parts.unread = True
    assert not board.until(1000 * parts.ms + 24_500, -1) and parts.begun == []


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
        monkeypatch.setattr("shoe.app.app.App", App)
        monkeypatch.setattr("shoe.app.recovery.crashed", crashed)
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
    monkeypatch.setattr("shoe.app.recovery.sys", sys)
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
