"""`shoetool trace --vcd`: an independent reader finds every edge of every pass at its time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from click.testing import CliRunner
from evidence_files import kind_at
from pty_shoe import PtyShoe
from shoetool.cli import build
from shoetool.model.file_kinds import WAVES
from shoetool.model.protocol_table import Pass
from shoetool.wire.answers import LINE_NAMES, TracePass
from traced_passes import THROUGH, pulled, served
from vcdvcd import VCDVCD

# Its import lets a broken pipe end the whole process, and with it every test that has one.
signal.signal(signal.SIGPIPE, signal.SIG_IGN)

PASSES = [
    pulled(25, moves=((40_000, 500), (40_000, -3_000_000), (THROUGH, 900))),
    pulled(52, kind=Pass.COVER_CARD, head=1, index=1),
    pulled(None, kind=Pass.BLANK, index=2),
    TracePass(3, 2, Pass.BLOCKED, ((0, 4),)),
]


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "passes.vcd"
    with PtyShoe() as shoe:
        shoe.service.trace = lambda index, offset: served(PASSES, index, offset)  # type: ignore[method-assign]
        done = CliRunner().invoke(build(), ["trace", "--last", "9", "--vcd", str(path), "--port", shoe.port])
    assert done.exit_code == 0 and done.stdout.splitlines()[-1] == str(path)
    assert kind_at(path) is WAVES
    assert done.stdout.count("pass ") == len(PASSES) and "CLOCK_A" not in done.stdout
    yield path


def test_every_edge_of_every_line_is_there_at_its_microsecond(written: Path) -> None:
    read = VCDVCD(str(written))
    assert (read.timescale["magnitude"], read.timescale["unit"]) == (1, "us")
    scopes = ("side_a.pass_0", "side_b.pass_1", "side_a.pass_2", "reader.pass_3")
    names = {f"{scope}.{name}_{at}" for at, scope in enumerate(scopes) for name in LINE_NAMES}
    assert set(read.signals) == names
    for one, scope in zip(PASSES, scopes, strict=True):
        times = list(accumulate(wait for wait, _ in one.edges))
        for bit, name in enumerate(LINE_NAMES):
            levels = [lines >> bit & 1 for _, lines in one.edges]
            changes = [(0, str(levels[0]))]
            changes += [
                (time, str(level))
                for time, level, before in zip(times[1:], levels[1:], levels, strict=False)
                if level != before
            ]
            assert read[f"{scope}.{name}_{one.index}"].tv == changes
    assert read.endtime > max(sum(wait for wait, _ in one.edges) for one in PASSES)


def test_it_says_what_each_pass_was_and_what_wrote_it(written: Path) -> None:
    head = written.read_text().partition("$enddefinitions")[0]
    assert "pass_1: cover card" in head and "$version shoetool " in head


def test_a_shoe_without_traces_gives_no_file(tmp_path: Path) -> None:
    with PtyShoe() as shoe:
        shoe.service.trace = lambda index, offset: served([], index, offset)  # type: ignore[method-assign]
        path = tmp_path / "passes.vcd"
        done = CliRunner().invoke(build(), ["trace", "--vcd", str(path), "--port", shoe.port])
    assert done.exit_code == 0 and "holds no traces" in done.stdout and not path.exists()
