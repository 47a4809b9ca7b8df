"""Cases of the shoe: equipment, cards, cover card, burn, double shoe."""

from __future__ import annotations

from shoetool.judge import registry as reg
from shoetool.model.protocol_table import FaultCode, Finish, Game, Role, ShoeKind
from shoetool.model.protocol_table import IrregularityCode as Irr
from shoetool.verify import BREACH, CANNOT_TELL, HANDLED
from short_shoe import NONE, RACK, SEGREGATED, TABLE, Short, face
from verify_case import case


# ---------------------------------------------------------------------------------------------- equipment and cards
@case(reg.DOUBLE_DECKS, BREACH)
def odd_decks_in_a_double_shoe() -> Short:
    s = Short(kind=ShoeKind.DOUBLE, decks=5, opened=False)
    s.open()
    s.load(0, 104, burn=False)
    s.load(1, 104, burn=False)
    s.end()
    return s


@case(reg.SPANISH_DECKS, BREACH)
def spanish_21_from_four_decks() -> Short:
    s = Short(game=Game.SPANISH_21, decks=4)
    s.end()
    return s


@case(reg.POSITIONS, BREACH)
def free_bet_with_a_seventh_position() -> Short:
    s = Short(game=Game.FREE_BET)
    s.start(1, 7)
    s.opening({1: "10C", 7: "9C"}, "7C", {1: "8C", 7: "KD"}, "KH")
    s.stand(1, 7)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.FULL_BATCH, BREACH)
def a_short_batch_is_loaded() -> Short:
    s = Short(opened=False)
    s.open()
    s.load(0, 311)
    s.end()
    return s


@case(reg.COMPOSITION, BREACH)
def a_second_copy_from_one_deck() -> Short:
    s = Short(decks=1)
    s.start(1)
    s.opening({1: "10C"}, "7C", {1: "8C"}, "KH")
    s.stand(1)
    s.reveal()
    s.close()
    s.start(1)
    s.opening({1: "10D"}, "7D", {1: "8C"}, "QH")
    s.irr(Irr.EXTRA_CARD, detail=face("8C"))
    s.stand(1)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.BACKS, BREACH)
def a_card_of_another_batch() -> Short:
    s = Short()
    s.usual()
    s.add("fault", FaultCode.FOREIGN_BATCH, 0, 9)
    s.irr(Irr.FOREIGN_BATCH, detail=9)
    s.card(Role.STOPPED, TABLE, "4D", batch=9)
    s.add("cleared", FaultCode.FOREIGN_BATCH, 3)
    s.finish_usual()
    s.end()
    return s


@case(reg.COVER_CARDS, BREACH)
def a_second_cover_card_on_one_side_of_a_double_shoe() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.add("cover_card", 0, 1, NONE, 1)
    s.irr(Irr.SECOND_COVER_CARD)
    s.end()
    return s


@case(reg.COVER_PLACE, CANNOT_TELL)
def a_second_cover_card_in_a_single_shoe() -> Short:
    s = Short()
    s.add("cover_card", 0, 1, NONE, 1)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    return s


# ------------------------------------------------------------------------------------------------------ cover card
def nearly_dealt(behind: int, **more: int) -> Short:
    s = Short(decks=1, **more)  # type: ignore[arg-type]
    for card in range(51 - behind):
        s.card(Role.DISCARDED, RACK, card if card < 1 else card + 1)
    return s


@case(reg.COVER_PLACE, BREACH)
def twelve_cards_behind_the_cover_card_of_one_deck() -> Short:
    s = nearly_dealt(12)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    return s


@case(reg.COVER_PLACE, CANNOT_TELL)
def a_double_feed_leaves_the_place_open() -> Short:
    s = nearly_dealt(12)
    s.add("fault", FaultCode.DOUBLE_FEED, 0, 0)
    s.add("cleared", FaultCode.DOUBLE_FEED, 2)
    s.add("cover_card", 0, 1, NONE, 1)
    s.end()
    return s


@case(reg.LAST_ROUND, BREACH)
def a_round_after_the_last_one() -> Short:
    s = Short()
    s.usual()
    s.add("cover_card", 0, 5, 1, 1)
    s.finish_usual()
    s.add("finished", 0, Finish.COVER_CARD, 7)
    s.whole_round()
    s.end()
    return s


@case(reg.ORDERED, HANDLED)
def the_floorperson_orders_a_reshuffle() -> Short:
    s = Short()
    s.usual()
    s.irr(Irr.ORDERED_RESHUFFLE)
    s.finish_usual()
    s.add("finished", 0, Finish.ORDERED, 7)
    s.end()
    return s


@case(reg.ORDERED, BREACH)
def a_round_after_the_finish_that_was_ordered() -> Short:
    s = Short()
    s.whole_round()
    s.add("finished", 0, Finish.ORDERED, 7)
    s.whole_round()
    s.end()
    return s


