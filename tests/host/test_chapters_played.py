"""A test that names a clause of ch. 590 or 635a and plays another chapter fails; see `tests/chapters_played.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from chapters_played import Played

HEAD = """
import pytest
from settle_cases import box, hand, settled
from dealing_table import Table, config
from playing import clauses, played
from short_shoe import Short
from shoetool.model.protocol_table import Game
from shoetool.rules.submission.layout import needs
from shoetool.rules.submission.rules import RulesSubmission

"""
WAYS = {
    "settled": "settled('{game}', '7H 10C', box(hand('10H 8C')))",
    "dealt by the rules": "played('{game}', '1=10', 'Kh 7h 8d Ks', '1:stand')",
    "a shoe of the firmware": "Table(config(game={number}, positions=6)).start()",
    "a history": "Short(Game({number})).report()",
}


@pytest.fixture(autouse=True)
def _helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("regulation", "firmware"):
        monkeypatch.syspath_prepend(Path(__file__).parents[1] / folder)


class Failures:
    """Pytest plugin: what the tests of a run failed with, by their names."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.found[report.nodeid.split("::")[1]] = str(report.longrepr) if report.failed else ""


def run(tmp_path: Path, *tests: str) -> dict[str, str]:
    """Run these tests by themselves; what each failed with, nothing when it passed."""
    module = tmp_path / f"test_{tmp_path.name.replace('-', '_')}.py"
    module.write_text(HEAD + "\n\n".join(tests))
    failures = Failures()
    options = ["-p", "no:cacheprovider", "-p", "no:terminal", "-W", "ignore", f"--rootdir={tmp_path}"]
    pytest.main([*options, str(module)], [failures, Played()])
    return failures.found


@pytest.mark.parametrize("way", WAYS)
def test_only_a_test_that_plays_a_chapter_may_name_its_clauses(tmp_path: Path, way: str) -> None:
    games = (("blackjack", 0), ("free_bet", 1), ("spanish_21", 2))
    made = [
        f"@pytest.mark.clause('{clause}')\ndef test_{game}_{clause[:3]}():\n"
        f"    {WAYS[way].format(game=game, number=number)}"
        for game, number in games
        for clause in ("633a.7(a)", "590.7(a)", "635a.7(a)")
    ]
    found = run(tmp_path, *made)
    assert len(found) == 9
    assert {name for name, why in found.items() if why} == {
        *("test_blackjack_590", "test_blackjack_635", "test_free_bet_635", "test_spanish_21_590")
    }
    assert found["test_blackjack_590"].strip() == "names 590.7(a), and played no game of that chapter"


def test_a_clause_in_a_docstring_counts_like_a_mark_and_a_layout_proves_section_2_alone(tmp_path: Path) -> None:
    laid_out = "needs(RulesSubmission.default('free_bet', 6))"
    found = run(
        tmp_path,
        f'def test_area():\n    """590.2(b)(2)."""\n    {laid_out}',
        f'def test_deck():\n    """590.3(a)."""\n    {laid_out}',
        'def test_nothing():\n    """590.2(b)(2)."""',
    )
    assert [name for name, why in found.items() if why] == ["test_deck", "test_nothing"]


def test_a_test_that_is_run_for_each_game_proves_the_clauses_of_its_own(tmp_path: Path) -> None:
    text = (
        "@pytest.mark.parametrize('game', ['blackjack', 'free_bet', 'spanish_21'])\n"
        "@pytest.mark.clause('633a.7(l)', '590.7(k)', '635a.7(k)')\n"
        "def test_{name}(game):\n    played({game}, '1=10', 'Kh 7h 8d Ks', '1:stand')"
    )
    found = run(tmp_path, text.format(name="each", game="game"), text.format(name="one", game="'blackjack'"))
    assert [name for name, why in found.items() if why] == ["test_one[free_bet]", "test_one[spanish_21]"]
