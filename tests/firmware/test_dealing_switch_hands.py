"""633c.4: switch hands and Blackjack premium: two face-down cards more, and the choice before any other card."""

import unittest

from dealing_table import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    KING,
    Table,
    card,
    config,
    difference,
    double_shoe,
    folded,
    snapshot,
)
from shoe import wire_table as t
from shoe.config import OPTION_HANDS_LAST, OPTION_PREMIUM, OPTION_READER, OPTION_SWITCH_HANDS
from shoe.dealing.switch_hands import slots

_ASIDE = 4
_FIRST = (card(9, HEARTS), card(5, HEARTS), card(ACE, HEARTS), card(KING, HEARTS))  # two passes to positions 1 and 3
_HANDS = (card(10), card(8), card(6, CLUBS), card(6), card(7), card(KING, CLUBS))


def table(options=0, **settings):
    return Table(config(options=OPTION_SWITCH_HANDS | options, **settings))


def dealt(options=0, aside=_FIRST, hands=_HANDS, **settings):
    """Positions 1 and 3: switch hands 9-A and 5-K of hearts, Blackjack hands 10-6 and 8-7, dealer 6 up."""
    out = table(options, **settings)
    out.start(5)
    out.draw(*(hands + aside if options & OPTION_HANDS_LAST else aside + hands))
    return out


def places(table):
    """(role, box, hand) of the cards of the round, in the order they came."""
    cards = (t.REC_CARD, t.REC_SEALED)
    return [event[1:4] for _, event in table.records if event[0] in cards and event[1] != t.ROLE_BURN]


_ASIDES = [(t.ROLE_SWITCH_HAND, 1, _ASIDE), (t.ROLE_SWITCH_HAND, 3, _ASIDE)]
_OPENING = [(t.ROLE_OPENING, 1, 0), (t.ROLE_OPENING, 3, 0)]
_PLAN = _OPENING + [(t.ROLE_DEALER_UP, 0, 0)] + _OPENING + [(t.ROLE_HOLE, 0, 0)]


class Aside:
    def __init__(self, box, skips):
        self.box, self.skips = box, skips


class DealTest(unittest.TestCase):
    def test_633c_4_d_a_card_that_was_skipped_comes_behind_both_passes(self):
        class State:
            asides = [Aside(1, 0), Aside(2, 1), Aside(3, 2), Aside(4, 3)]

        self.assertEqual([box for _, box, _ in slots(State)], [1, 3, 1, 2, 2, 3])

    def test_from_a_double_shoe_no_card_is_missed_before_the_side_is_chosen(self):
        table = Table(double_shoe(options=OPTION_SWITCH_HANDS | OPTION_HANDS_LAST))
        table.start(5)
        self.assertFalse(table.key(t.KEY_NO_CARD, 64 | 1))
        table.draw(card(4, HEARTS))
        self.assertTrue(table.key(t.KEY_NO_CARD, 64 | 1))

    def test_633c_4_d_two_passes_face_down_and_then_the_blackjack_hands(self):
        table = dealt()
        self.assertEqual(places(table), _ASIDES + _ASIDES + _PLAN)
        sealed = [event[1] for event in table.of_kind(t.REC_SEALED)]
        self.assertEqual(sealed, [t.ROLE_BURN] + [t.ROLE_SWITCH_HAND] * 4 + [t.ROLE_HOLE])
        self.assertEqual(table.phase, t.PHASE_CHOOSING)

    def test_633c_4_j_the_blackjack_hands_may_come_first(self):
        table = dealt(OPTION_HANDS_LAST)
        self.assertEqual(places(table), _PLAN + _ASIDES + _ASIDES)
        self.assertEqual(table.phase, t.PHASE_CHOOSING)

    def test_633c_4_j_from_a_double_shoe_the_determinant_comes_before_all(self):
        table = Table(double_shoe(options=OPTION_SWITCH_HANDS | OPTION_HANDS_LAST))
        table.start(5)
        table.draw(card(4, HEARTS))
        table.draw(card(8), card(6, CLUBS), card(6), card(7), card(KING, CLUBS), *_FIRST)
        plan = [(t.ROLE_DETERMINANT_FIRST, 1, 0)] + _PLAN[1:] + _ASIDES + _ASIDES
        self.assertEqual(places(table), plan)
        self.assertEqual(table.phase, t.PHASE_CHOOSING)

    def test_no_card_is_due_and_no_lamp_calls_for_one_while_players_choose(self):
        table = dealt()
        self.assertFalse(table.lamp(t.LAMP_DEAL_A))
        table.draw(card(4))
        self.assertEqual(table.step[0][:2], (t.REC_SEALED, t.ROLE_HELD))
        self.assertEqual(table.step[1][:2], (t.REC_IRREGULARITY, t.IRR_DRAWN_IN_ERROR))
        table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
        table.keys(t.KEY_DEAL)  # 633a.14(b): it is the next card
        self.assertEqual(table.step[0][2:6], (t.ROLE_DRAW, 1, 0, card(4)))

    def test_no_other_key_is_heard_before_everybody_has_chosen(self):
        table = dealt(OPTION_READER)
        for key in (t.KEY_DOUBLE, t.KEY_SPLIT, t.KEY_SURRENDER, t.KEY_REVEAL, t.KEY_END_ROUND, t.KEY_INSURANCE):
            self.assertFalse(table.key(key), key)
        self.assertFalse(table.key(t.KEY_MISSED, 1))
        self.assertFalse(table.key(t.KEY_MISSED_DEALER))
        self.assertEqual(table.phase, t.PHASE_CHOOSING)


