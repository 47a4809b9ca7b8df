"""A run over many histories, as a command makes it: where it is kept, the work, its totals. `verify_run` and `export`
show it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import click

from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, INTERNAL, say
from shoetool.cli.options import STREAM
from shoetool.cli.output import progress
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import NOTE
from shoetool.model.output_file import output_folder, writing_whole
from shoetool.model.places import temporary_folder
from shoetool.model.times import Zone
from shoetool.trust.pins import PinStore

if TYPE_CHECKING:
    from shoetool.casino.judged import Asked, Judged
    from shoetool.casino.paths import Missing
    from shoetool.casino.results import Results
    from shoetool.casino.state import State
    from shoetool.verify.followed import Row


F = TypeVar("F", bound=Callable[..., Any])
_OPTIONS = (
    click.option(
        "--files-from",
        "lists",
        type=STREAM,
        multiple=True,
        metavar="FILE",
        help="Take the paths in this file, one a line; - is stdin.",
    ),
    click.option(
        "--jobs", type=click.IntRange(1, 512), metavar="N", help="Use so many processes; else one for each core."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Let the workers of this Dask scheduler do the work."),
)


def run_options(command: F) -> F:
    """Add --files-from, --jobs and --scheduler to a command: which histories, and who does the work."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check_run_options(paths: tuple[Path, ...], lists: tuple[str, ...], jobs: int | None, scheduler: str | None) -> None:
    """Raise a usage error for a run without any name, or with two that do the work."""
    if not paths and not lists:
        raise click.UsageError("name histories or folders, or give --files-from FILE")
    if jobs and scheduler:
        raise click.UsageError("--jobs is for this machine; with --scheduler its workers do the work")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for; see the options of `verify`. `play`: the tables of what was dealt are written too."""

    paths: tuple[Path, ...]
    lists: tuple[str, ...]
    jobs: int | None
    scheduler: str | None
    out: Path | None
    readings: bool
    keys: Path | None
    remember: bool
    required: bool
    table_records: bool
    table: str | None
    payments: bool
    zone: Zone
    as_json: bool
    play: bool = False


class CasinoRun:
    """A run over many histories. `code`: the exit code so far."""

    def __init__(self, wish: Wish, asked: Asked, state: State, results: Results | None) -> None:
        self.wish = wish
        self._asked = asked
        self._state = state
        self._results = results
        self.code = FINE

    @classmethod
    @contextmanager
    def opened(cls, wish: Wish) -> Iterator[Self]:
        """Begin a run, or go on with the one that the folder holds. BadInput when neither can be."""
        from shoetool.casino.judged import Asked
        from shoetool.casino.state import State

        pinned = PinStore(wish.keys).pinned()
        asked = Asked(pinned, wish.required, wish.table_records, wish.table, wish.payments, wish.play)
        settings = asdict(asked) | {"pinned": {device.hex(): key.hex() for device, key in sorted(pinned.items())}}
        with ExitStack() as stack:
            place = stack.enter_context(temporary_folder()) if wish.out is None else output_folder(wish.out)
            results = None
            if wish.out is not None:
                from shoetool.casino.results import Results
                from shoetool.casino.tables import VERSION

                settings["results"] = VERSION  # parts of two versions would not fit each other
                results = stack.enter_context(closing(Results(place, wish.play)))
            yield cls(wish, asked, stack.enter_context(closing(State(place, settings))), results)

    def judged(self) -> Generator[Judged]:
        """Verify; yield each history with findings or an error, in the order in which they are named."""
        from shoetool.casino.paths import count, histories, open_list
        from shoetool.casino.run import Run
        from shoetool.casino.workers import workers

        wish = self.wish
        doing = "exporting" if wish.play else "verifying"
        with ExitStack() as stack:
            lists = [_kept(name, stack) for name in wish.lists]

            def found() -> Iterator[Path | Missing]:
                with ExitStack() as opened:
                    yield from histories(wish.paths, [(name, opened.enter_context(open_list(name))) for name in lists])

            if next(found(), None) is None:
                raise BadInput(f"{', '.join(wish.lists)}: no history is named there")
            files, size = count(found())
            advance = stack.enter_context(progress(f"{doing} {many_histories(files)}", "bytes"))
            done = 0

            def more(part: int) -> None:
                nonlocal done
                done += part
                advance(done, size)

            run = Run(self._asked, self._state, self._results, more)
            hands = stack.enter_context(workers(wish.jobs or os.cpu_count() or 1, wish.scheduler))
            for one in stack.enter_context(closing(run.verify(found(), hands))):
                if one.report is None:
                    self.code = max(self.code, INTERNAL if one.defect else BAD_INPUT)
                    say(one.error or "")
                    yield one
                elif one.report.findings:
                    yield one
            if run.before and not wish.as_json:
                before = many_histories(run.before)
                say(f"an earlier start of this run verified {before}; what it found is in the results")

    def followed(self) -> Iterator[Row]:
        """How the histories of each device follow one another. The results get them too."""
        from shoetool.casino.follow import follow

        rows = follow(self._state.linked, self.wish.keys, self.wish.remember, self.wish.required)
        return rows if self._results is None else self._results.devices(rows)

    def totals(self, found_between: int) -> dict[str, Any]:
        """What all histories came to. `found_between`: findings in how they follow one another."""
        from shoetool.casino.run import checks, totals

        counted = self._state.counted
        verdicts = totals(self._state)
        if "unreadable" in verdicts:
            self.code = max(self.code, INTERNAL if counted["defects"] else BAD_INPUT)
        if counted["findings"] or found_between:
            self.code = max(self.code, FINDINGS)
        names = ("rounds", "cards", "records", "shoes", "signed", "pinned", "findings", "table records", "table rounds")
        return {
            "histories": self._state.histories,
            "verdicts": verdicts,
            **{name.replace(" ", "_"): counted[name] for name in names},
            "left_out": counted["left out"],
            "checks": [
                {"check": check, "clause": clause, "verdict": verdict, "findings": number}
                for check, clause, verdict, number in checks(self._state)
            ],
        }

    def rows(self) -> dict[str, int]:
        """How many rows each table has, but `devices`."""
        from shoetool.casino.run import rows

        return dict(rows(self._state))


def many_histories(number: int) -> str:
    """Return `1 history`, `2,000 histories`."""
    return f"{number:,} {'history' if number == 1 else 'histories'}"


_WITH: Final = {"findings": "with findings"}
"""How a number of histories is told, where the verdict on one does not do."""


def many_verdicts(totals: Mapping[str, int]) -> str:
    """Return how many histories have each verdict: `12 verified, 1 with findings`."""
    return ", ".join(f"{number:,} {_WITH.get(verdict, verdict)}" for verdict, number in totals.items())


def _kept(name: str, stack: ExitStack) -> str:
    """Return a list of paths that can be read twice: standard input goes into a file."""
    if name != "-":
        return name
    kept = stack.enter_context(temporary_folder()) / "standard input"
    with writing_whole(kept, NOTE) as file:
        file.writelines(line.encode("utf-8", "surrogateescape") for line in sys.stdin)
    return str(kept)
