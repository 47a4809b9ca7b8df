"""What commands that ask say to somebody who interrupts them; no key is lost that is in force."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import click
import pytest
from shoetool.cli.provision import ask, put_in_force, tell, watch_signing_key
from shoetool.cli.selftest import asked
from shoetool.client.authority import CommandKey

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
        watch_signing_key(client(state=interrupted))
    (line,) = capsys.readouterr().err.splitlines()
    assert "is provisioned" in line and "shoetool keys --device" in line


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