class ChoiceTest(unittest.TestCase):
    def hand(self, table, box, number=0):
        return table.dealing.st.hand(box, number)

    def test_633c_4_f_the_far_right_is_asked_first(self):
        table = dealt()
        self.assertFalse(table.key(t.KEY_SWITCH, 1))
        self.assertTrue(table.key(t.KEY_SWITCH, 3))
        self.assertEqual(table.step[0], (t.REC_SWITCH_HAND, 3, 1))
        self.assertTrue(table.key(t.KEY_NEXT_HAND))
        self.assertEqual(table.step[0], (t.REC_SWITCH_HAND, 1, 0))
        self.assertEqual(table.dealing.turn().box, 1)

    def test_633c_4_f_1_kept_the_face_down_cards_go_to_the_rack_unexposed(self):
        table = dealt()
        sealed = [number for number, event in table.records if event[0] == t.REC_SEALED and event[2] == 3]
        table.keys(t.KEY_NEXT_HAND)
        moved = [(t.REC_MOVED, number, t.ROLE_DISCARDED, t.POSITION_RACK, 0) for number in sealed]
        self.assertEqual(table.step, [(t.REC_SWITCH_HAND, 3, 0)] + moved)
        self.assertEqual(self.hand(table, 3).cards, [card(8), card(7)])
        table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_REVEAL)
        table.draw(card(5))
        table.keys(t.KEY_END_ROUND)
        opened = [event[1] for event in table.of_kind(t.REC_OPENED)]
        self.assertEqual([number for number in sealed if number in opened], [])
        table.keys(t.KEY_CLOSE_SHOE)  # like the burn card: when the history closes
        opened = [event[1] for event in table.of_kind(t.REC_OPENED)]
        self.assertEqual([number for number in sealed if number in opened], sealed)

    def test_633c_4_f_2_switched_the_face_up_cards_go_to_the_rack_and_the_others_are_turned(self):
        table = dealt()
        up = [number for number, event in table.records if event[0] == t.REC_CARD and event[2] == 3]
        down = [number for number, event in table.records if event[0] == t.REC_SEALED and event[2] == 3]
        table.keys(t.KEY_SWITCH)
        self.assertEqual(table.step[0], (t.REC_SWITCH_HAND, 3, 1))
        rack = [(t.REC_MOVED, number, t.ROLE_DISCARDED, t.POSITION_RACK, 0) for number in up]
        turned = [
            (t.REC_OPENED, down[i], t.ROLE_SWITCH_HAND, 3, 0, (card(5, HEARTS), card(KING, HEARTS))[i], 1)
            for i in range(2)
        ]
        self.assertEqual(table.step[1:], rack + turned)
        self.assertEqual(self.hand(table, 3).cards, [card(5, HEARTS), card(KING, HEARTS)])
        self.assertEqual(self.hand(table, 3, _ASIDE).refs, [])

    def test_633c_4_f_a_blackjack_ends_its_hand_after_everybody_has_chosen(self):
        aside = (card(9, HEARTS), card(ACE, HEARTS), card(4, HEARTS), card(KING, HEARTS))
        hands = (card(ACE), card(8), card(6, CLUBS), card(KING), card(7), card(KING, CLUBS))
        table = dealt(aside=aside, hands=hands)
        self.assertEqual(table.of_kind(t.REC_HAND_ENDED), [])
        table.keys(t.KEY_SWITCH)
        self.assertEqual(table.of_kind(t.REC_HAND_ENDED), [])
        table.keys(t.KEY_NEXT_HAND)
        ends = [(t.REC_HAND_ENDED, box, 0, t.HAND_END_BLACKJACK) for box in (1, 3)]
        self.assertEqual(table.of_kind(t.REC_HAND_ENDED), ends)  # 633c.4(i)(2)(i): a switched one is a Blackjack

    def test_633c_4_f_the_choice_comes_before_the_card_reader_device(self):
        hands = (card(10), card(8), card(KING, CLUBS), card(6), card(7), card(5, CLUBS))
        table = dealt(OPTION_READER, hands=hands)
        table.peek(card(5, CLUBS))
        self.assertEqual(table.found(t.IRR_READER_MISUSED)[-1][5], t.MISUSE_BEFORE_CHOICE)
        table.keys(t.KEY_SWITCH, t.KEY_NEXT_HAND)
        table.peek(card(5, CLUBS))
        self.assertEqual(table.step, [(t.REC_PEEK, t.PEEK_NO_BLACKJACK)])

    def test_633c_4_h_a_switched_hand_surrenders_doubles_and_splits(self):
        for key, kind in (
            (t.KEY_SURRENDER, t.REC_HAND_ENDED),
            (t.KEY_DOUBLE, t.REC_DOUBLED),
            (t.KEY_SPLIT, t.REC_SPLIT),
        ):
            aside = (card(8, HEARTS), card(5, HEARTS), card(8, CLUBS), card(KING, HEARTS))
            table = dealt(aside=aside)
            table.keys(t.KEY_NEXT_HAND, t.KEY_SWITCH, key)
            self.assertEqual(table.step[0][0], kind)

    def test_633c_4_d_splits_leave_the_hand_number_of_the_switch_hands_cards_free(self):
        aside = (card(8, HEARTS), card(5, HEARTS), card(8, CLUBS), card(KING, HEARTS))
        table = dealt(aside=aside)
        table.keys(t.KEY_NEXT_HAND, t.KEY_SWITCH)
        for _ in range(3):
            table.keys(t.KEY_SPLIT)
            table.draw(card(8, DIAMONDS))
        self.assertFalse(table.key(t.KEY_SPLIT))
        self.assertEqual([hand.number for hand in table.dealing.st.hands if hand.box == 1], [0, 3, 2, 1])

    def test_a_round_that_is_voided_before_the_choice_leaves_the_cards_unexposed(self):
        table = dealt()
        table.keys(t.KEY_VOID_ROUND)
        opened = [event[2] for event in table.of_kind(t.REC_OPENED)]
        self.assertEqual(opened, [t.ROLE_HOLE])
        racked = [event for event in table.step if event[0] == t.REC_MOVED and event[2] == t.ROLE_DISCARDED]
        self.assertEqual(len(racked), 4)

    def test_an_extra_copy_that_a_switch_shows_stops_the_game_with_both_cards_turned(self):
        aside = (card(9, HEARTS), card(8), card(ACE, HEARTS), card(KING, HEARTS))
        table = dealt(aside=aside, decks=1)
        table.keys(t.KEY_SWITCH)
        self.assertIn(t.FAULT_EXTRA_CARD, table.dealing.faults)
        self.assertEqual(self.hand(table, 3).cards, [card(8), card(KING, HEARTS)])


