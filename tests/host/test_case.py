"""`shoetool case`: what the file of a dispute tells, what it leaves out, and what it says is not known."""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest
import shoetool
from case_files import history, run, table_record, two_shoes, words
from jsonschema import Draft202012Validator
from pypdf import PdfReader
from shoetool.case.sheet_font import drawable
from shoetool.history.store import ShoelogReader
from shoetool.model.cards import card_name, card_words
from shoetool.model.money import dollars, signed
from shoetool.model.protocol_table import Game, RecordKind
from shoetool.rules.submission.file import example
from shoetool.table.replay import rounds
from shoetool.verify import verify
from signed_histories import signed_file
from table_session import session

SCHEMA = Path(__file__).resolve().parents[2] / "host_tools/shoetool/schemas/case.schema.json"
ANY_CARD = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]|of (?:clubs|diamonds|hearts|spades)")


class Tags(HTMLParser):
    """Collects the attributes of a page that would ask for another file."""

    def __init__(self) -> None:
        super().__init__()
        self.asking: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.asking += [(tag, name) for name, _ in attrs if name in ("src", "href", "srcset", "data", "action")]
        assert tag != "script"


def page(folder: Path) -> str:
    (found,) = folder.glob("*.html")
    return found.read_text(encoding="utf-8")


def sheet_words(folder: Path) -> str:
    """The texts that the PDF draws."""
    (found,) = folder.glob("*.pdf")
    return " ".join(" ".join(page.extract_text() for page in PdfReader(found).pages).split())


def test_a_wrong_payment_stands_beside_what_was_due_with_its_clause(tmp_path: Path) -> None:
    night = history(tmp_path / "night.shoelog")
    record, number = table_record(tmp_path / "night.jsonl", "overpaid")
    done = run("case", night, "--round", number, "--table-record", record, "--out", tmp_path / "case", "--json")
    assert done.exit_code == 1, done.output
    document = json.loads(done.stdout)
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(document)
    (wrong,) = document["differences"]
    assert wrong["paid"] - wrong["due"] == 500 and document["settled"]
    paid, due = signed(wrong["paid"]), signed(wrong["due"])
    for text in (words(page(tmp_path / "case")), sheet_words(tmp_path / "case")):
        assert paid in text and due in text and "differs" in text and wrong["clauses"][0] in text
        assert "BREACH" in text and document["findings"][0]["clause"] in text


def test_every_card_stands_in_the_order_of_the_deal(tmp_path: Path) -> None:
    """Order, face and place, against the replay of the same history."""
    night = history(tmp_path / "night.shoelog")
    for number in (2, 5):
        out = tmp_path / str(number)
        assert run("case", night, "--round", number, "--out", out).exit_code == 0
        html = page(out)
        shown = re.findall(r'<li><span class="card[^"]*" role="img" aria-label="([^"]*)"', html)
        with ShoelogReader(night) as reader:
            dealt = next(one for one in rounds(reader.records()) if one.number == number)
        cards = {one.card.record: one.card for one in dealt.placed}
        assert shown == [card_words(cards[record].card) for record in sorted(cards)] and len(shown) > 5
        sheet = sheet_words(out)
        assert all(re.search(rf"\b{order} (?:position \d|the [a-z]+)", sheet) for order in range(1, len(shown) + 1))


def test_every_wager_of_every_round_is_told_with_stake_due_and_clause(tmp_path: Path) -> None:
    """Against what `settle` says of the same lines."""
    night = history(tmp_path / "night.shoelog")
    record, _ = table_record(tmp_path / "night.jsonl")
    settled = json.loads(run("settle", record, "--history", night, "--json").stdout)["files"][0]["rounds"]
    for one in settled[:6]:
        out = tmp_path / str(one["round"])
        assert run("case", night, "--round", one["round"], "--table-record", record, "--out", out).exit_code == 0
        text = words(page(out))
        for line in one["settled"]["lines"]:
            if line["position"] is not None:
                assert dollars(line["staked"]) in text and signed(line["net"]) in text
                assert f"{line['clause']} {line['words']}" in text


