"""`shoetool trace --plot`: a picture for each pass, with a name for a card only where the shoe read one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from click.testing import CliRunner, Result
from evidence_files import kind_at
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image
from pty_shoe import PtyShoe
from shoetool.cli import build
from shoetool.model.file_kinds import PNG, SVG
from shoetool.model.protocol_table import Pass
from shoetool.report.pass_plot import pass_figure, pass_picture, printed_word
from shoetool.report.pass_track import track
from shoetool.wire.answers import TracePass
from traced_passes import THROUGH, pulled, served

SLOW_END = ((30_000, 2000), (30_000, -2_000_000), (THROUGH, 700))
PASSES = {
    "card": pulled(25),
    "put right": pulled(40, 2, flipped=(7,)),
    "stopped": pulled(11, moves=SLOW_END),
    "blank": pulled(None, kind=Pass.BLANK),
    "hidden": pulled(25, lost=(9,)),
    "cut off": TracePass(0, 0, Pass.BLOCKED, pulled(25).edges[:40]),
    "flicker": TracePass(0, 0, Pass.BLOCKED, tuple((300, (0, 2, 6, 4)[at & 3]) for at in range(192))),
    "nothing": TracePass(0, 9, 99, ()),
}


def words(figure: Figure) -> str:
    return " ".join(one.get_text().replace("\n", " ") for one in figure.findobj(Text))


@pytest.mark.parametrize("name", ["put right", "stopped", "blank", "cut off", "flicker", "nothing"])
def test_no_text_of_a_drawing_touches_another_or_leaves_the_picture(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas = FigureCanvasAgg(pass_figure(PASSES[name]))
    drawn: list[Text] = []
    draw = Text.draw
    monkeypatch.setattr(Text, "draw", lambda text, renderer: (drawn.append(text), draw(text, renderer)))
    canvas.draw()
    wide, high = canvas.get_width_height()
    boxes = [(one.get_text(), one.get_window_extent()) for one in drawn if one.get_text().strip() and one.get_visible()]
    assert len(boxes) > 5
    for text, box in boxes:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= wide and box.y1 <= high, text
    for (text, box), (other, beside) in combinations(boxes, 2):
        assert not box.padded(-0.5).overlaps(beside.padded(-0.5)), (text, other)


def test_a_drawing_says_what_passed_how_fast_and_has_units_on_its_axes() -> None:
    figure = pass_figure(PASSES["card"])
    told = words(figure)
    for part in ("Pass 0 · side A · card · K♦ of batch 1", "26 clock marks", "0.50 m/s", "2.2 mm after the first mark"):
        assert part in told, part
    labels = {axes.get_xlabel() for axes in figure.axes} | {axes.get_ylabel() for axes in figure.axes}
    assert {"time from the first edge (ms)", "place along the code (mm)", "speed (m/s)", "margin (mm)"} <= labels
    assert "cell 8 was put right" in words(pass_figure(PASSES["put right"]))
    assert "25 clock marks (a card has 26)" in words(pass_figure(PASSES["hidden"]))
    assert "the trace ends before the card had left" in words(pass_figure(PASSES["cut off"]))


def explained(one: TracePass) -> set[str]:
    return {text.get_text() for legend in pass_figure(one).legends for text in legend.get_texts()}


def test_an_arrow_and_a_limit_are_explained_where_they_are_drawn() -> None:
    arrow, limit = "more than 1.00 mm", "3.3 m/s: too fast for a head"
    assert not {arrow, limit} & explained(PASSES["card"])
    assert explained(PASSES["hidden"]) - explained(PASSES["card"]) == {arrow}
    assert explained(pulled(25, moves=((THROUGH, 2500),))) - explained(PASSES["card"]) == {limit}


def test_a_card_has_a_name_only_where_the_shoe_read_one() -> None:
    """All 26 cells are those of the king of diamonds, whatever the shoe said."""
    bits = [cell.dark for cell in track(PASSES["card"]).cells]
    assert printed_word(Pass.CARD, bits) == printed_word(Pass.FOREIGN_BATCH, bits) == (25, 1)
    for kind in set(Pass) - {Pass.CARD, Pass.FOREIGN_BATCH}:
        assert printed_word(kind, bits) is None
    assert "K♦" not in words(pass_figure(pulled(25, kind=Pass.UNREADABLE)))
    assert printed_word(Pass.CARD, [not bit for bit in bits[:2]] + bits[2:]) is None, "two cells are wrong"
    assert printed_word(Pass.CARD, bits[:-1]) is None, "where a mark is hidden the code alone does not say which"


def test_bits_over_time_stand_there_all_or_not_at_all() -> None:
    for name, over_time in (("card", 26), ("stopped", 0)):
        lines, bits, *_ = pass_figure(PASSES[name]).axes
        assert [len([one for one in axes.texts if one.get_text() in "01"]) for axes in (lines, bits)] == [over_time, 26]


def test_the_same_pass_gives_the_same_picture_whatever_style_the_user_has(monkeypatch: pytest.MonkeyPatch) -> None:
    first = pass_picture(PASSES["card"], "svg")
    monkeypatch.setitem(matplotlib.rcParams, "figure.facecolor", "black")
    assert pass_picture(PASSES["card"], "svg") == first


@pytest.fixture
def shoe() -> Iterator[PtyShoe]:
    with PtyShoe() as shoe:
        kept = [pulled(25), pulled(52, kind=Pass.COVER_CARD, head=1, index=1)]
        shoe.service.trace = lambda index, offset: served(kept, index, offset)  # type: ignore[method-assign]
        yield shoe


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build(), ["trace", *arguments])


def test_one_pass_is_the_file_that_was_named(shoe: PtyShoe, tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "pass.svg"
    done = run("--plot", str(path), "--port", shoe.port)
    assert done.exit_code == 0 and done.stdout.splitlines()[1] == str(path)
    assert ElementTree.parse(path).getroot().tag.endswith("svg") and kind_at(path) is SVG
    assert run("--plot", str(path), "--port", shoe.port).exit_code == 0, "a drawing takes the place of a drawing"


def test_several_passes_have_a_file_each_with_the_number_of_the_pass(shoe: PtyShoe, tmp_path: Path) -> None:
    done = run("--last", "6", "--plot", str(tmp_path / "pass.PNG"), "--json", "--port", shoe.port)
    assert done.exit_code == 0, done.output
    files = json.loads(done.stdout)["files"]
    assert files == [str(tmp_path / f"pass-{number}.PNG") for number in (0, 1)]
    for file in files:
        with Image.open(file) as picture:
            assert kind_at(Path(file)) is PNG and picture.format == "PNG" and picture.width == 1650


def test_a_file_of_another_kind_is_rejected_before_the_shoe_is_asked(tmp_path: Path) -> None:
    done = run("--plot", str(tmp_path / "pass.jpg"), "--port", "/no/shoe")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1 and ".svg or .png" in done.stderr
    assert not list(tmp_path.iterdir())