class PremiumTest(unittest.TestCase):
    def table(self, antes, seats=5):
        table = Table(config(options=OPTION_SWITCH_HANDS | OPTION_PREMIUM))
        table.keys((t.KEY_LOAD, 0))
        table.draw(card(2, DIAMONDS))
        table.keys((t.KEY_SEATS, seats), (t.KEY_ANTES, antes), t.KEY_DEAL)
        return table

    def test_633c_4_k_only_a_position_with_an_ante_gets_switch_hands_cards(self):
        table = self.table(4)
        table.draw(card(5, HEARTS), card(KING, HEARTS), *_HANDS)
        self.assertEqual(places(table), [_ASIDES[1], _ASIDES[1]] + _PLAN)
        table.keys(t.KEY_SWITCH)
        self.assertEqual(table.phase, t.PHASE_PLAYERS)

    def test_633c_4_k_without_any_ante_the_round_is_plain_blackjack(self):
        table = self.table(0)
        table.draw(*_HANDS)
        self.assertEqual(places(table), _PLAN)
        self.assertEqual(table.phase, t.PHASE_PLAYERS)

    def test_633c_4_k_no_ante_once_the_dealer_deals(self):
        table = self.table(4)
        self.assertFalse(table.key(t.KEY_ANTES, 5))
        table.draw(card(5, HEARTS))
        self.assertFalse(table.key(t.KEY_ANTES, 5))
        self.assertEqual(len(table.found(t.IRR_WRONG_KEY)), 2)
        self.assertEqual(table.dealing.st.antes, 4)

    def test_an_ante_needs_a_main_wager_and_the_option(self):
        table = Table(config(options=OPTION_SWITCH_HANDS | OPTION_PREMIUM))
        table.keys((t.KEY_LOAD, 0), (t.KEY_SEATS, 5))
        self.assertFalse(table.key(t.KEY_ANTES, 2))
        table.keys((t.KEY_ANTES, 5), (t.KEY_SEATS, 3))
        self.assertEqual(table.dealing.st.antes, 1)
        plain = Table(config(options=OPTION_SWITCH_HANDS))
        plain.keys((t.KEY_LOAD, 0), (t.KEY_SEATS, 5))
        self.assertFalse(plain.key(t.KEY_ANTES, 1))

    def test_a_new_history_repeats_the_antes(self):
        table = self.table(4)
        table.draw(card(5, HEARTS), card(KING, HEARTS), *_HANDS)
        table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_REVEAL)
        table.draw(card(5))
        table.keys((t.KEY_RESHUFFLE, 0), t.KEY_END_ROUND, (t.KEY_LOAD, 0))
        self.assertEqual(table.step[-2:], [(t.REC_SEATS, 5), (t.REC_ANTES, 4)])