def test_what_is_left_out_is_nowhere_in_a_redacted_copy(tmp_path: Path) -> None:
    night = history(tmp_path / "night.shoelog")
    record, number = table_record(tmp_path / "night.jsonl", "overpaid")
    words_of = ("case", night, "--round", number, "--table-record", record)
    assert ANY_CARD.search(page(tmp_path / "open") if run(*words_of, "--out", tmp_path / "open") else "")
    assert run(*words_of, "--out", tmp_path / "closed", "--redact").exit_code == 1
    html = page(tmp_path / "closed")
    with ShoelogReader(night) as reader:
        dealt = next(one for one in rounds(reader.records()) if one.number == number)
    names = {card_name(one.card.card) for one in dealt.placed}
    for text in (html, sheet_words(tmp_path / "closed")):
        assert not ANY_CARD.search(text) and not any(name in text for name in names)
        assert not re.search(r"\b(bust|stand|Blackjack, paid|soft \d)", text), "an end tells a count"
        assert "left out of this copy" in text
    assert "Card data is left out" in html and "BREACH" in html


def test_a_card_that_lies_face_down_is_a_back(tmp_path: Path) -> None:
    """A history that ends before the hole card is turned."""
    turned = next(one for one in session(Game.BLACKJACK, 71) if one.kind == RecordKind.REVEALED)
    night = history(tmp_path / "night.shoelog", until=turned.number)
    with ShoelogReader(night) as reader:
        last = list(rounds(reader.records()))[-1]
    done = run("case", night, "--round", last.number, "--out", tmp_path / "case")
    text = words(page(tmp_path / "case"))
    assert "1 of its cards still lie face down" in done.stdout and "was closed" in done.stdout
    assert "dealt face down, not opened" in text and "face down 1" in f"{text}"
    assert "dealt face down, not opened" in sheet_words(tmp_path / "case")


def test_what_is_missing_is_told_and_never_paid(tmp_path: Path) -> None:
    night = history(tmp_path / "night.shoelog")
    bare = run("case", night, "--round", 2, "--out", tmp_path / "bare")
    assert bare.exit_code == 0 and "No table record was given" in bare.stdout
    assert "payments not known" in bare.stdout and "not as due" not in bare.stdout
    assert "No table record was given" in sheet_words(tmp_path / "bare")
    record, _ = table_record(tmp_path / "night.jsonl")
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    second = next(line for line in lines if line.get("history", {}).get("round") == 2)
    del second["paid"]
    record.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    unpaid = run("case", night, "--round", 2, "--table-record", record, "--out", tmp_path / "unpaid")
    text = words(page(tmp_path / "unpaid"))
    assert "not told" in text and "The table record does not tell of this round: payments." in unpaid.stdout
    assert "payments not known" in unpaid.stdout and "not as due" not in unpaid.stdout
    record.write_text("\n".join(json.dumps(line) for line in lines if line is not second), encoding="utf-8")
    gone = run("case", night, "--round", 2, "--table-record", record, "--out", tmp_path / "gone")
    assert "has no line for this round" in gone.stdout and "Odds" not in words(page(tmp_path / "gone"))
    record.write_text(
        "\n".join(json.dumps(line) for line in [*lines[:2], second, second, *lines[2:]]), encoding="utf-8"
    )
    twice = run("case", night, "--round", 2, "--table-record", record, "--out", tmp_path / "twice")
    assert "lines for this round" in twice.stdout and "Odds" not in words(page(tmp_path / "twice"))


def test_the_signature_is_told_with_what_it_covers(tmp_path: Path) -> None:
    plain = history(tmp_path / "plain.shoelog")
    run("case", plain, "--round", 2, "--out", tmp_path / "plain")
    assert "not signed" in words(page(tmp_path / "plain")) and "It covers every record" not in words(
        page(tmp_path / "plain")
    )
    signed = signed_file(tmp_path)
    assert verify(signed).summary.signatures[0].good
    run("case", signed, "--round", 1, "--out", tmp_path / "signed")
    text = words(page(tmp_path / "signed"))
    assert "nobody knows by whom" in text and "It covers every record of this round." in text
    assert "It covers every record of this round." in sheet_words(tmp_path / "signed")


