"""All that anybody can observe of a shoe carries no information about a card that lies face down, before it is turned.

The same deal is played with every possible face: through the shoe, through the card reader device, past dirty heads,
over a restart. Observed are all bytes on the line with their times (live events, journal pages, traces, self-test,
errors), lamps and card stop with theirs, and the log. Two faces for which the reader gives the same answer must not be
told apart by any of it. Shoes with a leak built in show that it would be seen.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

import pytest
import shoe.app.app
import shoe.app.heads
import shoe.dealing.fold
import shoe.dealing.inventory
import shoe.dealing.passes
import shoe.dealing.peek
import shoe.dealing.switch_hands
import shoe.reading.card_reader
import shoe.reading.head_margins
import shoe.reading.trace
from card_pulls import CLOCK_A, PRESENT
from dealing_table import Table, config
from sealed_watch import ACE, FIVE, KING, NINE, SEVEN, SIX, TWO, Observed, Watch, first_difference, hiding, inspected
from sealed_watch import to_the_hole_card as opening
from shoe import wire_table as t
from shoe.config import OPTION_HANDS_LAST, OPTION_SWITCH_HANDS

FACES = range(52)
# Where the reader answers nothing: low, middle, ten-value cards and aces, every suit. `make soak` takes all faces.
SAMPLE = FACES if os.environ.get("ALL_FACES") else (0, 13, 4, 21, 35, 38, 9, 51)
Scene = Callable[[int], Watch]


def through_the_shoe(face: int) -> Watch:
    """A hole card that nobody reads: drawn, asked about, played over."""
    watch = opening(Watch(reader=False), NINE).draw(face).ask_everything()
    return watch.key(t.KEY_NEXT_HAND).draw(TWO).key(t.KEY_NEXT_HAND).ask_everything()


def copy_too_many(face: int) -> Watch:
    """One deck, so that half of the faces are copies too many: no alarm before the card is turned."""
    return (
        opening(Watch(reader=False, decks=1), NINE, last=4).draw(face).ask_everything().key(t.KEY_NEXT_HAND).draw(TWO)
    )


def king_up(face: int) -> Watch:
    """The reader with a king up: Blackjack with an ace alone."""
    watch = opening(inspected(Watch()), KING).draw(face).ask_everything()
    return watch.slide(face).ask_everything().key(t.KEY_NEXT_HAND).ask_everything()


def ace_up(face: int) -> Watch:
    """Insurance, then the reader: Blackjack with a ten-value card."""
    return opening(inspected(Watch()), ACE).draw(face).slide(face).key(t.KEY_INSURANCE, 1).slide(face).ask_everything()


def seven_up(face: int) -> Watch:
    """633a.14(j): refused, whatever lies in it."""
    return opening(inspected(Watch()), SEVEN).draw(face).slide(face).ask_everything().slide(face).key(t.KEY_NEXT_HAND)


def over_a_restart(face: int) -> Watch:
    """The power fails while the card lies face down, and once more between the reader and its answer."""
    return opening(Watch(), KING).draw(face).restart().ask_everything().slide(face).restart().ask_everything()


def another_card(face: int) -> Watch:
    """The hole card is swapped for the five of clubs."""
    return opening(Watch(), KING).draw(face).slide(4).ask_everything()


def any_other_card(face: int) -> Watch:
    """The five of clubs was dealt; any other card lies in the reader."""
    return opening(Watch(), KING).draw(4).slide(face).ask_everything()


def nothing_readable(face: int) -> Watch:
    """Three times nothing readable: the reader fails, 633a.14(k)."""
    watch = opening(Watch(), KING).draw(face)
    for _ in range(3):
        watch.slide(face, lost=(3, 9, 15))
    return watch.ask_everything()


def past_a_dead_line(face: int) -> Watch:
    """The hole card goes past a head with a dead clock line: its data line must not be served."""
    return opening(Watch(reader=False), NINE).draw(face, dead=CLOCK_A).ask_everything()


def past_a_dead_card_sensor(face: int) -> Watch:
    """The hole card goes past a head whose card sensor stays bright."""
    return opening(Watch(reader=False), NINE).draw(face, dead=PRESENT).ask_everything()


def two_past_a_dead_card_sensor(face: int) -> Watch:
    """A card that everybody may see, and one right behind it of which nobody knows how it will lie."""
    watch = opening(Watch(reader=False), NINE).draw(4)
    watch.draw(TWO, dead=PRESENT, behind=face)
    return watch.ask_everything()


def damaged(face: int) -> Watch:
    """A hole card that cannot be read: why it cannot may depend on its face."""
    watch = opening(Watch(reader=False), NINE).draw(face, flipped=(2, 9, 17, 22), lost=(12,)).ask_everything()
    return watch.key(t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN).ask_everything()


def burned(face: int) -> Watch:
    """The burn card, which nobody turns before the shoe ends."""
    return opening(Watch(), KING, burn=face).draw(4).slide(4).key(t.KEY_NEXT_HAND).ask_everything()


def double_face_down(face: int) -> Watch:
    """633a.10(c): the card on a double."""
    watch = opening(Watch(reader=False, options=1), NINE).draw(4).key(t.KEY_DOUBLE).draw(face).ask_everything()
    return watch.key(t.KEY_NEXT_HAND).ask_everything()


def stuck_before_the_double(face: int) -> Watch:
    """A card in the throat until the head counts as blocked; only then the player doubles: it will lie face down."""
    watch = opening(Watch(reader=False, options=1), NINE).draw(4)

    def double() -> None:
        watch.ask_everything().key(t.KEY_SUPERVISOR, t.CLEAR_RESUME).key(t.KEY_DOUBLE)

    watch.draw_in_two(face, double, 16000).ask_everything()
    return watch.key(t.KEY_NEXT_HAND).ask_everything()


def drawn_in_error(face: int) -> Watch:
    """633a.14(b): a card that nobody was due, unseen."""
    watch = Watch(reader=False).key(t.KEY_LOAD, 0).draw(TWO).draw(face).ask_everything().key(t.KEY_SEATS, 3)
    return watch.ask_everything()


def from_the_hand(face: int, first: bool, reader: bool = False) -> Watch:
    """633a.12(b)(5): two boxes, all players' cards face down, one deck; `face` is box 1's first or second card."""
    watch = Watch(reader=reader, decks=1, game=t.GAME_FROM_THE_HAND)
    watch.key(t.KEY_LOAD, 0).draw(TWO).key(t.KEY_SEATS, 3).key(t.KEY_DEAL)
    for card in (face if first else KING, SIX, ACE, KING if first else face, SEVEN, NINE):
        watch.draw(card)
    return watch


def players_card(face: int) -> Watch:
    """Blackjack with an ace, a pair with a king, over 21 with others after a card: he stands and nobody looks."""
    watch = from_the_hand(face, True).ask_everything().draw(FIVE).ask_everything().key(t.KEY_NEXT_HAND)
    return watch.draw(4).key(t.KEY_NEXT_HAND).ask_everything()


def players_blackjack_beside_the_reader(face: int) -> Watch:
    """The dealer's ace is looked at, the player stands at once, the other one doubles and shows his own cards."""
    watch = from_the_hand(face, False, reader=True).key(t.KEY_INSURANCE, 1).slide(NINE).key(t.KEY_SWITCH)
    return watch.key(t.KEY_NEXT_HAND).key(t.KEY_DOUBLE).draw(FIVE).ask_everything()


