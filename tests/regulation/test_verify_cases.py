"""Every check with every verdict that it can give: one short history each, and exactly that finding.

The cases stand in verify_cases_*.py; a test here compares them with the registry, so a check without a case fails.
"""

from __future__ import annotations

import pytest
import verify_cases_deal  # noqa: F401 - fills CASES
import verify_cases_errors  # noqa: F401 - fills CASES
import verify_cases_hands  # noqa: F401 - fills CASES
import verify_cases_history  # noqa: F401 - fills CASES
import verify_cases_hybrid  # noqa: F401 - fills CASES
import verify_cases_reader  # noqa: F401 - fills CASES
import verify_cases_shoe  # noqa: F401 - fills CASES
import verify_cases_switch_hands  # noqa: F401 - fills CASES
import verify_cases_variations  # noqa: F401 - fills CASES
from shoetool.judge import registry as reg
from shoetool.judge import registry_reader as checks
from shoetool.judge.registry_table import TABLE_CHECKS
from shoetool.judge.registry_trust import TRUST_CHECKS
from shoetool.verify import BREACH, CANNOT_TELL, CHECKS, HANDLED
from short_shoe import Short
from verify_case import CASES, Case

# Cases in which another finding rightly stands beside the one that the case is about.
ALSO = {
    "a_round_is_voided_while_the_reader_has_failed": {(checks.FAILED, HANDLED)},
    "a_round_is_never_closed": {(reg.VOIDED, CANNOT_TELL)},
    "the_round_is_voided_before_the_late_card": {(reg.VOIDED, CANNOT_TELL)},
    "a_round_is_voided_before_the_missed_card": {(reg.VOIDED, CANNOT_TELL)},
    "a_round_is_voided_for_the_wrong_side": {(reg.VOIDED, CANNOT_TELL)},
    "an_unknown_card_may_be_the_missing_one": {(reg.FACE_UP, HANDLED)},
    "the_determinant_is_unknown": {(reg.UNKNOWN_CARD, CANNOT_TELL)},
    "two_face_up_cards_void_a_spanish_round": {(reg.FACE_UP, HANDLED)},
    "two_face_up_cards_and_the_round_goes_on": {(reg.FACE_UP, HANDLED)},
    "two_tens_void_the_round": {(reg.TEN_FOUND, HANDLED)},
    "two_tens_and_the_round_goes_on": {(reg.TEN_FOUND, HANDLED)},
    "a_burn_is_missing_after_a_refill": {(reg.TOO_FEW, HANDLED)},
    "the_hole_card_is_turned_before_a_late_hand_is_played_out": {(reg.MISSED, HANDLED)},
}


PARAMETERS = [
    pytest.param(check, verdict, make, id=make.__name__, marks=pytest.mark.clause(CHECKS[check].clause))
    for check, verdict, make in CASES
]


@pytest.mark.parametrize(("check", "verdict", "make"), PARAMETERS)
def test_633a_each_check_finds_exactly_its_case(check: str, verdict: str, make: Case) -> None:
    found = make().findings()
    got = {(finding.check, finding.verdict) for finding in found}
    assert got == {(check, verdict)} | ALSO.get(make.__name__, set()), [finding.sentence for finding in found]
    for finding in found:
        assert finding.records, finding.sentence
        assert not finding.sentence[0].islower() and finding.sentence.endswith("."), finding.sentence
        assert finding.reading == CHECKS[finding.check].reading


def test_every_check_and_verdict_of_the_registry_has_a_case() -> None:
    elsewhere = {*TABLE_CHECKS, *TRUST_CHECKS}  # test_verify_table.py, test_trust_tampering.py: they take more
    wanted = {(one.name, verdict) for one in CHECKS.values() if one.name not in elsewhere for verdict in one.verdicts}
    of_pages = {(reg.SEQUENCE, BREACH), (reg.CUT, CANNOT_TELL)}  # tests/host/test_verify.py: they take pages, a file
    assert {(check, verdict) for check, verdict, _ in CASES} | of_pages == wanted


def test_a_round_without_fault_has_no_finding() -> None:
    s = Short()
    s.whole_round()
    s.end()
    report = s.report()
    assert report.ok and report.summary.complete and report.headline() == "verified, 0 findings"
