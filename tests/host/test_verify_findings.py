"""How many findings are kept, and how many records of one are named."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from histories import Script
from shoetool.judge import registry as reg
from shoetool.model.protocol_table import Role
from shoetool.table.hand import place
from shoetool.table.table import Table
from shoetool.verify import BREACH, context, verify
from shoetool.verify.context import Context
from shoetool.verify.findings import Summary
from shoetool.verify.recorded import Recorded
from shoetool.verify.signatures import Closings, numbers


def test_what_was_done_to_the_file_is_kept_when_there_are_too_many_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "MOST_FINDINGS", 3)
    monkeypatch.setattr(context, "MOST_OF_FILE", 2)
    ctx = Context(Table())
    kept = []
    for of_file in (False, False, False, False, True, False, True, True, False):
        before = len(ctx.findings)
        ctx.add(reg.SEQUENCE, BREACH, (1,), "something.", of_file=of_file)
        kept.append(len(ctx.findings) > before)
    assert kept == [True, True, True, False, True, False, True, False, False]
    assert ctx.dropped == 4


@pytest.mark.parametrize("first", range(6))
def test_a_history_begins_at_the_first_record_that_it_has(first: int) -> None:
    script = Script(first_record=first)
    script.add("boot", 0, b"\x00\x01\x00", 0, 1)
    script.add("dealer_changed", 2)
    summary = verify(script.records).summary
    assert (summary.first_record, summary.last_record, summary.records) == (first, first + 1, 2)
    empty = verify([]).summary
    assert (empty.first_record, empty.last_record, empty.records) == (None, None, 0)


@pytest.mark.parametrize(("sealed", "breaches"), [(99, 0), (100, 1), (101, 1)])
def test_only_a_card_that_was_sealed_before_the_history_may_be_opened_unsealed(sealed: int, breaches: int) -> None:
    script = Script(first_record=100)
    script.add("boot", 0, b"\x00\x01\x00", 0, 1)
    script.add("dealer_changed", 2)
    script.add("opened", sealed, Role.BURN, 14, 0, 5, 1, bytes(16))
    assert [one.check for one in verify(script.records).findings] == [reg.COMMITMENT] * breaches


def test_records_that_do_not_run_on_are_named_whichever_way_they_go() -> None:
    script = Script(first_record=1)
    script.add("boot", 0, b"\x00\x01\x00", 0, 1)
    for dealers in range(5):
        script.add("dealer_changed", dealers)
    for kept, said in (
        ((0, 1, 4), "Records 3 to 4 are missing; what happened there is not proved."),
        ((0, 1, 3), "Record 3 is missing; what happened there is not proved."),
        ((0, 1, 2, 2), "Record 3 stands after record 3."),
        ((0, 1, 2, 1), "Record 2 stands after record 3."),
    ):
        found = verify([script.records[at] for at in kept]).findings
        assert [one.sentence for one in found if one.check == reg.SEQUENCE] == [said]


def test_a_round_behind_the_end_is_one_of_the_shoe_whose_page_it_stands_on() -> None:
    script = Script()
    for name, values in (("round_opened", (1, 1)), ("shoe_closed", (0, 1, 4)), ("round_opened", (2, 1))):
        script.add(name, *values)
    pages = [SimpleNamespace(shoe=shoe) for shoe in (1, 2)]
    closings = Closings(SimpleNamespace(chain=SimpleNamespace(facts=pages)))  # type: ignore[arg-type]
    for record in script.records:
        closings.note(record)
    assert (closings.closed, closings.rounds_behind) == ({2: 1}, {2: 2})


@pytest.mark.parametrize("rounds", [1, 12, 256, 257, 1000])
def test_a_table_record_with_something_in_every_round_leaves_none_out_however_many_there_are(rounds: int) -> None:
    whole, less = Recorded("payments"), Recorded("players")
    for number in range(rounds):
        whole.of += 1
        whole.count += 1
        less.of += 1
        less.count += number > 0
    assert Summary(evidence=[whole, less]).left_out == [less]


def test_records_are_named_in_words_and_of_many_the_first_twelve() -> None:
    assert numbers([7]) == "record 7"
    assert numbers([7, 9]) == "records 7, 9"
    assert numbers(range(1, 13)) == "records 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12"
    assert numbers(range(1, 15)) == "records 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more"


def test_where_a_card_lies_in_words() -> None:
    assert [place(box) for box in (0, 1, 8, 10, 11, 12, 15, -1)] == [
        "the dealer", "position 1", "player position 1", "player position 3", "the community cards",
        "no position", "no position", "no position",
    ]  # fmt: skip
