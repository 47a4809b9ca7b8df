"""Mistakes that no scenario plants, each driven into the firmware's dealing, and what `verify` should say of it.

Each is frozen as it is told today. `due` marks those that the redesign tells rightly: see `golden_marks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from golden_case import Case, Command, Due
from golden_driver import Driven
from golden_histories import FIRST_TURN, UTC, deal, write_histories, write_pages, write_record
from histories import cut_pages
from shoesim.scenario import PRESETS
from shoesim.wagers_plants import WagerPlant
from shoetool.cli.wager_record import at_the_table, rules_values
from shoetool.model.protocol_table import Clear, Game, HandEnd, IrregularityCode, Key, Role, ShoeKind
from shoetool.rules.submission.file import from_values
from short_shoe import RACK, Short

CASES: list[Case] = []
Make = Callable[[], Driven]


def mistake(
    why: str = "", told: Mapping[str, int] | None = None, names: tuple[str, ...] = ()
) -> Callable[[Make], Make]:
    """Enter a mistake under the words of its function's name; `why`, `told` and `names` as `Due` has them."""

    def enter(make: Make) -> Make:
        due = Due(why, told or {}, names) if why else None
        CASES.append(Case(make.__name__.replace("_", " "), partial(_written, make), due))
        return make

    return enter


def _written(make: Make) -> list[Command]:
    histories = write_histories(make().records())
    return _told(histories)


def _told(histories: list[str]) -> list[Command]:
    return [
        ("verify", *UTC, *histories),
        ("verify", *UTC, "--json", *histories),
        *(("replay", *UTC, name) for name in histories),
    ]


# ------------------------------------------------------------------------------------------- the refused key
def _ace_up(**options: bool) -> Driven:
    return Driven(reader=True, **options).start().open(1, 2).draw("10C", "9C", "AC", "8C", "KD", "9H")


@mistake()
def insurance_after_the_reader() -> Driven:
    d = _ace_up().key(Key.INSURANCE, 0).peek("9H").key(Key.INSURANCE, 1)
    return d.stand().finish().close()


@mistake()
def insurance_after_a_player_has_acted() -> Driven:
    d = _ace_up().key(Key.INSURANCE, 0).peek("9H").stand(1).key(Key.INSURANCE, 2)
    return d.stand(1).finish().close()


@mistake()
def insurance_with_a_king_up() -> Driven:
    d = Driven(reader=True).start().open(1, 2).draw("10C", "9C", "KC", "8C", "KD", "9H")
    return d.key(Key.INSURANCE, 1).peek("9H").stand().finish().close()


@mistake()
def a_fifth_hand_in_free_bet() -> Driven:
    d = Driven(Game.FREE_BET).start().open(1).draw("8C", "7C", "8D", "KH")
    for card in ("8H", "8S", "8C"):
        d.key(Key.SPLIT).draw(card)
    d.key(Key.SPLIT)
    d.stand(1)
    for card in ("10C", "10D", "10H"):
        d.draw(card).stand(1)
    return d.finish().close()


@mistake()
def a_second_switch() -> Driven:
    d = Driven(Game.SWITCH).start().open(1).draw("10C", "6C", "7C", "5D", "9D", "KH")
    return d.key(Key.SWITCH).key(Key.SWITCH).stand(2).finish().close()


@mistake()
def deal_after_the_cover_card() -> Driven:
    d = Driven().start()
    d.deal().cover().stand().finish()
    return d.open(1, 2).close()


@mistake()
def reveal_before_a_late_card() -> Driven:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C", "2C", "KD", "KH")
    d.stand(2).key(Key.MISSED, 1 + 16).key(Key.REVEAL).draw("5C").key(Key.REVEAL).stand(1)
    return d.finish().close()


# ------------------------------------------------------------------------------------------- the reader
@mistake()
def a_card_after_the_reader_said_blackjack() -> Driven:
    d = Driven(reader=True).start().open(1, 2).draw("10C", "9C", "AC", "8C", "KD", "KH").key(Key.INSURANCE, 0)
    return d.peek("KH").draw("3C").finish().close()


@mistake()
def a_card_while_the_reader_has_failed() -> Driven:
    d = Driven(reader=True).start().open(1, 2).draw("10C", "9C", "KC", "8C", "KD", "9H")
    for _ in range(3):
        d.peek("9H", damaged=True)
    d.draw("3C").inspect()
    return d.peek("9H").stand().finish().close()


@mistake()
def a_round_is_voided_after_the_reader_has_failed() -> Driven:
    d = Driven(reader=True).start().open(1, 2).draw("10C", "9C", "KC", "8C", "KD", "9H")
    for _ in range(3):
        d.peek("9H", damaged=True)
    return d.key(Key.VOID_ROUND).inspect().close()


