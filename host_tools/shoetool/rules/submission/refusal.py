"""Why a rules submission cannot be used: one refusal, and the words that several of them need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shoetool.model.money import dollars
from shoetool.rules.submission.rules import RulesSubmission


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why a rules submission cannot be used: `where` is the key, such as `wagers.bad_beat.meter.start`,
    `what` is wrong, by `clause` ("" where only the form is wrong), what to `do`, and the line of the file if known."""

    where: str
    what: str
    clause: str
    do: str
    line: int | None = None

    def text(self) -> str:
        """The refusal as one sentence."""
        place = f"line {self.line}, " if self.line is not None else ""
        clause = f" ({self.clause})" if self.clause else ""
        return f"{place}{self.where}: {self.what}{clause}; {self.do}"


def limits(
    place: str, low: str, high: str, least: int, most: int, table: RulesSubmission, clause: str
) -> Iterator[Refusal]:
    """A least wager above the largest, and limits that cannot be bet in the table's chips; `place` leads the keys."""
    if least > most:
        yield Refusal(
            f"{place}{low}",
            f"the least wager of ${dollars(least)} is above the largest of ${dollars(most)}",
            clause,
            f"lower {low} or raise {high}",
        )
    for key, amount in ((low, least), (high, most)):
        if amount % table.chip_unit:
            yield Refusal(
                f"{place}{key}",
                f"${dollars(amount)} cannot be bet in chips of ${dollars(table.chip_unit)}",
                clause,
                "write a multiple of chip_unit, or a smaller chip_unit",
            )


def plain(amount: int) -> str:
    """An amount as TOML takes it: whole dollars as a number, others in quotes."""
    text = dollars(amount).replace(",", "")
    return text.removesuffix(".00") if text.endswith(".00") else f'"{text}"'


def either(words: Iterable[str]) -> str:
    """Words as TOML takes them, such as `"tray" or "slip"`."""
    return " or ".join(f'"{one}"' for one in words)
