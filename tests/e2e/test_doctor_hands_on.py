"""`shoetool doctor --hands-on`: a person looks at the lamps, and a test card goes through heads of a virtual shoe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from head_light import HeadLight
from lit_rig import LitRig
from shoetool.cli import build
from shoetool.model.protocol_table import Head
from test_calibration import Hand


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LitRig]:
    """A virtual shoe. Its time is not this computer's."""
    monkeypatch.setattr("shoetool.cli.health.CLOCK_S", 0.01)
    with LitRig(tmp_path / "shoe", interpreter="python", seed=7) as shoe:
        yield shoe


def doctor(rig: LitRig, tmp_path: Path, answers: str) -> Result:
    words = ["doctor", "--port", rig.link_path, "--keys", str(tmp_path / "keys"), "--hands-on"]
    return CliRunner().invoke(build(), words, input=answers)


def verdicts(result: Result) -> dict[str, str]:
    rows = [line for line in result.stdout.splitlines() if line[:1] != " " and len(line) > 38]
    return {line[10:38].strip(): line[:10].strip() for line in rows}


def test_a_test_card_is_read_and_nothing_is_changed(rig: LitRig, tmp_path: Path) -> None:
    before = dict(rig.thresholds)
    with Hand(rig, Head.SIDE_A):
        found = doctor(rig, tmp_path, "y\ny\nn\n")
    told = verdicts(found)
    assert told["lamps"] == "good" and told["test card, side A"] == "good", found.output
    assert told["test card, the card reader d"[:28]] == "not known", "its throat was not empty"
    assert rig.thresholds == before and found.exit_code == 1


def test_lamps_that_are_seen_otherwise_are_bad(rig: LitRig, tmp_path: Path) -> None:
    found = doctor(rig, tmp_path, "n\nn\nn\n")
    assert verdicts(found)["lamps"] == "bad" and "Do not deal with it: lamps" in found.stdout


def test_a_head_that_reads_nothing_is_bad(rig: LitRig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoetool.cli.calibration.PATIENCE_S", 1.0)
    rig.light[0] = HeadLight(dirt=[0.0, 0.0, 0.0, 0.75])
    rig.sync()
    with Hand(rig, Head.SIDE_A):
        found = doctor(rig, tmp_path, "y\ny\nn\n")
    assert verdicts(found)["test card, side A"] == "bad", found.output