def players_card_over_a_restart(face: int) -> Watch:
    """The power fails while the players' cards lie face down, and once more while the dealer draws."""
    watch = from_the_hand(face, True).restart().ask_everything().key(t.KEY_NEXT_HAND).key(t.KEY_NEXT_HAND)
    return watch.key(t.KEY_REVEAL).restart().ask_everything().key(t.KEY_TURN_UP, 2).ask_everything()


def players_card_damaged(face: int) -> Watch:
    """A player's card that the head cannot read: why may depend on its face."""
    watch = Watch(reader=False, decks=1, game=t.GAME_FROM_THE_HAND)
    watch.key(t.KEY_LOAD, 0).draw(TWO).key(t.KEY_SEATS, 3).key(t.KEY_DEAL)
    return watch.draw(face, flipped=(2, 9, 17, 22), lost=(12,)).ask_everything()


def switch_hands(face: int, at: int, last: bool = False, reader: bool = False) -> Watch:
    """633c.4(d), or (j) with `last`: two boxes, one deck; `face` is switch hands card `at`, an ace is up."""
    watch = Watch(reader=reader, decks=1, options=OPTION_SWITCH_HANDS | (OPTION_HANDS_LAST if last else 0))
    watch.key(t.KEY_LOAD, 0).draw(TWO).key(t.KEY_SEATS, 3).key(t.KEY_DEAL)
    aside = [KING + 13, SIX + 13, SEVEN - 13, NINE + 13]
    aside[at] = face
    hands = [KING, SIX, ACE, SEVEN, FIVE, NINE]
    for card in hands + aside if last else aside + hands:
        watch.draw(card)
    return watch