def test_a_hostile_text_stays_text(tmp_path: Path) -> None:
    """A player's name in the table record, and the name of the history itself."""
    night = history(tmp_path / "<img src=x onerror=alert(1)>.shoelog")
    record, _ = table_record(tmp_path / "night.jsonl")
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        for seat in line.get("positions", []):
            seat["player"] = f"<script>alert('♥\u202e{seat.get('player')}')</script>"
    record.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run("case", night, "--round", 2, "--table-record", record, "--out", tmp_path / "case").exit_code == 0
    html = page(tmp_path / "case")
    assert "<script" not in html and "<img" not in html and "\u202e" not in html and "&lt;script&gt;" in html
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html
    tags = Tags()
    tags.feed(html)
    assert not tags.asking and not re.search(r"url\(|@import", html), "the page asks no network"
    assert "alert" in sheet_words(tmp_path / "case")


@pytest.mark.parametrize(
    ("words_of", "said"),
    [
        (("--round", "99"), "night.shoelog: holds no round 99; it has rounds 1 to "),
        ((), "name one with --round"),
        (("--round", "2", "--table", "blackjack"), "--table goes with --table-record"),
        (("--round", "2", "--table-record", "nowhere.jsonl"), "nowhere.jsonl"),
        (("--round", "2", "--out", "night.shoelog"), "is a file"),
    ],
)
def test_bad_input_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words_of: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    history(tmp_path / "night.shoelog")
    done = run("case", "night.shoelog", *words_of)
    assert done.exit_code == 2 and said in done.output and "Traceback" not in done.output
    assert not list(tmp_path.glob("*.html"))


def test_a_program_has_the_same_case_and_writes_the_same_files(tmp_path: Path) -> None:
    night = history(tmp_path / "night.shoelog")
    record, number = table_record(tmp_path / "night.jsonl", "overpaid")
    case = shoetool.case_of(night, number, record)
    assert case.settled is not None and len(case.settled.differences) == 1 and len(case.findings) == 1
    written, sheet = shoetool.write_case(case, tmp_path / "program")
    assert run("case", night, "--round", number, "--table-record", record, "--out", tmp_path / "command").exit_code == 1
    alike = [re.sub(r"Made by shoetool .*", "", page(tmp_path / name)) for name in ("program", "command")]
    assert alike[0] == alike[1] and sheet.exists() and written.parent == sheet.parent
    with pytest.raises(shoetool.BadInput, match=r"holds no round 99; it has rounds 1 to \d+$"):
        shoetool.case_of(night, 99)


def test_a_program_writes_the_report_of_a_night(tmp_path: Path) -> None:
    night = history(tmp_path / "night.shoelog")
    record, _ = table_record(tmp_path / "night.jsonl")
    nights, rows = shoetool.nights_of([night], record, shoetool.load_rules(rules_file(tmp_path)))
    assert [case.settled is not None for case in nights[0].cases] == [True] * len(nights[0].cases)
    made = shoetool.write_report(nights, rows, tmp_path / "report.html", tmp_path / "csv")
    assert "Rounds settled" in words(made.read_text(encoding="utf-8")) and (tmp_path / "csv" / "wagers.csv").exists()


def rules_file(folder: Path) -> Path:
    path = folder / "table-7.toml"
    path.write_text(example("blackjack"), encoding="utf-8")
    return path