@mistake()
def a_round_is_voided_after_two_foreign_cards() -> Driven:
    d = Driven().start().open(1, 2).draw("10C")
    for card in ("9C", "9D"):
        d.draw(card, batch=5).key(Key.SUPERVISOR, Clear.CARD_REMOVED)
    return d.key(Key.VOID_ROUND).close()


@mistake()
def the_reader_is_used_twice_with_a_seven_up() -> Driven:
    return Driven(reader=True).start().deal().peek("KH").peek("KH").stand().finish().close()


@mistake()
def the_reader_is_used_between_rounds_and_with_a_seven_up() -> Driven:
    return Driven(reader=True).start().peek("KH").deal().peek("KH").stand().finish().close()


# ------------------------------------------------------------------------------------------- the dealer's turn
@mistake()
def the_dealer_draws_on_12_before_he_turns() -> Driven:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C", "8C", "KD", "5H").stand()
    return d.draw("6C").key(Key.REVEAL).key(Key.END_ROUND).close()


@mistake()
def the_dealer_draws_on_16_before_he_turns() -> Driven:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C", "8C", "KD", "9H").stand()
    return d.draw("2C").key(Key.REVEAL).key(Key.END_ROUND).close()


@mistake()
def the_dealer_draws_on_17_before_he_turns() -> Driven:
    return Driven().start().deal().stand().draw("2D").finish().close()


@mistake()
def the_dealer_draws_on_20_before_he_turns() -> Driven:
    d = Driven().start().open(1, 2).draw("10C", "9C", "10D", "8C", "KD", "QH").stand()
    return d.draw("2D").finish().close()


@mistake()
def a_spanish_21_rescue_and_then_the_reveal() -> Driven:
    d = Driven(Game.SPANISH_21).start().open(1, 2).draw("5C", "9C", "7C", "6C", "KD", "KH")
    d.key(Key.DOUBLE).draw("2D").stand(1)
    return d.key(Key.SURRENDER, 1).finish().close()


# ------------------------------------------------------------------------------------------- cover cards
@mistake()
def a_second_cover_card_in_a_single_shoe() -> Driven:
    d = Driven().start().round()
    return d.deal().cover().cover().stand().finish().close()


@mistake()
def a_cover_card_of_the_other_batch() -> Driven:
    d = Driven().start().deal().cover(batch=2)
    return d.stand().finish().close()


@mistake()
def a_cover_card_of_the_other_side_in_a_double_shoe() -> Driven:
    d = Driven(kind=ShoeKind.DOUBLE, decks=8).start().open(1)
    d.draw("10D").draw("7C", "8C", "KH")
    return d.cover(batch=2).stand(1).finish().close()


@mistake()
def the_cover_card_from_the_other_side() -> Driven:
    d = Driven(kind=ShoeKind.DOUBLE, decks=8).start().open(1)
    d.draw("10D").draw("7C", "8C", "KH")
    return d.cover(head=1).stand(1).finish().close()


@mistake()
def a_whole_shoe_is_counted_and_has_no_cover_card() -> Driven:
    d = Driven().start().round().key(Key.COUNT)
    return d.draw(*d.rest()).key(Key.COUNT).close()


@mistake()
def a_shoe_is_dealt_to_its_end_and_has_no_cover_card() -> Driven:
    d = Driven(decks=1).start()
    d.play_on(d.rest())
    return d.key(Key.VOID_ROUND).close()


# ------------------------------------------------------------------------------------------- one finding for each
@mistake()
def four_foreign_cards_in_a_row() -> Driven:
    d = Driven().start().open(1, 2).draw("10C")
    for card in ("9C", "9D", "9H", "9S"):
        d.draw(card, batch=5).key(Key.SUPERVISOR, Clear.CARD_REMOVED)
    return d.draw("9C", "7C", "8C", "KD", "KH").stand().finish().close()


@mistake()
def eight_unreadable_cards_in_a_row() -> Driven:
    d = Driven().start().open(1, 2, 3, 4, 5, 6, 7)
    for card in ("9C", "9D", "9H", "9S", "8C", "8D", "8H", "7C"):
        d.draw(card, damaged=True).key(Key.SUPERVISOR, Clear.CARD_UNKNOWN)
    d.draw("2C", "2D", "2H", "2S", "3C", "3D", "3H", "KH").stand(7)
    return d.finish().close()


@mistake()
def two_missed_cards_of_split_hands() -> Driven:
    d = Driven().start().open(1, 2).draw("8C", "9C", "7C", "8D", "KD", "KH").key(Key.SPLIT)
    d.draw("3C").stand(1).draw("4C").stand(2)
    d.key(Key.MISSED, 1 + 16).key(Key.MISSED, 1 + 32).draw("5C").stand(1).draw("6C").stand(1)
    return d.finish().close()