def switch_hand_kept(face: int) -> Watch:
    """Both keep: the card goes to the rack unexposed, and stays sealed after the round and into the next."""
    watch = switch_hands(face, 0).ask_everything().key(t.KEY_SWITCH, 1).key(t.KEY_NEXT_HAND).key(t.KEY_NEXT_HAND)
    watch.ask_everything().key(t.KEY_NEXT_HAND).key(t.KEY_NEXT_HAND).key(t.KEY_REVEAL).key(t.KEY_END_ROUND)
    return watch.ask_everything().key(t.KEY_DEAL).draw(4).restart().ask_everything()


def switch_hand_beside_one_that_is_played(face: int) -> Watch:
    """The other position plays its cards, with a card drawn and the reader tried before the choice."""
    watch = switch_hands(face, 2, last=True, reader=True).slide(NINE).draw(4).key(t.KEY_SWITCH).ask_everything()
    return watch.key(t.KEY_NEXT_HAND).key(t.KEY_INSURANCE, 1).slide(NINE).key(t.KEY_DOUBLE).ask_everything()


def switch_hand_over_a_restart(face: int) -> Watch:
    """The power fails before the choice and after it."""
    watch = switch_hands(face, 3, last=True).restart().ask_everything().key(t.KEY_NEXT_HAND).restart()
    return watch.ask_everything().key(t.KEY_SWITCH).ask_everything()


def switch_hand_damaged(face: int) -> Watch:
    """A switch hands card that the head cannot read: why may depend on its face."""
    watch = Watch(reader=False, decks=1, options=OPTION_SWITCH_HANDS)
    watch.key(t.KEY_LOAD, 0).draw(TWO).key(t.KEY_SEATS, 3).key(t.KEY_DEAL)
    watch.draw(face, flipped=(2, 9, 17, 22), lost=(12,)).ask_everything()
    return watch.key(t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN).ask_everything()


def one_answer(_: int) -> int:
    """All faces belong to one class."""
    return 0


def with_king(face: int) -> int:
    """What the reader says with a king up."""
    return int(face % 13 == 0)


def with_ace(face: int) -> int:
    """What the reader says with an ace up."""
    return int(face % 13 > 8)


def is_the_hole_card(face: int) -> int:
    """The five of clubs is no other card."""
    return int(face == 4)


SCENES: dict[str, tuple[Scene, Callable[[int], int], Iterable[int]]] = {
    scene.__name__: (scene, answer, faces)
    for scene, answer, faces in (
        (king_up, with_king, (*SAMPLE, 26, 39)),
        (ace_up, with_ace, (*SAMPLE, 26, 39)),
        (seven_up, one_answer, SAMPLE),
        (through_the_shoe, one_answer, SAMPLE),
        (copy_too_many, one_answer, SAMPLE),
        (over_a_restart, with_king, SAMPLE),
        (another_card, is_the_hole_card, SAMPLE),
        (any_other_card, is_the_hole_card, SAMPLE),
        (nothing_readable, one_answer, SAMPLE),
        (past_a_dead_line, one_answer, SAMPLE),
        (past_a_dead_card_sensor, one_answer, SAMPLE),
        (two_past_a_dead_card_sensor, one_answer, SAMPLE),
        (damaged, one_answer, SAMPLE),
        (burned, one_answer, SAMPLE),
        (double_face_down, one_answer, SAMPLE),
        (stuck_before_the_double, one_answer, SAMPLE),
        (drawn_in_error, one_answer, SAMPLE),
        (players_card, one_answer, SAMPLE),
        (players_blackjack_beside_the_reader, one_answer, SAMPLE),
        (players_card_over_a_restart, one_answer, SAMPLE),
        (players_card_damaged, one_answer, SAMPLE),
        (switch_hand_kept, one_answer, SAMPLE),
        (switch_hand_beside_one_that_is_played, one_answer, SAMPLE),
        (switch_hand_over_a_restart, one_answer, SAMPLE),
        (switch_hand_damaged, one_answer, SAMPLE),
    )
}


