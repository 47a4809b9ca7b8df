"""What commands that ask say to somebody who interrupts them; no key is lost that is in force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import click
import pytest
from shoetool.cli.provision import ask, put_in_force, tell, watch_signing_key
from shoetool.cli.selftest import asked
from shoetool.client.authority import CommandKey
from shoetool.model.errors import DeviceError

KEY = CommandKey(bytes(8), bytes(range(32)))


def interrupted(*_: Any) -> NoReturn:
    raise KeyboardInterrupt


def nobody(*_: Any, **__: Any) -> NoReturn:
    raise click.Abort


def client(**authority: Any) -> Any:
    return SimpleNamespace(
        authority=SimpleNamespace(**authority),
        identify=lambda: SimpleNamespace(device=KEY.device),
        transport=SimpleNamespace(sleep=lambda seconds: None),
    )


def test_ctrl_c_while_the_signing_key_is_made_says_that_the_shoe_is_provisioned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(KeyboardInterrupt):
        watch_signing_key(client(state=interrupted), Path("one.shoekey"))
    (line,) = capsys.readouterr().err.splitlines()
    assert "is provisioned" in line and "shoetool keys --device" in line


class Clock:
    """A line whose time passes only where somebody waits."""

    name = "port"

    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.passed += seconds
        if self.passed > 100_000:
            raise AssertionError("waits for ever")


def making(leaves: Iterator[int], clock: Clock) -> Any:
    """A client of a shoe that tells of 1024 leaves so many, one after the other, and then that it is done."""
    told = SimpleNamespace(signing_total=1024, signing_done=0)

    def state() -> Any:
        told.signing_done = next(leaves, None)
        told.signing_total = 0 if told.signing_done is None else 1024
        return told

    return SimpleNamespace(authority=SimpleNamespace(state=state), transport=clock)


def test_a_signing_key_that_comes_no_further_is_not_waited_for() -> None:
    clock = Clock()
    with pytest.raises(DeviceError, match=r"one\.shoekey.* stands at 3 of 1024 leaves") as error:
        watch_signing_key(making(itertools.repeat(3), clock), Path("one.shoekey"))
    assert "\n" not in str(error.value) and 60 < clock.passed < 70


def test_a_shoe_that_is_slow_with_its_signing_key_is_waited_for() -> None:
    clock = Clock()
    slow = (leaf for leaf in range(1024) for _ in range(100))  # a leaf takes 50 seconds
    watch_signing_key(making(slow, clock), Path("one.shoekey"))
    assert clock.passed > 1024 * 49


def test_ctrl_c_while_the_key_is_put_in_force_keeps_its_file_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.shoekey"
    file.touch()
    with pytest.raises(KeyboardInterrupt):
        put_in_force(client(provision=interrupted), KEY, file, 10)
    (line,) = capsys.readouterr().err.splitlines()
    assert file.exists() and str(file) in line and "may be in force" in line and KEY.fingerprint.hex() in line


def test_no_answer_changes_nothing_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(click, "confirm", nobody)
    with pytest.raises(click.Abort):
        ask(client(), SimpleNamespace(provisioned=False))  # type: ignore[arg-type]
    said = capsys.readouterr()
    assert "nothing was changed" in said.err and "--yes" in said.err
    assert max(map(len, said.out.splitlines())) <= 80


def test_the_key_is_told_with_its_file_and_without_its_secret_in_80_columns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell(KEY, Path("table7.shoekey"))
    text = capsys.readouterr().out
    assert "table7.shoekey" in text and KEY.fingerprint.hex()[:4] in text and KEY.secret.hex() not in text
    assert max(map(len, text.splitlines())) <= 80


def test_an_inspection_without_an_answer_is_broken_off_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(click, "confirm", nobody)
    with pytest.raises(click.Abort):
        asked("Do all three of its lamps light?")
    assert "broken off; begin it again" in capsys.readouterr().err
