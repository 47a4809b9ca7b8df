"""The guided test deal of `shoetool doctor --deal`: card after card through a read head, each with its margin.

It runs within a calibration of the head, of which the threshold is never set. Meanwhile what goes through the head is
no card of the table (PROTOCOL.md, calibrate): the shoe records none of it, and tells the face of test cards alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import click

from shoetool.cli import calibration
from shoetool.cli.calibration import EMPTY, LEAST_DISTANCE, POLL_S, TRIES, NotNow, Run, begin, how_to_slide
from shoetool.cli.health import BAD, GOOD, LOOK, UNKNOWN, Part, not_authorised
from shoetool.client.authority import NotAuthorised
from shoetool.client.client import Client
from shoetool.model.cards import COVER_CARD, TEST_CARDS, card_name
from shoetool.model.errors import DeviceError, ShoetoolError
from shoetool.model.margin import percent
from shoetool.model.protocol_table import Calibration, Head, MessageKind, Pass, RecordKind
from shoetool.model.records import Record
from shoetool.report.heads import LIMIT
from shoetool.report.sentences import many, opening_letter, sentence, side_name
from shoetool.wire.answers import LINE_NAMES, Levels, LineLevels, volts

READ: Final = "read"
WRONG: Final = "wrong"
FOREIGN: Final = "foreign"
UNREAD: Final = "not read"

_ANY: Final = -1
CLEAR_S: Final = 10.0
"""How long a person has to take everything out of a throat."""
OWN_CARDS: Final = 2
"""So many cards of the batch go through each side: enough to see that their print is read."""
_WORDS: Final[dict[int, str]] = {
    Pass.BLANK: "it shows no code: turn it over, or pull it with the strip towards the sensors",
    Pass.PULL_BACK: "it went back: pull it all the way out",
    Pass.DOUBLE_FEED: "two cards came together: pull one by one",
    Pass.UNREADABLE: "it was not read: pull it slowly and straight",
    Pass.BLOCKED: "the head is blocked: take the card out and clean the head",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A card that a person is to pull: its id, `_ANY` for any of the 52, and the batch that belongs on this head."""

    card: int
    batch: int

    @property
    def name(self) -> str:
        """What to pull, in words."""
        if self.card == _ANY:
            return f"a card of batch {self.batch}"
        what = "the cover card" if self.card == COVER_CARD else f"test card {card_name(self.card)}"
        return f"{what} of batch {self.batch}"


@dataclass(frozen=True, slots=True)
class Pull:
    """What a head made of one card: `result` is READ, WRONG, FOREIGN or UNREAD; `margin` in percent of that at the last
    calibration, None when not known; `distance` from the threshold to the nearest level, 0..65535 for 3.3 V, and the
    line on which it was the least, "" when nothing was measured."""

    head: int
    asked: Asked
    result: str
    said: str
    margin: int | None
    distance: int
    line: str

    @property
    def weak(self) -> bool:
        """Whether this card was near to being misread: the shoe warns at the same margin."""
        if not self.line:
            return False
        return self.distance < LEAST_DISTANCE if self.margin is None else self.margin <= LIMIT

    def words(self) -> str:
        """What was read, and with which margin."""
        if not self.line:
            return self.said
        shown = f"margin {percent(self.margin)}, " if self.margin is not None else "margin "
        told = f"{shown}{volts(self.distance):.2f} V on {self.line}"
        return f"{self.said}; {told}" if self.said else told


class NoCard(DeviceError):
    """No card came: nobody is there who pulls."""


class StaysDark(DeviceError):
    """A line stays dark when nothing should be in front of it: the light of a card cannot be measured."""


def plan(head: int, batches: tuple[int, int]) -> list[Asked]:
    """Return the cards of the test deal of a head. `batches`: those of side A and side B by the settings."""
    batch = batches[1] if head == Head.SIDE_B else batches[0]
    if head == Head.READER:
        return [Asked(TEST_CARDS[0], batch)]
    cards = [*TEST_CARDS, *[_ANY] * OWN_CARDS, COVER_CARD]
    return [Asked(card, batch) for card in cards]