def leak(name: str) -> str | None:
    """Play a scene with every face; what tells two faces of the same answer apart, None when nothing does."""
    scene, answer, faces = SCENES[name]
    first: dict[int, tuple[int, list[Observed]]] = {}
    with hiding():
        for face in faces:
            seen = scene(face).observed()
            other, shown = first.setdefault(answer(face), (face, seen))
            difference = first_difference(shown, seen)
            if difference is not None:
                return f"{name}: faces {other} and {face} are told apart by {difference}"
    return None


@pytest.mark.clause("633a.7(h) method")
@pytest.mark.parametrize("name", SCENES)
def test_nothing_tells_two_faces_of_the_same_answer_apart(name: str) -> None:
    assert leak(name) is None


@pytest.mark.clause("633a.7(h) result")
@pytest.mark.parametrize("name", ["king_up", "ace_up", "another_card", "any_other_card"])
def test_the_scenes_do_show_the_answer(name: str) -> None:
    """Faces of different answers are told apart, so the comparison looks at something."""
    scene, answer, faces = SCENES[name]
    by_answer = {answer(face): face for face in faces}
    with hiding():
        shown = [scene(face).observed() for face in by_answer.values()]
    assert len(shown) == 2 and first_difference(*shown) is not None


def test_what_is_observed_holds_everything_that_the_shoe_can_be_asked() -> None:
    with hiding():
        watch = king_up(KING)
        watch.observed()
    kinds = Counter(kind for kind, _, _, _ in watch.frames())
    for kind in (
        *(t.MSG_IDENTIFY, t.MSG_STATUS, t.MSG_TICKS, t.MSG_CONFIG_READ, t.MSG_HISTORY_LIST, t.MSG_HISTORY_READ),
        *(t.MSG_TRACE, t.MSG_EVENT_READ, t.MSG_SUBSCRIBE, t.MSG_LEVELS),
    ):
        assert kinds[kind + t.ANSWER], f"no answer to request {kind}"
    assert kinds[t.MSG_EVENT] and kinds[t.MSG_ERROR]
    assert {one[0] for one in watch.board.seen} >= {"lamps", "line"}


# ------------------------------------------------------------------------------------------------- leaks, built in
def slow_for_some(monkeypatch: pytest.MonkeyPatch) -> str:
    """The answer to some cards comes 10 ms later."""
    right = shoe.reading.card_reader.CardReader.passed

    def passed(self: Any, done: Any, ticks_us: int) -> Any:
        return right(self, done, ticks_us + (10000 if done.card & 1 else 0))

    monkeypatch.setattr(shoe.reading.card_reader.CardReader, "passed", passed)
    return "king_up"


def names_the_other_card(monkeypatch: pytest.MonkeyPatch) -> str:
    """The fault's detail is the card that was read."""
    right = shoe.dealing.peek._answer

    def answer(d: Any, p: Any) -> None:
        seen = d.fault
        d.fault = lambda code, head, detail: seen(code, head, p.card)
        right(d, p)
        del d.fault

    monkeypatch.setattr(shoe.dealing.peek, "_answer", answer)
    return "any_other_card"


def looks_before_it_refuses(monkeypatch: pytest.MonkeyPatch) -> str:
    """With a seven up a card that is no hole card of this deal is refused in another way."""
    right = shoe.dealing.peek.used

    def used(d: Any, p: Any) -> None:
        if p.card % 13 == 0 and d.st.dealt:
            p.kind = t.PASS_BLOCKED
        right(d, p)

    monkeypatch.setattr(shoe.dealing.peek, "used", used)
    return "seven_up"


def serves_every_trace(monkeypatch: pytest.MonkeyPatch) -> str:
    """No pass is wiped."""
    monkeypatch.setattr(shoe.app.app.Trace, "wipe", lambda self, head: self.keep(head, 0))
    return "through_the_shoe"