@mistake()
def two_missed_cards() -> Driven:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C", "2C", "3D", "KH").stand()
    d.key(Key.MISSED, 1 + 16).key(Key.MISSED, 2 + 16).draw("5C").stand(1).draw("6C").stand(1)
    return d.finish().close()


@mistake()
def a_missing_king_after_a_full_count() -> Driven:
    d = Driven().start().round().deal().cover().stand().finish().key(Key.COUNT)
    return d.draw(*d.rest("KD")).key(Key.COUNT).key(Key.SUPERVISOR, Clear.RESUME).close()


@mistake()
def two_missing_cards_after_a_full_count() -> Driven:
    d = Driven().start().round().deal().cover().stand().finish().key(Key.COUNT)
    return d.draw(*d.rest("KD", "4S")).key(Key.COUNT).key(Key.SUPERVISOR, Clear.RESUME).close()


@mistake()
def two_cards_too_many_and_a_missing_king() -> Driven:
    d = Driven().start().round().deal().cover().stand().finish().key(Key.COUNT)
    d.draw(*d.rest("KD")).draw("3S", "4S")
    return d.key(Key.COUNT).key(Key.SUPERVISOR, Clear.RESUME).close()


@mistake()
def a_king_for_a_four() -> Driven:
    d = Driven().start().round().deal().cover().stand().finish().key(Key.COUNT)
    cards = d.rest("KD")
    d.draw(*cards[:-1])
    return d.draw("4S").draw(*cards[-1:]).key(Key.COUNT).key(Key.SUPERVISOR, Clear.RESUME).close()


def _an_irregularity_of_another_card() -> list[Command]:
    """Written by hand, since no shoe takes a card away by itself: one card is discarded, and another one goes too."""
    s = Short()
    s.usual()
    drawn = s.give(1, "2D", Role.DRAW)
    s.irr(IrregularityCode.CARD_DISCARDED, 1)
    s.add("moved", drawn, Role.DISCARDED, RACK, 0)
    s.end_hand(1, HandEnd.STAND)
    drawn = s.give(2, "AD", Role.DRAW)
    s.add("moved", drawn, Role.DISCARDED, RACK, 0)
    s.end_hand(2, HandEnd.STAND)
    s.reveal()
    s.close(17)
    s.end()
    return _told([write_pages(cut_pages(s.s.records, flags=FIRST_TURN), s.s.records[-1], "shoe-1.shoelog")])


CASES.append(
    Case(
        "an irregularity of another card excuses none",
        _an_irregularity_of_another_card,
    )
)


# ------------------------------------------------------------------------------------------- a table record
def _a_late_bad_beat_wager() -> list[Command]:
    """The Bad Beat is the only progressive wager of this table."""
    values = rules_values(None, PRESETS["six-deck"])
    scenario = at_the_table(replace(PRESETS["six-deck"], rounds=4), from_values(values, "the table"))
    histories = write_histories(deal(scenario)[0])
    record, planted = write_record(histories, values, 1, (WagerPlant("late_progressive_wager"),))
    assert planted
    return [
        ("verify", *UTC, "--table-record", record, *histories),
        ("verify", *UTC, "--json", "--table-record", record, *histories),
    ]


CASES.append(
    Case(
        "a late bad beat wager",
        _a_late_bad_beat_wager,
    )
)


# ------------------------------------------------------------------------------------------- not told at all
@mistake()
def a_refill_with_300_cards_left() -> Driven:
    d = Driven().start().deal().key(Key.REFILL).draw("2D")
    return d.stand().finish().close()


@mistake()
def a_head_fault_is_cleared_in_mid_round() -> Driven:
    d = Driven().start().open(1, 2).draw("10C", "9C", "7C").dirty().key(Key.SUPERVISOR, Clear.RESUME)
    return d.draw("8C", "KD", "KH").stand().finish().close()


# ------------------------------------------------------------------------------------------- told twice
@mistake()
def a_ten_as_the_burn_card_in_spanish_21() -> Driven:
    d = Driven(Game.SPANISH_21).start(burn="10C").open(1, 2).draw("9C", "9D", "7C", "8C", "KD", "KH")
    return d.stand().finish().close()


@mistake()
def an_exposed_card_is_discarded() -> Driven:
    d = Driven().start().deal().draw("5C").key(Key.HOLD, 1).key(Key.DISCARD, 0)
    return d.stand().finish().close()


@mistake()
def the_deal_key_is_forgotten() -> Driven:
    d = Driven().start().key(Key.SEATS, 3).draw("10C", "9C", "7C").key(Key.DEAL).draw("8C", "KD", "KH")
    return d.stand().finish().close()


def mistakes() -> list[Case]:
    """Every mistake."""
    return list(CASES)