def test_of_very_many_rounds_that_fit_the_first_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search ends there, before the whole history is verified."""
    monkeypatch.setattr("shoetool.case.gather.MOST_NAMED", 2)
    monkeypatch.setattr("shoetool.case.gather.verify", lambda *_: pytest.fail("verified for nothing"))
    found = run("case", history(tmp_path / "night.shoelog"))
    assert found.exit_code == 2 and "these are more than 2 rounds (1 of shoe 3, 2 of shoe 3, ...)" in found.output


def test_a_round_is_found_by_its_shoe_too(tmp_path: Path) -> None:
    """A history that holds two shoes has two rounds of one number."""
    whole = two_shoes(tmp_path / "night.shoelog")
    found = run("case", whole, "--round", 2, "--out", tmp_path)
    assert found.exit_code == 2 and "2 of shoe 1, 2 of shoe 2" in found.output
    assert run("case", whole, "--round", 2, "--shoe", 2, "--out", tmp_path).exit_code == 0
    assert (tmp_path / "case-shoe-2-round-2.html").is_file()
    found = run("case", whole, "--round", 2, "--shoe", 99, "--out", tmp_path)
    assert found.exit_code == 2 and "holds no round 2 in shoe 99; it has shoes 1 to 2" in found.output
    found = run("case", whole, "--round", 99, "--shoe", 2, "--out", tmp_path)
    assert found.exit_code == 2 and "holds no round 99 in shoe 2; it has rounds 1 to " in found.output
    found = run("case", whole, "--at", "2001-01-01 09:00", "--shoe", 2, "--out", tmp_path)
    assert found.exit_code == 2 and "holds no round of that time in shoe 2; " in found.output


@pytest.mark.parametrize(
    ("rounds", "shoe", "said"),
    [
        ((2, 0), 2, "holds no round 1 in shoe 2; it has no round"),
        ((2, 0), 3, "holds no round 1 in shoe 3; it has shoes 1 to 2"),
        ((0, 0), 1, "holds no round 1 in shoe 1; it has no round"),
        ((0, 0), 3, "holds no round 1 in shoe 3; it has shoes 1 to 2"),
    ],
)
def test_a_shoe_in_which_no_round_began_is_there_all_the_same(
    tmp_path: Path, rounds: tuple[int, int], shoe: int, said: str
) -> None:
    """It was loaded, and no more. Whoever hears that it is not there looks for another file."""
    found = run("case", two_shoes(tmp_path / "night.shoelog", *rounds), "--round", 1, "--shoe", shoe, "--out", tmp_path)
    assert found.exit_code == 2 and f"{said}\n" in found.output


NAMES = "Łukasz Дмитрий Đặng Ελένη Þórr Őry"


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_of_many_alphabets_are_printed_and_what_cannot_be_is_told(tmp_path: Path, form: str) -> None:
    night = history(tmp_path / unicodedata.normalize(form, f"{NAMES} 李 אב.shoelog"))
    assert run("case", night, "--round", 2, "--out", tmp_path).exit_code == 0
    (sheet,) = tmp_path.glob("*.pdf")
    text = sheet_words(tmp_path)
    assert f"{NAMES} \\u674e \\u05d0\\u05d1.shoelog" in text
    assert "\\u05d0 is hebrew letter alef; \\u05d1 is hebrew letter bet; \\u674e is cjk unified ideograph-674e" in text
    assert f"{NAMES} 李 אב.shoelog" in unicodedata.normalize("NFC", words(page(tmp_path)))
    fonts = [font for one in PdfReader(sheet).pages for font in one["/Resources"]["/Font"].values()]
    assert fonts and all("/FontFile2" in font["/FontDescriptor"] for font in fonts), "every font is in the sheet"


def test_a_sheet_that_prints_every_letter_says_nothing_of_letters(tmp_path: Path) -> None:
    night = history(tmp_path / f"{NAMES}.shoelog")
    assert run("case", night, "--round", 2, "--out", tmp_path).exit_code == 0
    assert "cannot be printed" not in sheet_words(tmp_path)


def test_letters_that_must_be_joined_or_put_in_order_are_never_printed_as_they_come() -> None:
    """The font has them, and would print them wrong."""
    for text in ("سلام", "שלום", "a\u0301\u0323x\u0331\u0301"):
        assert "\\u" in drawable(text)
    assert drawable("e\u0301") == "é"


def test_no_heading_of_the_sheet_stands_alone_at_the_foot_of_a_page(tmp_path: Path) -> None:
    night = history(tmp_path / "night.shoelog")
    record, _ = table_record(tmp_path / "night.jsonl")
    heads = re.compile(
        r"Wagers|Decisions?|Findings of this round|Record by record|What is not known|Position \d.*: due .*"
    )
    pages = 0
    for number in (1, 3, 5, 7):
        assert run("case", night, "--round", number, "--table-record", record, "--out", tmp_path).exit_code in (0, 1)
        for page in PdfReader(tmp_path / f"case-shoe-3-round-{number}.pdf").pages:
            lines = [line for line in page.extract_text().splitlines() if not re.match(r"Round .* made by|page ", line)]
            assert not heads.fullmatch(lines[-1]), (number, lines[-1])
            pages += 1
    assert pages > 8