def pulls(run: Run, before: Levels, cards: list[Asked], tell: Callable[[str], None]) -> Iterator[Pull]:
    """Have each card pulled, at most TRIES times; yield what came each time. A card that never came right is the last.

    `before`: the levels of the head before the calibration began. NoCard when nobody pulls; DeviceError when the shoe
    ended the calibration.
    """
    full = full_distance(before)
    for number, asked in enumerate(cards, 1):
        for _ in range(TRIES):
            _measure_anew(run)
            how = how_to_slide(run.head, asked.name)
            tell(f"{opening_letter(side_name(run.head))}, {number} of {len(cards)}: {how}")
            pull = _pulled(run, asked, full)
            yield pull
            if pull.result == READ:
                break
        else:
            return


def _pulled(run: Run, asked: Asked, full: int | None) -> Pull:
    """Wait for one card, and judge it."""
    waited = 0.0
    most = 2 if run.head == Head.READER else 1  # in and out
    while True:
        levels = run.look()
        if levels.passes and (levels.passes >= most or _right(asked, levels)):
            break
        waited += POLL_S
        if waited > calibration.PATIENCE_S:
            raise NoCard(f"no card came for {calibration.PATIENCE_S:.0f} s")
        run.client.transport.sleep(POLL_S)
    result, said = _judged(asked, levels, most)
    distance, line = nearest(levels.threshold, levels.lines)
    margin = None if full is None or not line else max(0, 100 * distance // full)
    return Pull(run.head, asked, result, said, margin, distance, line)


def _measure_anew(run: Run) -> None:
    """Have the light of the next card measured by itself, so that its margin is its own.

    No line may be dark for that: a card that still lies in the throat would be measured as bright.
    """
    waited = 0.0
    while dark := run.look().dark_now:
        if waited > CLEAR_S:
            raise StaysDark(f"{' and '.join(dark)} dark, as if something lay in its throat")
        waited += POLL_S
        run.client.transport.sleep(POLL_S)
    run.step(Calibration.EMPTY)
    run.step(Calibration.CARD)


def _right(asked: Asked, levels: Levels) -> bool:
    if asked.card == _ANY:
        return levels.kind == Pass.CARD
    if asked.card == COVER_CARD:
        return levels.kind == Pass.COVER_CARD
    return levels.kind == Pass.TEST_CARD and levels.card == asked.card


def _judged(asked: Asked, levels: Levels, most: int) -> tuple[str, str]:
    if levels.passes > most:
        return UNREAD, f"{many(levels.passes, 'thing')} went through: pull one card at a time"
    if _right(asked, levels):
        return READ, ""
    match levels.kind:
        case Pass.FOREIGN_BATCH:
            return FOREIGN, f"a card of another batch than {asked.batch}"
        case Pass.TEST_CARD:
            return WRONG, f"test card {card_name(levels.card)} was read"
        case Pass.COVER_CARD:
            return WRONG, "the cover card was read"
        case Pass.CARD:
            return WRONG, "a card of the 52 was read"
    return UNREAD, _WORDS.get(levels.kind, f"something went by (pass {levels.kind})")


def nearest(threshold: int, lines: tuple[LineLevels, ...]) -> tuple[int, str]:
    """Return the least distance from the threshold to a level, and its line; (0, "") when no level is known."""
    found = [
        (distance, name)
        for name, line in zip(LINE_NAMES, lines, strict=True)
        for distance in (
            *(() if line.light is None else (threshold - line.light,)),
            *(() if line.dark is None else (line.dark - threshold,)),
        )
    ]
    return min(found, default=(0, ""))


def full_distance(levels: Levels) -> int | None:
    """Return the distance that is a margin of 100 %, to about one part in a hundred. None when it cannot be told.

    The shoe tells a margin in percent and the levels that it comes from, not the distance at its calibration.
    """
    distance, line = nearest(levels.threshold, levels.lines)
    if not line or not levels.margin or distance <= 0 or levels.margin >= 254:
        return None
    return 100 * distance // levels.margin


@dataclass(slots=True)
class TrialDeal:
    """Leads a person through the test deal of `heads`. `ask` asks a question that is answered yes or no, `tell` says
    what to do next, `show` is given what came each time."""

    client: Client
    heads: Sequence[Levels]
    batches: tuple[int, int]
    ask: Callable[[str], bool]
    tell: Callable[[str], None]
    show: Callable[[Pull], None]

    def parts(self) -> Iterator[Part]:
        """Yield a verdict for each head, and one for what the shoe has recorded meanwhile.

        When no card comes, the heads that are left are not asked for: nobody is there. Without the key of a provisioned
        shoe, and where that key is damaged, nothing is asked for.
        """
        try:
            self.client.authority.require(MessageKind.CALIBRATE)
        except NotAuthorised as error:
            yield not_authorised("test deal", error, "begin the test deal again")
            return
        first = self.client.status().next_record
        gone = ""
        for before in self.heads:
            name = f"test deal, {side_name(before.head)}"
            if gone:
                yield Part(name, UNKNOWN, f"not begun, since {gone}", "begin the test deal again")
                continue
            try:
                yield self._head(name, before)
            except NoCard as error:
                gone = f"{error} at {side_name(before.head)}"
                yield Part(name, UNKNOWN, str(error), "begin the test deal again")
            except NotNow as refused:
                act = f"{refused.first}; then begin the test deal again"
                yield Part(name, UNKNOWN, refused.why, act)
            except StaysDark as error:
                yield Part(
                    name, BAD, str(error), "take everything out and clean the head; then begin the test deal again"
                )
            except DeviceError as error:
                yield Part(name, UNKNOWN, str(error), "begin the test deal again")
        yield recorded(written(self.client, first))

    def _head(self, name: str, before: Levels) -> Part:
        before = self.client.levels(before.head) or before  # it may have been measured since
        run = begin(self.client, before.head)
        side = opening_letter(side_name(before.head))
        try:
            with run.kept_alive():
                empty = self.ask(f"{side}: {EMPTY}")
            if not empty:
                return Part(name, UNKNOWN, "its throat is not empty", "take everything out, then begin again")
            cards = plan(before.head, self.batches)
            seen = []
            for pull in pulls(run, before, cards, self.tell):
                seen.append(pull)
                self.show(pull)
            return judged(name, cards, seen)
        except (KeyboardInterrupt, click.Abort):
            self.tell(f"the test deal was broken off at {side_name(before.head)}; the head is the table's again")
            raise
        finally:
            with contextlib.suppress(ShoetoolError):  # when the line is lost, the shoe ends it by itself
                self.client.calibrate(before.head, Calibration.END)


def judged(name: str, cards: Sequence[Asked], seen: Sequence[Pull]) -> Part:
    """Return the verdict on a head, by what came of each card."""
    last = seen[-1]
    read = [one for one in seen if one.result == READ]
    if len(read) < len(cards):
        said = f"{len(read)} of {many(len(cards), 'card')} read; {last.asked.name}, {TRIES} times: {last.said}"
        if last.result == FOREIGN:
            act = "take cards of that batch; the batches are set with shoetool configure"
            return Part(name, UNKNOWN, said, act)
        if last.result == WRONG:
            return Part(name, BAD, said, "look at that card: if it is the one that was asked for, replace the head")
        return Part(name, BAD, said, "clean the head; then shoetool calibrate; then begin the test deal again")
    worst = min(read, key=lambda one: one.distance)
    again = [one for one in seen if one.result != READ]
    said = f"{many(len(cards), 'card')} read, the least {worst.words()}"
    if again:
        return Part(name, LOOK, f"{said}; {many(len(again), 'time')} not at once", _act(again))
    if worst.weak:
        return Part(name, LOOK, said, "pull slower; if it stays so, clean the head, then shoetool calibrate")
    return Part(name, GOOD, said)


def _act(again: Sequence[Pull]) -> str:
    """What to do where all cards were read, and these came before. A head that misreads is the worst that it can be."""
    results = {one.result for one in again}
    if WRONG in results:
        return "look at those cards: if they are the ones that were asked for, replace the head"
    if FOREIGN in results:
        return "look at those cards: if they are of the batch that was asked for, replace the head"
    return "pull slower; if it stays so, clean the head"


def written(client: Client, first: int) -> list[Record]:
    """Return what the shoe has recorded from record `first` on."""
    end = client.status().next_record
    live = client.subscribe(first)
    found: list[Record] = []
    while len(found) < end - first:
        came = live.poll(1.0)
        if not came:
            break
        found += came
    return found


def recorded(records: Sequence[Record]) -> Part:
    """Return what the test deal has left in the shoe's history. Attempts with the command key are no play."""
    name = "records of the test deal"
    rest = [one for one in records if one.kind != RecordKind.ATTEMPT]
    attempts = many(len(records) - len(rest), "use") + " of the command key"
    if rest:
        said = f"{many(len(rest), 'record')}: {sentence(rest[0])}"
        return Part(name, LOOK, said, "tell surveillance; pull cards only through the head that is asked for")
    return Part(name, GOOD, f"none but {attempts}" if records else "none: no history of it was made")