def serves_blocked_passes(monkeypatch: pytest.MonkeyPatch) -> str:
    """What went past a blocked head is served."""
    right = shoe.app.app.Trace.wipe

    def wipe(self: Any, head: int) -> None:
        if self._progress[head][shoe.reading.trace._COUNT] > 40:
            self.keep(head, t.PASS_BLOCKED)
        else:
            right(self, head)

    monkeypatch.setattr(shoe.app.app.Trace, "wipe", wipe)
    return "past_a_dead_line"


def serves_what_went_by_unseen(monkeypatch: pytest.MonkeyPatch) -> str:
    """As if only one card could go past a dead card sensor before it is noticed."""
    monkeypatch.setattr(shoe.app.heads, "EDGES", 1000)
    return "two_past_a_dead_card_sensor"


def serves_what_is_in_the_throat(monkeypatch: pytest.MonkeyPatch) -> str:
    """The first half of a card is served when its head counts as blocked, before anybody knows how it will lie."""
    right = shoe.app.heads.Heads._passed

    def passed(self: Any, done: Any, head: int, *more: Any) -> None:
        if done.kind == t.PASS_BLOCKED:
            self._trace.keep(head, done.kind)
        right(self, done, head, *more)

    monkeypatch.setattr(shoe.app.heads.Heads, "_passed", passed)
    return "stuck_before_the_double"


def lights_the_face(monkeypatch: pytest.MonkeyPatch) -> str:
    """A lamp flickers once with a red card in the reader."""
    right = shoe.dealing.peek.lamps
    monkeypatch.setattr(
        shoe.dealing.peek,
        "lamps",
        lambda st: right(st) | (128 if st.sealed.many and st.sealed.get(st.sealed.many - 1)[4] in (13, 20, 38) else 0),
    )
    return "king_up"


def plays_by_the_face(monkeypatch: pytest.MonkeyPatch) -> str:
    """A player's hand knows its own cards, so that the shoe ends it at 21 or over."""
    handlers = shoe.dealing.fold.CARD_HANDLERS
    right = handlers[t.REC_SEALED]

    def sealed(st: Any, event: Any) -> None:
        right(st, event)
        if event[1] == t.ROLE_OPENING:
            st.hand(event[2], event[3]).cards[-1] = event[5]

    monkeypatch.setitem(handlers, t.REC_SEALED, sealed)
    return "players_card"


def opens_what_was_kept(monkeypatch: pytest.MonkeyPatch) -> str:
    """The cards of a position that keeps its hand are opened on their way to the rack."""
    right = shoe.dealing.switch_hands.follow

    def follow(d: Any) -> bool:
        for aside in d.st.asides:
            if aside.ended >= 0 and not aside.switched and aside.refs:
                d.open(aside.refs[0])
        return right(d)

    monkeypatch.setattr(shoe.dealing.switch_hands, "follow", follow)
    return "switch_hand_kept"


def measures_data(monkeypatch: pytest.MonkeyPatch) -> str:
    """The level of DATA at the first measurement under a card is told, whatever card it is."""

    def passing(self: Any, head: int, lines: int) -> None:
        if lines & 1 and not self._taken[head]:
            self._taken[head] = 1
            self._board.levels(head, self._raw, 15)
            self.dark[4 * head + 3] = self._raw[3]

    monkeypatch.setattr(shoe.reading.head_margins.Margins, "passing", passing)
    return "through_the_shoe"


def counts_face_down_cards(monkeypatch: pytest.MonkeyPatch) -> str:
    """What the clock lines were like under a card that lies face down counts, at a moment that its data decided."""
    right = shoe.reading.head_margins.Margins.passing

    def passing(self: Any, head: int, lines: int) -> None:
        if not lines & 8:
            right(self, head, lines)

    def passed(self: Any, head: int, public: bool) -> None:
        for line in range(3):
            self.dark[4 * head + line] = self._own[4 * head + line] - 100 * self._taken[head]
            self._own[4 * head + line] = 0
        self._taken[head] = 0

    monkeypatch.setattr(shoe.reading.head_margins.Margins, "passing", passing)
    monkeypatch.setattr(shoe.reading.head_margins.Margins, "passed", passed)
    return "through_the_shoe"


LEAKS = (
    measures_data,
    counts_face_down_cards,
    opens_what_was_kept,
    plays_by_the_face,
    slow_for_some,
    names_the_other_card,
    looks_before_it_refuses,
    serves_every_trace,
    serves_blocked_passes,
    serves_what_went_by_unseen,
    serves_what_is_in_the_throat,
    lights_the_face,
)


