"""A case as PDF pages of A4: the words of `told`, laid out by ReportLab."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor, black, white
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)
from reportlab.platypus.tables import TableStyle

from shoetool.case.sheet_font import BOLD, REGULAR, drawable, make_known, unprinted
from shoetool.case.told import DealtRow, Face, FindingRow, HandRow, PositionRow, Told

_RED_SUIT: Final = re.compile("[♦♥]")
_MARGIN: Final = 18 * mm
_WIDE: Final = A4[0] - 2 * _MARGIN
_RED, _SOFT, _EDGE, _BACK = HexColor("#b3161b"), HexColor("#555b66"), HexColor("#9aa1ab"), HexColor("#3b5b92")
_LINE: Final = HexColor("#cfd4da")

_BODY: Final = ParagraphStyle("body", fontName=REGULAR, fontSize=8.5, leading=11)
_SMALL: Final = ParagraphStyle("small", _BODY, fontSize=7.5, leading=9.5, textColor=_SOFT)
_NUMBER: Final = ParagraphStyle("number", _BODY, alignment=TA_RIGHT)
_HEAD: Final = ParagraphStyle("head", _BODY, fontName=BOLD, textColor=_SOFT)
_TITLE: Final = ParagraphStyle("title", _BODY, fontName=BOLD, fontSize=17, leading=21)
_SECTION: Final = ParagraphStyle("section", _BODY, fontName=BOLD, fontSize=11, leading=14, spaceBefore=10, spaceAfter=4)
_KEPT: Final = ParagraphStyle("kept section", _SECTION, keepWithNext=1)
_PART: Final = ParagraphStyle("part", _BODY, fontName=BOLD, spaceBefore=6, spaceAfter=2, keepWithNext=1)
_ROWS: Final = TableStyle(
    [
        ("FONTNAME", (0, 0), (-1, -1), REGULAR),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 6),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
)
_PLAIN: Final = TableStyle(
    [("FONTNAME", (0, 0), (-1, -1), REGULAR), ("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)]
)
_HANDS: Final = 3
"""Hands beside each other."""


def case_sheet(told: Told, made: str, version: str) -> bytes:
    """Return the case as a PDF. made: when, with its zone."""
    make_known()
    foot = f"{told.title}, {told.subtitle} · made by shoetool {version} at {made}"

    def footer(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont(REGULAR, 7)
        canvas.setFillColor(_SOFT)
        canvas.drawString(_MARGIN, 10 * mm, drawable(foot))
        canvas.drawRightString(A4[0] - _MARGIN, 10 * mm, f"page {document.page}")

    frame = Frame(_MARGIN, 16 * mm, _WIDE, A4[1] - 32 * mm, 0, 0, 0, 0)
    out = io.BytesIO()
    # past output_file: into memory.
    document = BaseDocTemplate(
        out,
        pagesize=A4,
        title=f"{told.title}, {told.subtitle}",
        author="shoetool",
        invariant=1,
        lang="en",
        initialFontName=REGULAR,
    )
    document.addPageTemplates(PageTemplate(frames=[frame], onPage=footer))
    document.build(list(_not_alone(_flow(told))))
    return out.getvalue()


def _not_alone(flow: Iterable[Flowable]) -> Iterator[Flowable]:
    """Begin a new page where a heading would stand at the foot of one, without what it heads."""
    for one in flow:
        if isinstance(one, Paragraph) and one.style is _SECTION:
            yield CondPageBreak(30 * mm)
        yield one


def _flow(told: Told) -> Iterator[Flowable]:
    yield Paragraph(_ink(told.title), _TITLE)
    yield Paragraph(_ink(told.subtitle), _SMALL)
    if told.redacted:
        yield Paragraph(
            "<b>Card data is left out of this copy:</b> faces, counts, and sentences that tell them.", _BODY
        )
    if left := unprinted(_texts(told)):
        yield Paragraph(_ink(left), _SMALL)
    yield Spacer(1, 4 * mm)
    yield _table([(label, value) for label, value in told.identity], (42 * mm, _WIDE - 42 * mm))
    yield Paragraph("Cards in the order of the deal", _SECTION)
    yield _Deal(told.dealt) if told.dealt else Paragraph("No card was drawn in this round.", _BODY)
    noted = [one for one in told.dealt if one.note]
    for one in noted:
        yield Paragraph(_ink(f"Card {one.order} (record {one.record}): {one.note}."), _SMALL)
    yield Paragraph("Hands at the end", _SECTION)
    cells = [list(map(_hand, told.hands[at : at + _HANDS])) for at in range(0, len(told.hands), _HANDS)]
    yield Table([[*row, *[""] * (_HANDS - len(row))] for row in cells], _WIDE / _HANDS, style=_PLAIN)
    yield Paragraph("Decisions", _SECTION)
    rows = [(time, sentence, str(record)) for time, sentence, record in told.decisions]
    yield from _headed(("Time", "What", "Record"), rows, (30 * mm, _WIDE - 50 * mm, 20 * mm), "None is recorded.")
    yield Paragraph("Wagers", _KEPT)  # with the first position's heading and table
    if told.unsettled:
        yield Paragraph(_ink(told.unsettled), _BODY)
    for position in told.positions:
        yield from _wagers(position)
    for text in (told.totals, *told.remarks):
        if text:
            yield Paragraph(_ink(text), _PART)
    yield Paragraph("Findings of this round", _SECTION)
    yield from _findings(told.findings, "None in what could be checked.")
    yield Paragraph("The history that this rests on", _SECTION)
    for text in (told.headline, told.others, *told.signature, *told.notes):
        if text:
            yield Paragraph(_ink(text), _BODY)
    yield from _findings(told.history_findings, "")
    yield Paragraph("What is not known", _SECTION)
    for text in told.missing or ("Nothing was found missing.",):
        yield Paragraph(_ink(text), _BODY)
    if told.records:
        yield Paragraph("Record by record", _SECTION)
        rows = [(str(record), time, sentence) for record, time, sentence in told.records]
        yield from _headed(("Record", "Time", "What it says"), rows, (18 * mm, 30 * mm, _WIDE - 48 * mm), "")
    yield KeepTogether(
        [Paragraph("Decision", _SECTION), *map(_Blank, ("Analyst", "Date", "Decision", "", "Signature"))]
    )


def _hand(hand: HandRow) -> list[Any]:
    row = _Row(hand.faces, _WIDE / _HANDS)
    return [Paragraph(_ink(hand.who), _PART), row, Paragraph(_ink(hand.words), _BODY)]


def _wagers(position: PositionRow) -> Iterator[Flowable]:
    yield Paragraph(_ink(f"{position.who}: due {position.due}"), _PART)
    wide = (34 * mm, 17 * mm, 18 * mm, 20 * mm, 22 * mm)
    rows: list[Sequence[Any]] = [[_headline(text) for text in ("Wager", "Staked", "Odds", "Due", "Paid", "Clause")]]
    for one in position.wagers:
        paid = _ink(one.paid or "not told") + (f'<br/><font color="{_hex(_RED)}"><b>differs</b></font>' * one.differs)
        reasons = "<br/>".join(f"<b>{_ink(clause)}</b> {_ink(sense)}" for clause, sense in one.reasons)
        cells = [(one.wager, _BODY), (one.staked, _NUMBER), (one.odds, _BODY), (one.due, _NUMBER)]
        rows.append(
            [Paragraph(_ink(text), style) for text, style in cells]
            + [Paragraph(paid, _NUMBER), Paragraph(reasons, _SMALL)]
        )
    yield Table(rows, (*wide, _WIDE - sum(wide)), style=_ROWS, repeatRows=1)
    for text, differs in position.paid:
        yield Paragraph(("<b>Differs:</b> " if differs else "") + _ink(text), _BODY)


def _findings(rows: Sequence[FindingRow], none: str) -> Iterator[Flowable]:
    if not rows and none:
        yield Paragraph(none, _BODY)
    for one in rows:
        lines = [f"<b>{_ink(one.mark)}</b> {_ink(one.clause)}", _ink(one.sentence)]
        yield Paragraph("<br/>".join(filter(None, lines)), _BODY)
        more = [one.proof, f"Reading taken: {one.reading}" if one.reading else ""]
        yield Paragraph("<br/>".join(_ink(text) for text in more if text), _SMALL)


def _headed(
    names: Sequence[str], rows: Sequence[Sequence[str]], wide: Sequence[float], none: str
) -> Iterator[Flowable]:
    if rows:
        yield _table(rows, wide, [_headline(name) for name in names])
    elif none:
        yield Paragraph(none, _BODY)


def _table(rows: Iterable[Sequence[str]], wide: Sequence[float], head: Sequence[Flowable] = ()) -> Table:
    cells: list[Sequence[Any]] = [head] if head else []
    cells += [[Paragraph(_ink(text), _BODY) for text in row] for row in rows]
    return Table(cells, wide, style=_ROWS, repeatRows=1 if head else 0)


def _headline(text: str) -> Paragraph:
    return Paragraph(text, _HEAD)


def _hex(colour: Any) -> str:
    return "#" + str(colour.hexval())[2:]


def _ink(text: str) -> str:
    """Text as markup of a paragraph; hearts and diamonds are red."""
    return _RED_SUIT.sub(rf'<font color="{_hex(_RED)}">\g<0></font>', escape(drawable(text)))


def _texts(told: Any) -> Iterator[str]:
    """Every text of a case, whatever it stands in."""
    if isinstance(told, str):
        yield told
    elif is_dataclass(told):
        for one in fields(told):
            yield from _texts(getattr(told, one.name))
    elif isinstance(told, Iterable):
        for one in told:
            yield from _texts(one)


def _draw_card(canvas: Canvas, x: float, y: float, face: Face) -> None:
    """Draw a card with its lower left corner at (x, y)."""
    wide, high = _Row.WIDE, _Row.HIGH
    canvas.setLineWidth(0.6)
    canvas.setStrokeColor(_EDGE)
    canvas.setFillColor(white if face.rank else _BACK)
    canvas.roundRect(x, y, wide, high, 1.2 * mm, stroke=1, fill=1)
    if not face.rank:
        return
    canvas.setFillColor(_RED if face.red else black)
    canvas.setFont(BOLD, 11)
    canvas.drawCentredString(x + wide / 2, y + high * (0.56 if face.suit else 0.4), drawable(face.rank))
    if face.suit:
        canvas.setFont(REGULAR, 12)
        canvas.drawCentredString(x + wide / 2, y + high * 0.16, face.suit)


class _Row(Flowable):  # type: ignore[misc]
    """Cards side by side, in as many rows as they need."""

    WIDE, HIGH, GAP = 9 * mm, 12.5 * mm, 1.5 * mm

    def __init__(self, faces: Sequence[Face], wide: float) -> None:
        super().__init__()
        self._faces = faces
        self._across = int(wide // (self.WIDE + self.GAP))

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """Return its size."""
        return wide, -(-len(self._faces) // self._across) * (self.HIGH + self.GAP)

    def draw(self) -> None:
        """Draw it, the first row on top."""
        rows = -(-len(self._faces) // self._across)
        for place, face in enumerate(self._faces):
            row, column = divmod(place, self._across)
            _draw_card(
                self.canv, column * (self.WIDE + self.GAP), (rows - 1 - row) * (self.HIGH + self.GAP) + self.GAP, face
            )


class _Deal(Flowable):  # type: ignore[misc]
    """The cards in the order of the deal, each with its number, place and time below it. It may break between rows."""

    HIGH, ACROSS = 25 * mm, 9

    def __init__(self, rows: Sequence[DealtRow]) -> None:
        super().__init__()
        self._rows = rows

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """Return its size."""
        return wide, -(-len(self._rows) // self.ACROSS) * self.HIGH

    def split(self, wide: float, high: float) -> list[Flowable]:
        """Return the part that fits into `high`, and the rest."""
        fits = int(high // self.HIGH) * self.ACROSS
        return [_Deal(self._rows[:fits]), _Deal(self._rows[fits:])] if fits else []

    def draw(self) -> None:
        """Draw it, the first row on top."""
        rows = -(-len(self._rows) // self.ACROSS)
        step = _WIDE / self.ACROSS
        for place, one in enumerate(self._rows):
            row, column = divmod(place, self.ACROSS)
            x, y = column * step, (rows - 1 - row) * self.HIGH
            _draw_card(self.canv, x + (step - _Row.WIDE) / 2, y + 11 * mm, one.face)
            self.canv.setFillColor(black)
            self.canv.setFont(BOLD, 6.5)
            self.canv.drawCentredString(x + step / 2, y + 8.2 * mm, drawable(f"{one.order}  {one.where}"))
            self.canv.setFont(REGULAR, 6)
            self.canv.drawCentredString(x + step / 2, y + 5.4 * mm, drawable(one.time))


class _Blank(Flowable):  # type: ignore[misc]
    """A line to write on, with what to write."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self._label = label

    def wrap(self, wide: float, high: float) -> tuple[float, float]:
        """Return its size."""
        return wide, 11 * mm

    def draw(self) -> None:
        """Draw it."""
        self.canv.setFont(REGULAR, 8.5)
        self.canv.drawString(0, 2 * mm, self._label)
        self.canv.setLineWidth(0.5)
        self.canv.line(26 * mm, 1 * mm, _WIDE, 1 * mm)
