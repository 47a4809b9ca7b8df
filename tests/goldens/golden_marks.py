"""Goldens that are known to be wrong: the mark says what should be told, and goes when it is."""

from __future__ import annotations

import json
from typing import Any

from golden_case import Case, Due, Golden, Group
from golden_compare import Difference
from shoetool.judge.finding import VERDICTS


def not_yet(group: Group, case: Case, golden: Golden) -> list[Difference]:
    """The mark of a case that is told as it should be: it has to be taken away, so that it stays right."""
    if case.due is None or not fulfilled(case.due, golden):
        return []
    return [Difference(group.name, case.name, "", "is told as its mark demands: take the mark away (due=...)")]


def fulfilled(due: Due, golden: Golden) -> bool:
    """Whether the findings of `verify --json` are those that should be told."""
    found = findings(golden)
    numbers = all(_told(found, wanted) == number for wanted, number in due.told.items())
    texts = " ".join(one["sentence"] + " " + " ".join(one["cards"]) for one in found)
    return numbers and all(name in texts for name in due.names)


def findings(golden: Golden) -> list[dict[str, Any]]:
    """The findings of every `verify --json` of a case."""
    out: list[dict[str, Any]] = []
    for command, text in golden.outputs.items():
        words = command.split()
        if words[0] == "verify" and "--json" in words:
            document = json.loads(text.partition("\n--- ")[0])
            out += [one for file in document["files"] if file["report"] for one in file["report"]["findings"]]
    return out


def _told(found: list[dict[str, Any]], wanted: str) -> int:
    """How many findings have the clause, and the verdict if one is named, that a mark wants."""
    verdict = next((one for one in VERDICTS if wanted.endswith(f" {one}")), "")
    clause = wanted.removesuffix(f" {verdict}") if verdict else wanted
    return sum(one["clause"].startswith(clause) and one["verdict"].startswith(verdict) for one in found)