class IrregularTest(unittest.TestCase):
    def test_633a_14_g_one_a_skipped_switch_hands_card_comes_after_the_others(self):
        table = dealt(aside=())
        self.assertEqual(len(places(table)), 6)
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        table.draw(*_FIRST[:2])
        table.keys((t.KEY_NO_CARD, 1 | 32 | 64))
        self.assertEqual(table.step[0][1:4], (t.IRR_HAND_WITH_ONE_CARD, 1, _ASIDE))
        table.draw(*_FIRST[2:])
        self.assertEqual(places(table), _ASIDES + [_ASIDES[1], _ASIDES[0]])
        table.draw(*_HANDS)
        self.assertEqual(table.phase, t.PHASE_CHOOSING)

    def test_633a_14_g_none_without_switch_hands_cards_there_is_nothing_to_choose(self):
        for options in (0, OPTION_HANDS_LAST):
            table = Table(config(options=OPTION_SWITCH_HANDS | options))
            table.start(5)
            if options:
                table.draw(*_HANDS)
            table.keys((t.KEY_NO_CARD, 3 | 16 | 32 | 64))
            table.draw(_FIRST[0], _FIRST[2])
            if not options:
                table.draw(*_HANDS)
            self.assertEqual(table.found(t.IRR_HAND_WITHOUT_CARDS)[0][2:4], (3, _ASIDE))
            self.assertEqual(table.of_kind(t.REC_SWITCH_HAND), [(t.REC_SWITCH_HAND, 3, 0)])
            table.keys(t.KEY_SWITCH)
            self.assertEqual(table.of_kind(t.REC_SWITCH_HAND)[-1], (t.REC_SWITCH_HAND, 1, 1))
            self.assertEqual(table.dealing.turn().box, 1)

    def test_633a_14_g_a_skip_that_is_noticed_late_moves_the_cards_up_and_opens_none(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        table.draw(_FIRST[0], _FIRST[2], _FIRST[3])  # to 1, 1 and 3: position 3 was skipped at first
        table.keys((t.KEY_NO_CARD, 3 | 16 | 64))
        self.assertEqual([len(hand.cards) for hand in table.dealing.st.asides], [2, 1])
        self.assertEqual(table.of_kind(t.REC_OPENED), [])
        table.draw(_FIRST[1])
        self.assertEqual(places(table)[-1], _ASIDES[1])

    def test_633a_14_g_none_a_dead_hand_has_no_choice(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        table.draw(*_FIRST)
        table.keys((t.KEY_NO_CARD, 3 | 16 | 32))
        table.draw(card(10), card(6, CLUBS), card(6), card(KING, CLUBS))
        self.assertEqual(table.of_kind(t.REC_SWITCH_HAND), [(t.REC_SWITCH_HAND, 3, 0)])
        table.keys(t.KEY_NEXT_HAND)
        racked = [event for event in table.of_kind(t.REC_MOVED) if event[2] == t.ROLE_DISCARDED]
        self.assertEqual(len(racked), 4)
        self.assertEqual(table.phase, t.PHASE_PLAYERS)

    def test_633a_14_a_a_card_that_lay_face_up_is_left_out(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        table.draw(_FIRST[0])
        table.blank()
        self.assertEqual(table.found(t.IRR_FACE_UP_CARD)[0][2:4], (3, _ASIDE))
        table.draw(*_FIRST[1:])
        self.assertEqual(places(table), _ASIDES + _ASIDES)

    def test_633a_14_b_a_card_drawn_before_the_round_becomes_the_first_switch_hands_card_unseen(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.keys((t.KEY_LOAD, 0))
        table.draw(card(2, DIAMONDS), _FIRST[0])
        table.open_round(5)
        self.assertEqual(table.step[-1][2:], (t.ROLE_SWITCH_HAND, 1, _ASIDE))
        self.assertEqual(table.of_kind(t.REC_OPENED), [])
        table.draw(*_FIRST[1:] + _HANDS)
        self.assertEqual(table.phase, t.PHASE_CHOOSING)

    def test_633a_14_b_c_a_card_drawn_in_error_and_seen_stays_seen_and_may_be_played(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.keys((t.KEY_LOAD, 0))
        table.draw(card(2, DIAMONDS), _FIRST[0])
        table.keys((t.KEY_HOLD, 1))
        table.open_round(5)
        table.draw(*_FIRST[1:] + _HANDS)
        table.keys(t.KEY_NEXT_HAND, t.KEY_SWITCH)
        self.assertEqual(table.dealing.st.hand(1, 0).cards, [_FIRST[0], _FIRST[2]])

    def test_633a_14_e_the_dealer_missed_his_up_card_and_no_face_down_card_is_opened_for_it(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        table.draw(*_FIRST + _HANDS[:2])
        table.keys(t.KEY_MISSED_DEALER)
        table.draw(*_HANDS[2:])
        self.assertEqual(places(table)[-4:], _OPENING + [(t.ROLE_DEALER_UP, 0, 0), (t.ROLE_HOLE, 0, 0)])
        self.assertEqual(table.phase, t.PHASE_CHOOSING)
        self.assertEqual(table.of_kind(t.REC_OPENED), [])

    def test_633a_14_f_too_few_cards_within_the_switch_hands_cards(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        table.draw(*_FIRST[:3])
        table.keys((t.KEY_REFILL, 0))
        self.assertEqual(table.dealing.st.sides[0].passed, 3)
        table.draw(card(3))  # the burn card of the refill
        table.draw(_FIRST[3], *_HANDS)
        self.assertEqual(table.phase, t.PHASE_CHOOSING)

    def test_an_unreadable_face_down_card_is_accepted_as_unknown_and_played(self):
        table = Table(config(options=OPTION_SWITCH_HANDS))
        table.start(5)
        for reason in (t.UNREADABLE_UNASSIGNED, t.UNREADABLE_AMBIGUOUS):
            table.send(t.PASS_UNREADABLE, reason=reason)
            self.assertEqual(table.of_kind(t.REC_FAULT)[-1][3], t.UNREADABLE_CODE)
            table.keys((t.KEY_SUPERVISOR, t.CLEAR_REREAD))
        table.send(t.PASS_UNREADABLE, reason=t.UNREADABLE_CODE)
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        table.draw(*_FIRST[1:] + _HANDS)
        table.keys(t.KEY_NEXT_HAND, t.KEY_SWITCH, t.KEY_NEXT_HAND)
        self.assertEqual(table.dealing.st.hand(1, 0).total(), -1)

    def test_a_card_too_many_that_is_taken_out_is_dealt_again_before_anybody_chooses(self):
        table = Table(config(options=OPTION_SWITCH_HANDS | OPTION_HANDS_LAST, decks=1))
        table.start(1, card(2))
        for _ in range(46):
            table.dealing.st.sides[0].took(63)  # most of the deck was dealt before
        table.draw(card(10), card(6, CLUBS), card(6), card(KING, CLUBS), _FIRST[0])
        self.assertEqual(table.dealing.faults, [])
        table.draw(_FIRST[1])  # the 53rd card
        self.assertEqual(table.dealing.faults, [t.FAULT_EXTRA_CARD])
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_REMOVED))
        self.assertEqual((table.phase, table.of_kind(t.REC_SWITCH_HAND)), (t.PHASE_OPENING, []))
        self.assertEqual(table.dealing.due()[0], (t.ROLE_SWITCH_HAND, 1, _ASIDE))

    def test_633a_14_e_a_hole_card_is_no_players_card_once_players_have_chosen(self):
        table = dealt()
        table.keys(t.KEY_SWITCH, t.KEY_NEXT_HAND)
        self.assertFalse(table.key(t.KEY_MISSED_DEALER))
        self.assertEqual(table.phase, t.PHASE_PLAYERS)


class RestartTest(unittest.TestCase):
    def test_the_records_rebuild_the_table_at_every_point_and_a_cut_choice_is_carried_on(self):
        for options in (0, OPTION_HANDS_LAST):
            table = dealt(options)
            table.keys(t.KEY_SWITCH, t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_REVEAL)
            for cut in range(1, len(table.records) + 1):
                again = Table(table.config)
                again.dealing = folded(table.config, table.records[:cut])
                again.number = table.records[cut - 1][0] + 1
                again._take(again.dealing.resume())
                rest = [event for _, event in table.records[cut:]]
                self.assertEqual(again.step, rest[: len(again.step)])
            self.assertEqual(difference(snapshot(again.dealing), snapshot(table.dealing)), "")

    def test_the_steps_after_a_choice_follow_from_the_record_of_the_choice_alone(self):
        table = dealt()
        table.keys(t.KEY_SWITCH)
        at = [event[0] for _, event in table.records].index(t.REC_SWITCH_HAND)
        again = folded(table.config, table.records[: at + 1])
        self.assertEqual(again.resume(), [event for _, event in table.records[at + 1 :]])


class ConfigTest(unittest.TestCase):
    def wrong(self, options, **settings):
        out = config()
        out.options = options
        for name in settings:
            setattr(out, name, settings[name])
        return out.validate()

    def test_which_tables_may_offer_it(self):
        own = OPTION_SWITCH_HANDS
        for options in (own, own | OPTION_HANDS_LAST, own | OPTION_PREMIUM, own | OPTION_HANDS_LAST | OPTION_PREMIUM):
            self.assertEqual(self.wrong(options), 0)
            for game in (t.GAME_FREE_BET, t.GAME_SPANISH_21, t.GAME_SWITCH):
                self.assertEqual(self.wrong(options, game=game, positions=6), t.CFG_OPTIONS)
            self.assertEqual(self.wrong(options, game=t.GAME_FROM_THE_HAND, decks=1), t.CFG_OPTIONS)
        for options in (OPTION_HANDS_LAST, OPTION_PREMIUM):
            self.assertEqual(self.wrong(options), t.CFG_OPTIONS)

    def test_from_a_double_shoe_the_blackjack_hands_come_first(self):
        double = t.SHOE_KIND_DOUBLE
        self.assertEqual(self.wrong(OPTION_SWITCH_HANDS, shoe_kind=double), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(OPTION_SWITCH_HANDS | OPTION_HANDS_LAST, shoe_kind=double), 0)


if __name__ == "__main__":
    unittest.main()
