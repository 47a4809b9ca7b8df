"""Cases and nights from Python, and their files: what `shoetool case` and `shoetool report` do.

Only the functions that write load the libraries that draw, which an extra installs.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from shoetool.case.csv_files import CsvFiles
from shoetool.case.facts import Case, Night
from shoetool.case.gather import TableRecord, gather, gather_nights
from shoetool.case.page_room import on_page
from shoetool.case.register import Register, register_path
from shoetool.case.told import tell
from shoetool.case.told_night import NightTold, tell_night
from shoetool.history.start_clock import Moment
from shoetool.model.file_kinds import PAGE, PDF
from shoetool.model.output_file import check_output, write_whole
from shoetool.model.times import Zone, now_ms
from shoetool.model.version import version
from shoetool.round_file.tables import Rules
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.trust.pins import PinStore
from shoetool.trust.trust import Trust
from shoetool.verify.followed import Row, followed


class Numbered:
    """The round of this number; None: every round."""

    def __init__(self, number: int | None = None) -> None:
        """Keep the number."""
        self._number = number

    def holds(self, began: Moment | None, ended: Moment | None, number: int) -> bool:
        """Whether it is one of them."""
        return self._number in (None, number)

    def missing(self, where: str = "", there: str = "") -> str:
        """Why there was none: where, and what is there."""
        if self._number is None:
            return f"holds no round{where}"
        return f"holds no round {self._number}{where}" + (f"; {there}" if there else "")


def table_record(path: Path, table: str | None = None, rules: RulesSubmission | None = None) -> TableRecord:
    """A table record whose lines are settled by `rules`, or by the submission that `table` names; None of both: by
    what the record itself names, from its folder."""
    if rules is not None:
        return TableRecord(path, lambda entry, where: rules, True)
    named = Rules(table, path.parent)
    return TableRecord(path, lambda entry, where: named.find(entry.table, where), table is not None)


def case_of(
    history: str | Path,
    number: int,
    record: str | Path | None = None,
    rules: RulesSubmission | None = None,
    keys: Path | None = None,
) -> Case:
    """Return what is known about one round of a history. record: the table record with its wagers and payments. rules:
    those of the table; None: what the record names. keys: the folder of the pinned keys.

    BadInput when a file cannot be read, or for no such round.
    """
    wagers = None if record is None else table_record(Path(record), None, rules)
    return gather(Path(history), Numbered(number), wagers, Trust(PinStore(keys), False, False))


def write_case(case: Case, folder: str | Path, redact: bool = False) -> tuple[Path, Path]:
    """Write a case as a page and as a PDF into a folder, and return both. BadInput when they cannot be written."""
    from shoetool.case.page import case_page
    from shoetool.case.sheet import case_sheet

    told, made = tell(case, redact), case.zone.stamp(now_ms())
    page, sheet = (Path(folder) / f"{case.name}{'-redacted' if redact else ''}{kind}" for kind in (".html", ".pdf"))
    check_output(sheet, PDF)  # before the page is written: both or none
    write_whole(page, case_page(told, made, version()), PAGE)
    write_whole(sheet, case_sheet(told, made, version()), PDF)
    return page, sheet


def nights_of(
    histories: Sequence[str | Path],
    record: str | Path | None = None,
    rules: RulesSubmission | None = None,
    keys: Path | None = None,
) -> tuple[list[Night], list[Row]]:
    """Return histories with all their rounds, and how they follow one another; arguments as `case_of`."""
    wagers = None if record is None else table_record(Path(record), None, rules)
    trust = Trust(PinStore(keys), False, False)
    nights = gather_nights([Path(one) for one in histories], Numbered(), wagers, trust, Zone())
    return nights, followed(trust)


def write_report(nights: Sequence[Night], rows: Sequence[Row], page: str | Path, csv: str | Path | None = None) -> Path:
    """Write a night as one page, and its tables as CSV into a folder. Its registers are read, not written.

    The page has room for so many rounds (`page_room`), and says what it leaves out. The tables have all of them.
    """
    registers = [Register(register_path(Path(one.source.name))) for one in nights]
    told = tell_night(on_page(nights), registers, rows)
    with nullcontext() if csv is None else CsvFiles(Path(csv)) as tables:
        if tables is not None:
            for case in (case for night in nights for case in night.cases):
                tables.add(case)
            tables.findings(told)
        return write_night(told, Path(page), nights[0].zone)


def write_night(told: NightTold, page: Path, zone: Zone) -> Path:
    """Write the page of a night that was put into words, and return it. zone: that of the time at which it is made."""
    from shoetool.case.page import night_page

    write_whole(page, night_page(told, zone.stamp(now_ms()), version()), PAGE)
    return page
