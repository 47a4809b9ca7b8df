"""Verify on whole shoes: a legal game has no finding, each planted irregularity has exactly its own."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
from checks_page import OUTPUT, checks_document
from dealer_script import Dealer, Table, shoe
from histories import cut_pages
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from shoetool.history.chain import gap
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import Game, ShoeKind
from shoetool.rules.games import clause_in
from shoetool.table.replay import Stream
from shoetool.verify import BREACH, CANNOT_TELL, CHECKS, HANDLED, Report, verify

SINGLE = Table()
DOUBLE = Table(kind=ShoeKind.DOUBLE, decks=8, seats=0b1011)
FREE_BET = Table(game=Game.FREE_BET, seats=0b111111)
SPANISH = Table(game=Game.SPANISH_21)
FACE_DOWN = Table(options=1, seats=0b10101)
TABLES = {"single": SINGLE, "double": DOUBLE, "free bet": FREE_BET, "spanish 21": SPANISH, "face down": FACE_DOWN}

PLANTS = {
    "no_burn": ("633a.7(c) batch", BREACH),
    "no_dealer_burn": ("633a.7(c) dealer", BREACH),
    "face_up_card": ("633a.14(a)", HANDLED),
    "drawn_in_error": ("633a.14(b)", HANDLED),
    "drawn_in_error_exposed": ("633a.14(c) use", HANDLED),
    "dealer_draws_on_17": ("633a.14(d)", HANDLED),
    "dealer_keeps_card_on_17": ("633a.14(d)", BREACH),
    "dealer_misses_card": ("633a.14(e)", HANDLED),
    "too_few_cards": ("633a.14(f) reshuffle", HANDLED),
    "refill_without_burn": ("633a.14(f) burn", BREACH),
    "hand_without_cards": ("633a.14(g) none", HANDLED),
    "hand_with_one_card": ("633a.14(g) one", HANDLED),
    "wrong_side": ("633a.14(h)", HANDLED),
    "missed_card": ("633a.14(i)", HANDLED),
    "cover_card_too_deep": ("633a.5(d) place", BREACH),
    "round_after_cover": ("633a.7(e)", BREACH),
    "missing_card": ("633a.7(e)(1)", BREACH),
    "extra_card": ("633a.3(a)", BREACH),
    "foreign_card": ("633a.3(c) backs", BREACH),
    "draw_after_stand": ("633a.7(k)", BREACH),
    "dealer_stops_short": ("633a.7(m)", BREACH),
    "hole_not_revealed": ("633a.7(l)", BREACH),
    "unreadable_card": ("633a.7(a)", CANNOT_TELL),
    "second_face_up": ("635a.13(a) more", HANDLED),
    "ten_found": ("635a.13(b) one", HANDLED),
    "second_ten": ("635a.13(b) more", HANDLED),
}
# What rightly comes with it: the first of two, an overfull count, too few draws, a shoe
# that runs out has no cover card in its place.
BESIDE = {
    "too_few_cards": {("633a.5(d) place", BREACH)},
    "refill_without_burn": {("633a.14(f) reshuffle", HANDLED), ("633a.5(d) place", BREACH)},
    "hole_not_revealed": {("633a.7(m)", BREACH)},
    "second_face_up": {("633a.14(a)", HANDLED)},
    "second_ten": {("635a.13(b) one", HANDLED)},
    "extra_card": {("633a.7(e)(2)", BREACH), ("633a.7(e)(1)", BREACH)},
}
SPANISH_ONLY = {"second_face_up", "ten_found", "second_ten"}
SINGLE_ONLY = {"no_burn", "no_dealer_burn", "too_few_cards", "refill_without_burn"}


def fits(plant: str, table: Table) -> bool:
    if plant in SPANISH_ONLY:
        return table.game == Game.SPANISH_21
    if plant == "wrong_side":
        return table.kind == ShoeKind.DOUBLE
    return not (plant in SINGLE_ONLY and table.kind == ShoeKind.DOUBLE)


def lines(report: Report) -> str:
    return "\n".join(f"{f.clause} {f.verdict} {f.sentence} {f.records}" for f in report.findings)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([Game.BLACKJACK, Game.FREE_BET, Game.SPANISH_21]),
    st.booleans(),
    st.integers(1, 127),
    st.integers(0, 1),
    st.integers(0, 1),
    st.integers(0, 100_000),
)
def test_any_legal_game_has_no_finding(
    game: Game, double: bool, seats: int, color: int, options: int, seed: int
) -> None:
    if game == Game.FREE_BET:
        seats &= 63
    kind = ShoeKind.DOUBLE if double and game == Game.BLACKJACK else ShoeKind.SINGLE
    report = verify(shoe(Table(game, kind, 8, seats or 1, color, options), seed).records)
    assert report.ok, lines(report)
    assert report.summary.complete


@pytest.mark.parametrize(
    ("name", "plant"), [(name, plant) for name, table in TABLES.items() for plant in PLANTS if fits(plant, table)]
)
def test_each_planted_irregularity_is_found_with_its_clause_and_no_other(name: str, plant: str) -> None:
    table = TABLES[name]
    planted = 0
    for seed in range(40):
        dealer = Dealer(table, seed, plant)
        script = dealer.play_shoe()
        if not dealer.planted:
            continue
        planted += 1
        report = verify(script.records)
        clause, verdict = PLANTS[plant]
        got = {(finding.clause, finding.verdict) for finding in report.findings}
        if plant == "drawn_in_error_exposed" and (clause_in(table.game, "633a.14(c) discard"), HANDLED) in got:
            clause = "633a.14(c) discard"  # nobody could use it
        if plant == "missing_card" and table.kind == ShoeKind.DOUBLE:
            clause = "633a.7(e)(2)"
        assert (clause_in(table.game, clause), verdict) in got, f"seed {seed}\n{lines(report)}"
        beside = {(clause_in(table.game, other), how) for other, how in BESIDE.get(plant, set())}
        assert got <= {(clause_in(table.game, clause), verdict)} | beside, f"seed {seed}\n{lines(report)}"
        if planted == 3:
            break
    assert planted, "it never happened"


@pytest.mark.parametrize("name", TABLES)
def test_a_prefix_of_a_legal_history_has_no_finding(name: str) -> None:
    """A pull in the middle of a shoe: nothing that has not happened yet is held against it."""
    records = shoe(TABLES[name], seed=11, most=6).records
    for end in range(0, len(records), 7):
        report = verify(records[:end])
        assert report.ok, f"after {end} records\n{lines(report)}"
        assert not report.summary.complete
        assert report.headline() == "0 findings in a part of a shoe"


def test_no_finding_names_a_card_that_lies_face_down() -> None:
    """Cut anywhere, whatever is planted: a sentence or list never holds the face of a card that is still sealed."""
    checked = 0
    for plant in PLANTS:
        table = SPANISH if plant in SPANISH_ONLY else DOUBLE if plant == "wrong_side" else SINGLE
        dealer = Dealer(table, 5, plant)
        script = dealer.play_shoe()
        opened = {r.sealed: (r.number, r.card) for r in script.records if r.name == "opened"}
        for end in range(20, len(script.records), 37):
            cut = script.records[:end]
            shown = {r.card for r in cut if r.name in ("card", "opened")}
            hidden = {card for number, (at, card) in opened.items() if number < end <= at} - shown
            for finding in verify(cut).findings:
                checked += 1
                assert not hidden & set(finding.cards)
                assert not any(card_name(card) in finding.sentence for card in hidden)
    assert checked > 100


def test_a_finding_lists_records_that_are_in_the_history() -> None:
    for plant in PLANTS:
        table = SPANISH if plant in SPANISH_ONLY else DOUBLE if plant == "wrong_side" else SINGLE
        script = Dealer(table, 2, plant).play_shoe()
        numbers = {record.number for record in script.records}
        for finding in verify(script.records).findings:
            assert set(finding.records) <= numbers and finding.records == tuple(sorted(finding.records))


def test_the_report_of_a_file_says_what_was_verified(tmp_path: Path) -> None:
    path = shoe(SINGLE, 1).write(tmp_path / "x.shoelog")
    report = verify(path)
    summary = report.summary
    assert report.headline() == "verified, 0 findings"
    assert (summary.device, summary.game, summary.decks, summary.shoes) == (b"TESTSHOE".hex(), "blackjack", 6, 1)
    assert summary.complete and summary.chain_ok and summary.face_down == 0
    assert (summary.first_record, summary.last_record) == (0, summary.records - 1)


def test_a_changed_page_is_a_breach(tmp_path: Path) -> None:
    script = shoe(SINGLE, 1)
    pages = script.pages()
    forged = list(script.records)
    at = next(i for i, r in enumerate(forged) if r.name == "card")
    forged[at] = forged[at]._replace(values=(*forged[at].values[:6], 999, 7))
    pages[0] = cut_pages(forged)[0]
    with ShoelogWriter(tmp_path / "x.shoelog") as writer:
        for page in pages:
            writer.append_page(page)
    report = verify(tmp_path / "x.shoelog")
    assert [(f.check, f.verdict) for f in report.findings] == [("7(s): records in sequence", BREACH)]
    assert not report.summary.chain_ok


def test_a_missing_page_is_told_and_what_it_tears_is_not_judged(tmp_path: Path) -> None:
    pages = shoe(Table(decks=8), 1).pages()
    assert len(pages) > 2
    with ShoelogWriter(tmp_path / "x.shoelog") as writer:
        for page in [pages[0], *pages[2:]]:
            writer.append_page(page)
    report = verify(tmp_path / "x.shoelog")
    assert {f.check for f in report.findings} == {"7(s): records in sequence"}, lines(report)
    assert {f.verdict for f in report.findings} == {CANNOT_TELL}


def test_a_half_written_file_is_verified_up_to_its_last_whole_page(tmp_path: Path) -> None:
    path = shoe(SINGLE, 1).write(tmp_path / "x.shoelog")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 5000])
    report = verify(path)
    assert [(f.check, f.verdict) for f in report.findings] == [("7(s): file cut off", CANNOT_TELL)], lines(report)
    assert not report.summary.complete and report.summary.cut and report.verdict == "findings"
    assert report.headline() == "incomplete: 0 findings in the records that are here; a part of the history is missing"
    assert any("half-written" in note for note in report.summary.notes)


def test_a_file_that_is_cut_within_a_round_is_not_said_of_the_round(tmp_path: Path) -> None:
    path = shoe(SINGLE, 1).write(tmp_path / "x.shoelog")
    data = path.read_bytes()
    inside = 0
    for length in range(len(data) - 1, 5000, -4096):
        path.write_bytes(data[:length])
        (found,) = (one for one in verify(path).findings if one.check == "7(s): file cut off")
        assert found.round is None and found.sentence.startswith("The file ends within a chunk"), found
        with ShoelogReader(path) as reader:
            replay = Stream()
            for record in reader.records():
                replay.feed(record)
        inside += replay.table.round is not None
    assert inside > 0


def test_a_whole_shoe_stays_verified_when_only_what_follows_it_is_cut(tmp_path: Path) -> None:
    path = shoe(SINGLE, 1).write(tmp_path / "x.shoelog")
    path.write_bytes(path.read_bytes() + b"CLOK\0")
    assert verify(path).verdict == "verified"


def test_a_file_without_any_record_proves_nothing(tmp_path: Path) -> None:
    path = shoe(SINGLE, 1).write(tmp_path / "x.shoelog")
    data = path.read_bytes()
    for length in (16, 20):
        path.write_bytes(data[:length])
        report = verify(path)
        assert [f.check for f in report.findings] == ["7(s): file cut off"] and report.summary.records == 0


def test_a_start_without_a_shoe_is_not_verified() -> None:
    from histories import Script

    script = Script()
    script.add("boot", 0, b"\0\1\0", 0, 1)
    script.add("configured", 7)
    report = verify(script.records)
    assert report.ok and report.verdict == "no shoe" and "nothing to verify" in report.headline()


def test_many_verdicts_are_counted_in_the_plural() -> None:
    from shoetool.verify import BREACH, HANDLED, Finding, Report, Summary

    def found(verdict: str, *records: int) -> Finding:
        return Finding("633a.5", "x", verdict, records, (), None, "x.", "x")

    two = [found(verdict, 1) for verdict in (BREACH, HANDLED, CANNOT_TELL)] * 2
    report = Report(two, Summary())
    assert report.headline() == "6 findings: 2 breaches, 2 irregularities handled, 2 cannot tell"
    assert Report(two[:2], Summary()).headline() == "2 findings: 1 breach, 1 irregularity handled"
    assert sorted([found(BREACH, 1, 9), found(BREACH, 3)], key=lambda one: one.order)[0].records == (3,)


def test_one_missing_page_is_said_in_the_singular(tmp_path: Path) -> None:
    pages = shoe(Table(decks=8), 1).pages()
    with ShoelogWriter(tmp_path / "x.shoelog") as writer:
        for page in [pages[0], *pages[2:]]:
            writer.append_page(page)
    found = [f for f in verify(tmp_path / "x.shoelog").findings if "Page 1 is missing" in f.sentence]
    assert found and found[0].records
    assert gap("record", 5, 9) == "records 5 to 9 are missing"


def test_a_history_that_begins_within_a_shoe_says_so_once() -> None:
    records = shoe(SINGLE, 1).records[60:]
    report = verify(records)
    assert [f.verdict for f in report.findings] == [CANNOT_TELL], lines(report)


def test_several_shoes_in_one_file_are_verified_one_after_the_other() -> None:
    from histories import Script

    script = Script()
    for seed in range(3):
        Dealer(SINGLE, seed, "", script).play_shoe(boot=seed == 0)
    report = verify(script.records)
    assert report.ok, lines(report)
    assert report.summary.shoes == 3


def test_the_report_follows_its_schema() -> None:
    document = json.loads((resources.files("shoetool") / "schemas" / "verify.schema.json").read_text())
    Draft202012Validator.check_schema(document)
    part = Draft202012Validator({"$ref": "#/$defs/report", "$defs": document["$defs"]})
    part.validate(verify([]).to_json())
    for plant in PLANTS:
        table = SPANISH if plant in SPANISH_ONLY else DOUBLE if plant == "wrong_side" else SINGLE
        part.validate(verify(Dealer(table, 3, plant).play_shoe().records).to_json())


def test_checks_md_is_the_registry() -> None:
    assert OUTPUT.read_text() == checks_document(), "run tests/coverage/checks_page.py"


def test_every_clause_of_the_registry_has_an_id_of_its_chapter() -> None:
    for check in CHECKS.values():
        assert check.clause.split(".")[0] in ("633a", "590", "635a", "633c")
        assert check.name.removeprefix("table ").split(":")[0] in check.clause


def test_memory_does_not_grow_with_the_history() -> None:
    """What replay and verify keep between records is the same after one shoe and after ten."""
    from histories import Script
    from shoetool.verify.engine import Verifier

    def kept(shoes: int) -> tuple[int, ...]:
        script = Script()
        for seed in range(shoes):
            Dealer(SINGLE, seed, "", script).play_shoe(boot=seed == 0)
        verifier = Verifier()
        verifier.feed_all(script.records)
        state = verifier.table
        return (
            len(state.face_down),
            len(state.held),
            len(verifier.commitments._sealed),
            len(verifier.ctx.findings),
            len(verifier.judge.burns.owed),
        )

    assert kept(1) == kept(10) == (0, 0, 0, 0, 0)


def test_a_reader_that_was_opened_by_the_caller_stays_open(tmp_path: Path) -> None:
    path = shoe(SINGLE, 1, most=2).write(tmp_path / "x.shoelog")
    with ShoelogReader(path) as reader:
        assert verify(reader).ok and verify(reader).ok


def test_the_state_is_that_of_the_replay() -> None:
    records = shoe(DOUBLE, 2).records
    machine = Stream()
    for record in records:
        machine.feed(record)
    report = verify(records)
    assert (report.summary.rounds, report.summary.cards) == (machine.table.rounds, machine.table.cards)
