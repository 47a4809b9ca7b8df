"""The program in host_tools/README.md runs as it stands, and the page can be read outside of the repository."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import shoetool
from shoetool.round_file.examples import round_example
from shoetool.rules.submission.file import example, parse

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGE = ROOT / "host_tools" / "README.md"
(PROGRAM,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def test_the_program_of_the_page_says_what_was_dealt_found_and_wrongly_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "tests" / "vectors" / "history" / "planted_wrong_side.shoelog", tmp_path / "shoe.shoelog")
    (tmp_path / "dispute.json").write_text(round_example("dispute"), encoding="utf-8")
    (tmp_path / "table-7.toml").write_text(example("blackjack"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(PROGRAM, str(PAGE), "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"round 1, position \d: \S+ \S+.*", said[0])
    headline = next(at for at, line in enumerate(said) if re.match(r"\d+ finding", line))
    assert re.match(r"633a\.14\(h\) irregularity handled \(31, .*\) Round 2: ", said[headline + 1])
    assert said[-3:] == [
        "position 3, main: 37.50 by 633a.7(i)(1)(i)",
        "position 5, main: 40.00 by 633a.7(p)(1)",
        "position 3: paid 25.00, due 37.50",
    ]


def test_a_round_that_won_of_a_meter_is_not_settled_without_its_amount() -> None:
    """A 20 against a dealer's 21 in seven cards wins the whole meter."""
    rules = parse(example("blackjack"))
    told = {
        "format": "shoetool-round/1",
        "cards": ["K♣", "2♦", "Q♦", "2♥", "2♣", "3♠", "3♦", "4♦", "5♦"],
        "positions": [{"position": 1, "wager": "15.00", "side": {"bad_beat": "5.00"}, "decisions": ["stand"]}],
        "lucky_player": 2,
        "magic_card": "7♠",
    }
    (entry,) = shoetool.parse_rounds(json.dumps(told), "round")
    with pytest.raises(shoetool.BadInput, match="does not tell what that stood at"):
        shoetool.settle_round(entry, rules)
    (entry,) = shoetool.parse_rounds(json.dumps(told | {"meters": {"bad_beat": "7000.00"}}), "round")
    settled = shoetool.settle_round(entry, rules)
    assert 7000_00 in [line.won for line in settled.lines if line.wager == "bad_beat"]


def test_each_public_name_is_there_and_in_the_table_of_the_page() -> None:
    table = re.findall(r"^\| (`.*?) \|", PAGE.read_text(encoding="utf-8").partition("| name |")[2], re.M)
    told = set(re.findall(r"`(\w+)", " ".join(table)))
    assert told | {"Report"} == set(shoetool.__all__) == set(shoetool._PUBLIC)
    assert all(getattr(shoetool, name) for name in shoetool.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        shoetool.nothing  # noqa: B018


def test_type_checkers_see_the_names_where_they_are_loaded_from() -> None:
    tree = ast.parse(Path(shoetool.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.asname: (str(node.module).removeprefix("shoetool."), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module != "importlib"
        for alias in node.names
    }
    assert seen == shoetool._PUBLIC


def test_the_package_by_itself_loads_no_other_module() -> None:
    program = "import sys; before = set(sys.modules); import shoetool; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True,
                          cwd=ROOT / "host_tools")  # fmt: skip
    assert done.stdout.strip() == "['shoetool']"


def test_the_page_that_a_package_index_shows_has_no_link_into_the_repository() -> None:
    shown = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)|^\[[^]]+\]: (\S+)", shown, re.M)
    assert not [link for pair in links for link in pair if link and not link.startswith(("https://", "#"))]


def test_verifying_without_a_table_record_loads_nothing_that_settles() -> None:
    """Else every `verify` waits for all wagers and their paytables."""
    program = "import sys, shoetool.cli.verify; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "shoetool.verify.engine" in loaded
    held = ("shoetool.settle", "shoetool.round_file", "shoetool.rules.submission", "shoetool.rules.wagers")
    assert [name for name in loaded if name.startswith(held)] == []