@case(reg.ONLY_THAT_SIDE, BREACH)
def the_other_side_is_loaded_again() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.add("cover_card", 0, 1, NONE, 1)
    s.add("finished", 0, Finish.COVER_CARD, 0)
    s.add("shoe_closed", Finish.COVER_CARD, 0, 0)
    s.open()
    s.load(1, burn=False)
    s.end()
    return s


@case(reg.COUNT, BREACH)
def a_card_is_missing_and_the_count_says_so() -> Short:
    s = nearly_dealt(13)
    s.add("cover_card", 0, 1, NONE, 1)
    s.add("finished", 0, Finish.COVER_CARD, 39)
    for card in range(40, 52):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 1, 13, 12, 39)
    s.end()
    return s


@case(reg.COUNT, CANNOT_TELL)
def an_unknown_card_may_be_the_missing_one() -> Short:
    s = nearly_dealt(13)
    s.irr(Irr.FACE_UP_CARD)
    s.add("finished", 0, Finish.ORDERED, 40)
    for card in range(40, 52):
        s.card(Role.COUNTED, RACK, card)
    s.add("counted", 0, 3, 12, 12, 39)
    s.end()
    return s


# ------------------------------------------------------------------------------------------------------------ burn
@case(reg.BATCH_BURN, BREACH)
def no_burn_after_the_load() -> Short:
    s = Short(burn=False)
    s.irr(Irr.BURN_MISSING)
    s.whole_round()
    s.end()
    return s


@case(reg.DEALER_BURN, BREACH)
def no_burn_by_the_new_dealer() -> Short:
    s = Short()
    s.add("dealer_changed", 2)
    s.whole_round()
    s.end()
    return s


# ----------------------------------------------------------------------------------------------------- double shoe
def double_round(s: Short, role: Role, card: str, head: int, chosen: int, box: int | None = None) -> None:
    """A round of one position: determinant, side, opening deal, stand, reveal, close."""
    s.start(2)
    first = role == Role.DETERMINANT_FIRST
    s.card(role, (2 if first else SEGREGATED) if box is None else box, card, head=head)
    s.add("side_chosen", chosen)
    s.side = chosen
    s.opening({2: "9C"}, "7C", {2: "KD"}, "KH", skip=first)
    s.stand(2)
    s.reveal()
    s.close()


@case(reg.DETERMINANT, BREACH)
def a_round_without_determinant() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.whole_round()
    s.end()
    return s


@case(reg.MAPPING, BREACH)
def the_suit_names_the_other_side() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(2)
    s.card(Role.DETERMINANT_ASIDE, SEGREGATED, "9C", head=0)
    s.add("side_chosen", 0)
    s.side = 1
    s.opening({2: "9C"}, "7C", {2: "KD"}, "KH")
    s.stand(2)
    s.reveal()
    s.close()
    s.end()
    return s


@case(reg.MAPPING, CANNOT_TELL)
def the_determinant_is_unknown() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    double_round(s, Role.DETERMINANT_ASIDE, "9C", 0, 1)
    records = s.s.records
    at = next(i for i, r in enumerate(records) if r.name == "card" and r.role == Role.DETERMINANT_ASIDE)
    records[at] = records[at]._replace(values=(*records[at].values[:4], 63, 63, 300, 0))
    s.end()
    return s


@case(reg.MATCH, BREACH)
def a_matching_determinant_goes_to_another_position() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    double_round(s, Role.DETERMINANT_ASIDE, "9H", 0, 0)
    s.end()
    return s


@case(reg.MISMATCH, BREACH)
def a_determinant_of_the_other_side_is_dealt() -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    double_round(s, Role.DETERMINANT_FIRST, "9C", 0, 1)
    s.end()
    return s


def from_the_wrong_side(outcome: int) -> Short:
    s = Short(kind=ShoeKind.DOUBLE)
    s.start(2)
    s.card(Role.DETERMINANT_ASIDE, SEGREGATED, "9C", head=0)
    s.add("side_chosen", 1)
    s.side = 1
    s.card(Role.OPENING, 2, "9C", head=0)
    s.irr(Irr.WRONG_SIDE, 2)
    s.up("7C")
    s.give(2, "KD")
    s.hole("KH")
    s.stand(2)
    s.reveal()
    s.close(17 if not outcome else 0, outcome)
    s.end()
    return s


@case(reg.WRONG_SIDE, HANDLED)
def a_card_from_the_wrong_side_stands() -> Short:
    return from_the_wrong_side(0)


@case(reg.WRONG_SIDE, BREACH)
def a_round_is_voided_for_the_wrong_side() -> Short:
    return from_the_wrong_side(1)