@pytest.mark.parametrize("build", LEAKS, ids=lambda build: build.__name__)
def test_a_shoe_with_a_leak_built_in_is_found_out(
    build: Callable[[pytest.MonkeyPatch], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = build(monkeypatch)
    found = leak(name)
    assert found is not None, f"{build.__name__} was not seen in {name}"


# ----------------------------------------------------------------------------------------------------- constant work
def counts(frame: FrameType) -> bool:
    """Whether it is the shoe's work: not what the test run's own tools do while garbage is collected."""
    return "site-packages" not in frame.f_code.co_filename


def work(face: int, up: int) -> Counter[tuple[CodeType, int]]:
    """How often each instruction of the firmware runs from the due answer to the end of its step."""
    watch = opening(inspected(Watch()), up).draw(face)
    if up == ACE:
        watch.key(t.KEY_INSURANCE, 0)
    watch.slide(face)
    done: Counter[tuple[CodeType, int]] = Counter()

    def local(frame: FrameType, event: str, _: object) -> Any:
        if event == "opcode":
            done[frame.f_code, frame.f_lasti] += 1
        return local

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not counts(frame):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return local

    def count() -> None:
        """From now on count what the table does with a reading, up to lamps and live events."""
        right = watch.app.table.dealing.input_pass

        def input_pass(p: Any) -> Any:
            if p.head == t.HEAD_READER:
                sys.settrace(trace)
            return right(p)

        watch.app.table.dealing.input_pass = input_pass

    watch.steps.insert(len(watch.steps) - 2, ("call", count))
    watch.key(0).then(lambda: sys.settrace(None))
    with hiding():
        watch.observed()
    assert done
    return done


@pytest.mark.clause("633a.7(h) method")
@pytest.mark.parametrize(("up", "answer"), [(KING, with_king), (ACE, with_ace)], ids=["king up", "ace up"])
def test_the_answer_takes_the_same_instructions_for_every_face_that_gives_it(
    up: int, answer: Callable[[int], int]
) -> None:
    first: dict[int, Counter[tuple[CodeType, int]]] = {}
    for face in SAMPLE if os.environ.get("ALL_FACES") else (0, 13, 4, 38, 9, 51):  # both answers, both colors
        done = work(face, up)
        assert done == first.setdefault(answer(face), done), f"face {face}"
    print({said: sum(done.values()) for said, done in first.items()}, "instructions by answer")


def test_an_answer_that_works_longer_for_some_faces_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = shoe.dealing.peek._answer
    assert work(14, KING) == work(15, KING)
    monkeypatch.setattr(shoe.dealing.peek, "_answer", lambda d, p: [right(d, p)] + [0 for _ in range(p.card % 13)])
    assert work(14, KING) != work(15, KING)


@pytest.mark.clause("633a.12(b)(5)(i)-(iv)")
@pytest.mark.parametrize(
    "place", range(4), ids=["first card", "another box", "second card", "the last before the hole card"]
)
def test_a_players_card_from_the_hand_takes_the_same_instructions_whatever_it_is(place: int) -> None:
    """From the pass to its events, lamps and phase."""
    first: Counter[tuple[CodeType, int]] | None = None
    for face in FACES:
        done: Counter[tuple[CodeType, int]] = Counter()

        def local(frame: FrameType, event: str, _: object, done: Counter[tuple[CodeType, int]] = done) -> Any:
            if event == "opcode":
                done[frame.f_code, frame.f_lasti] += 1
            return local

        def trace(frame: FrameType, event: str, _: object, local: Any = local) -> Any:
            if not counts(frame):
                return None
            frame.f_trace_opcodes = True
            frame.f_trace_lines = False
            return local

        table = Table(config(game=t.GAME_FROM_THE_HAND, decks=1))
        table.start(3)
        table.draw(*(5, 6, NINE, 7)[: place + (place > 1)])
        sys.settrace(trace)
        table.draw(face)
        seen = table.phase, table.dealing.lamps
        sys.settrace(None)
        assert seen[0] == t.PHASE_OPENING and table.kinds() == [t.REC_SEALED]
        first = first or done
        assert done and done == first, f"face {face}"
