"""633c.5: a hybrid gaming table, with a hole card and without: choices, shared cards, each terminal's dealer."""

import unittest

import dealing_table
from dealing_table import (
    ACE,
    CLUBS,
    DIAMONDS,
    HEARTS,
    KING,
    QUEEN,
    SPADES,
    UNKNOWN,
    Table,
    config,
    difference,
    folded,
    snapshot,
    ten,
)
from shoe import wire_table as t
from shoe.config import AUTO_HIT, OPTION_READER, Config


def card(rank, suit=SPADES):
    """Card id; 10 is a 10 here, as no test needs a jack."""
    return ten(suit) if rank == 10 else dealing_table.card(rank, suit)


def hybrid(**settings):
    """Configuration of a hybrid table with a hole card."""
    return config(game=t.GAME_HYBRID, **settings)


def no_hole(**settings):
    """Configuration of one without."""
    return config(game=t.GAME_HYBRID_NO_HOLE, **settings)


def hands(table):
    """Ranks of the cards of each hand, and why it ended."""
    return [([card % 13 for card in hand.cards], hand.ended) for hand in table.dealing.st.hands]


class HybridTest(unittest.TestCase):
    def restored(self, table):
        """The records alone give the same table."""
        again = folded(table.config, table.records)
        self.assertEqual(difference(snapshot(table.dealing), snapshot(again)), "")

    def selected(self, *terminals, **settings):
        """A loaded shoe; terminals with the player positions that they selected."""
        table = Table(hybrid(**settings))
        table.keys((t.KEY_LOAD, 0))
        for box, position in terminals:
            table.keys((t.KEY_SELECT, box + 16 * position))
        return table

    def dealt(self, one=(10, 2), two=(9, 8), up=6, hole=KING, **settings):
        """Terminals 1 and 3 at the player positions of the same numbers."""
        table = self.selected((1, 1), (3, 3), **settings)
        table.open_round(5)
        table.draw(card(one[0]), card(two[0], HEARTS), card(up, CLUBS))
        table.draw(card(one[1]), card(two[1], HEARTS), card(hole, CLUBS))
        return table

    def test_633c_5_n_one_card_to_each_selected_position_the_dealer_and_the_hole_card_last_without_a_burn_card(self):
        """633c.5(n)#1."""
        table = self.dealt()
        opening = [(t.ROLE_OPENING, t.POSITION_PLAYER_1), (t.ROLE_OPENING, t.POSITION_PLAYER_3)]
        self.assertEqual([place[:2] for place in table.where()], opening + [(t.ROLE_DEALER_UP, 0)] + opening)
        self.assertEqual([event[1] for event in table.of_kind(t.REC_SEALED)], [t.ROLE_HOLE])
        self.assertEqual((table.phase, table.lamp(t.LAMP_DEAL_A)), (t.PHASE_CHOOSING, False))
        self.assertEqual(table.codes(), [])

    def test_633c_5_l_nobody_is_dealt_in_without_a_player_position_and_it_holds_until_it_is_selected_anew(self):
        table = self.selected((1, 2))
        table.keys((t.KEY_SEATS, 3))
        self.assertFalse(table.key(t.KEY_DEAL))
        for wrong in (2 + 16 * 4, 0 + 16, 8 + 16):
            self.assertFalse(table.key(t.KEY_SELECT, wrong))
        table.keys((t.KEY_SELECT, 2 + 16 * 2), t.KEY_DEAL)
        self.assertFalse(table.key(t.KEY_SELECT, 2 + 16))
        self.assertEqual(table.of_kind(t.REC_SELECTED), [(t.REC_SELECTED, 2), (t.REC_SELECTED, 10)])
        self.restored(table)
        self.assertFalse(Table(config()).key(t.KEY_SELECT, 1 + 16))

    def test_a_new_history_repeats_the_selected_player_positions(self):
        table = self.selected((1, 2), (7, 1))
        table.keys((t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
        told = [event for event in table.step if event[0] == t.REC_SELECTED]
        self.assertEqual(told, [(t.REC_SELECTED, 2 | 1 << 12)])

    def test_633c_5_n_1_terminals_at_one_position_share_its_cards_and_each_goes_on_as_it_likes(self):
        """T33's example: 10-2; one stands at 12, the other hits once, 9, and has 21."""
        table = self.selected((1, 2), (2, 2), (4, 1))
        table.open_round(0b1011)
        table.draw(card(5), card(10), card(6, CLUBS), card(6), card(2), card(KING, CLUBS))
        boxes = [place[1] for place in table.where() if place[0] == t.ROLE_OPENING]
        self.assertEqual(boxes, [t.POSITION_PLAYER_1, t.POSITION_PLAYER_2] * 2)
        table.keys((t.KEY_NEXT_HAND, 1), (t.KEY_HIT, 2), (t.KEY_NEXT_HAND, 4))
        table.draw(card(9))
        ends = [t.HAND_END_STAND, t.HAND_END_TWENTY_ONE, t.HAND_END_STAND]
        self.assertEqual(hands(table), [([9, 1], ends[0]), ([9, 1, 8], ends[1]), ([4, 5], ends[2])])
        self.restored(table)

    def test_633c_5_p_2_no_card_is_due_before_every_position_has_chosen_and_they_choose_in_any_order(self):
        table = self.dealt()
        table.keys((t.KEY_HIT, 3))
        self.assertFalse(table.key(t.KEY_HIT, 3))
        table.draw(card(5))
        self.assertEqual(table.codes()[1:], [t.IRR_DRAWN_IN_ERROR])
        table.keys((t.KEY_NEXT_HAND, 1))
        self.assertEqual(table.of_kind(t.REC_OPENED)[-1][2:5], (t.ROLE_DRAW, t.POSITION_COMMUNITY, 0))
        self.assertEqual(hands(table)[1], ([8, 7, 4], t.HAND_END_BUST))

    def test_633c_5_q_a_community_card_goes_to_every_hand_that_asked_for_it_and_to_no_other(self):
        table = self.dealt()
        table.keys((t.KEY_HIT, 1), (t.KEY_HIT, 3))
        self.assertEqual((table.phase, table.lamp(t.LAMP_DEAL_A)), (t.PHASE_PLAYERS, True))
        table.draw(card(3))
        self.assertEqual(table.where()[-1], (t.ROLE_DRAW, t.POSITION_COMMUNITY, 0, card(3)))
        table.keys((t.KEY_NEXT_HAND, 3), (t.KEY_HIT, 1))
        table.draw(card(4))
        self.assertEqual([row[0] for row in hands(table)], [[9, 1, 2, 3], [8, 7, 2]])
        self.restored(table)

    def test_633c_5_r_1_a_hand_of_21_chooses_nothing(self):
        table = self.dealt(one=(ACE, KING), two=(9, 2))
        self.assertEqual(hands(table)[0][1], t.HAND_END_BLACKJACK)
        self.assertFalse(table.key(t.KEY_HIT, 1))
        table.keys((t.KEY_HIT, 3))
        table.draw(card(10))
        self.assertEqual(hands(table)[1][1], t.HAND_END_TWENTY_ONE)
        self.assertEqual(table.phase, t.PHASE_DEALER)

    def test_633c_5_r_2_a_double_takes_the_next_community_card_and_no_other(self):
        table = self.dealt()
        table.keys((t.KEY_DOUBLE, 1), (t.KEY_HIT, 3))
        table.draw(card(2, DIAMONDS))
        self.assertEqual(hands(table)[0], ([9, 1, 1], t.HAND_END_DOUBLED))
        table.keys((t.KEY_HIT, 3))
        self.assertFalse(table.key(t.KEY_DOUBLE, 3))
        table.draw(card(ACE))
        self.assertEqual([row[0] for row in hands(table)], [[9, 1, 1], [8, 7, 1, 0]])

    def test_reading_81_both_hands_of_a_split_take_the_same_card_and_go_on_by_their_own_choices(self):
        table = self.dealt(one=(8, 8))
        table.keys((t.KEY_SPLIT, 1), (t.KEY_NEXT_HAND, 3))
        table.draw(card(3))
        table.keys((t.KEY_HIT, 1), (t.KEY_NEXT_HAND, 1 + 16))
        table.draw(card(10))
        found = [(hand.box, hand.number, len(hand.cards)) for hand in table.dealing.st.hands]
        self.assertEqual(found, [(1, 0, 3), (1, 1, 2), (3, 0, 2)])
        self.restored(table)

    def test_a_pair_of_unequal_cards_does_not_split_and_a_third_card_ends_splitting_and_doubling(self):
        table = self.dealt()
        for key in (t.KEY_SPLIT, t.KEY_SURRENDER):
            self.assertFalse(table.key(key, 1))
        self.assertFalse(table.key(t.KEY_HIT, 2))
        self.assertFalse(table.key(t.KEY_HIT, 1 + 16))
        table.keys((t.KEY_HIT, 1), (t.KEY_NEXT_HAND, 3))
        table.draw(card(2, CLUBS))
        for key in (t.KEY_SPLIT, t.KEY_DOUBLE):
            self.assertFalse(table.key(key, 1))

    def test_633c_5_p_2_who_has_not_chosen_at_the_end_of_the_countdown_stands(self):
        table = self.dealt()
        table.keys((t.KEY_HIT, 1), t.KEY_COUNTDOWN)
        self.assertEqual(table.step, [(t.REC_COUNTDOWN, 4), (t.REC_HAND_ENDED, 3, 0, t.HAND_END_STAND)])
        self.assertFalse(table.key(t.KEY_COUNTDOWN))
        table.draw(card(2, CLUBS))
        self.assertEqual(table.phase, t.PHASE_CHOOSING)
        table.keys(t.KEY_COUNTDOWN)
        self.assertEqual(table.phase, t.PHASE_DEALER)

    def test_a_power_cut_after_the_countdown_goes_on_with_the_choices_that_it_made(self):
        table = self.dealt()
        table.keys(t.KEY_COUNTDOWN)
        cut = folded(table.config, table.records[:-2])
        self.assertEqual([event[:3] for event in cut.resume()], [(t.REC_HAND_ENDED, 1, 0), (t.REC_HAND_ENDED, 3, 0)])

    def test_633c_5_s_after_all_choices_the_hole_card_is_turned_and_the_dealer_draws_to_17_for_nobody_too(self):
        """633c.5(s)#1."""
        table = self.dealt(one=(10, 6), two=(10, 7), up=2, hole=3)
        self.assertFalse(table.key(t.KEY_REVEAL))
        table.keys((t.KEY_HIT, 1), (t.KEY_HIT, 3))
        table.draw(card(9))
        self.assertEqual([row[1] for row in hands(table)], [t.HAND_END_BUST] * 2)
        self.assertFalse(table.key(t.KEY_HIT, 1))
        table.keys(t.KEY_REVEAL)
        self.assertTrue(table.lamp(t.LAMP_DEAL_A))
        table.draw(card(7, HEARTS))
        self.assertEqual(table.where()[-1][:2], (t.ROLE_DEALER_DRAW, t.POSITION_DEALER))
        table.draw(card(5, HEARTS))
        self.assertEqual((table.phase, table.codes()), (t.PHASE_SETTLING, [t.IRR_WRONG_KEY] * 2))
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(table.of_kind(t.REC_ROUND_CLOSED)[-1][3], 17)
        self.restored(table)

    def test_633c_5_s_a_round_that_ends_without_the_hole_card_or_below_17_says_so(self):
        table = self.dealt(up=2, hole=3)
        table.keys(t.KEY_COUNTDOWN, t.KEY_END_ROUND)
        self.assertEqual(table.codes(), [t.IRR_HOLE_NOT_REVEALED, t.IRR_DEALER_SHORT])

    def test_633c_5_o_the_reader_is_used_before_any_choice_and_its_blackjack_ends_the_round(self):
        """633c.5(o)#2, 633c.5(o)#3."""
        table = self.dealt(up=ACE, hole=QUEEN, options=OPTION_READER)
        self.assertEqual(table.phase, t.PHASE_CHOOSING)
        table.keys((t.KEY_INSURANCE, 4))
        table.peek(card(QUEEN, CLUBS))
        self.assertEqual(table.of_kind(t.REC_PEEK), [(t.REC_PEEK, t.PEEK_BLACKJACK)])
        self.assertEqual([row[1] for row in hands(table)], [t.HAND_END_DEALER_BLACKJACK] * 2)
        self.assertFalse(table.key(t.KEY_HIT, 1))
        table.keys(t.KEY_REVEAL, t.KEY_END_ROUND)
        self.assertEqual(table.codes(), [t.IRR_READER_NOT_INSPECTED, t.IRR_WRONG_KEY])

    def test_633c_5_o_a_choice_before_the_reader_is_told(self):
        table = self.dealt(up=KING, options=OPTION_READER)
        table.keys((t.KEY_HIT, 1))
        self.assertIn(t.IRR_PEEK_MISSED, table.codes())
        table.peek(card(KING, CLUBS))
        self.assertEqual(table.codes()[-1], t.IRR_READER_MISUSED)

    def test_a_community_card_that_is_taken_out_of_play_leaves_every_hand_that_had_it(self):
        table = self.dealt(one=(10, 6), two=(2, 3), decks=6)
        for _ in range(6):
            table.dealing.st.sides[0].took(card(9))
        table.keys((t.KEY_HIT, 1), (t.KEY_DOUBLE, 3))
        table.draw(card(9))
        self.assertIn(t.FAULT_EXTRA_CARD, table.dealing.faults)
        self.assertEqual([row[1] for row in hands(table)], [-1, -1])
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_REMOVED))
        self.assertEqual([row[0] for row in hands(table)], [[9, 5], [1, 2]])
        table.draw(card(4))
        self.assertEqual([row[0] for row in hands(table)], [[9, 5, 3], [1, 2, 3]])

    def test_an_unread_community_card_stays_with_every_hand_as_unknown(self):
        table = self.dealt()
        table.keys((t.KEY_HIT, 1), (t.KEY_HIT, 3))
        table.send(t.PASS_UNREADABLE)
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        self.assertEqual([hand.cards[-1] for hand in table.dealing.st.hands], [UNKNOWN, UNKNOWN])
        self.restored(table)


class NoHoleTest(unittest.TestCase):
    def restored(self, table):
        again = folded(table.config, table.records)
        self.assertEqual(difference(snapshot(table.dealing), snapshot(again)), "")

    def dealt(self, first=10, second=5, up=6, seats=3, **settings):
        table = Table(no_hole(**settings))
        table.start(seats)
        table.draw(card(first), card(up, CLUBS), card(second, HEARTS))
        return table

    def own(self, table):
        """Ranks of the dealer's cards of each position but his first."""
        return [[card % 13 for card in own.cards] for own in table.dealing.st.own]

    def test_633c_5_y_three_cards_and_the_first_and_the_third_are_every_players(self):
        table = self.dealt()
        mine = (t.ROLE_OPENING, t.POSITION_COMMUNITY, 0)
        places = [mine, (t.ROLE_DEALER_UP, 0, 0), mine]
        self.assertEqual([place[:3] for place in table.where()], places)
        self.assertEqual(hands(table), [([9, 4], -1)] * 2)
        self.assertEqual((table.phase, table.of_kind(t.REC_SEALED)), (t.PHASE_CHOOSING, []))

    def test_633c_5_bb_the_first_card_after_a_terminals_last_choice_is_the_dealers_for_it(self):
        """T44's example: A stands on 15 and loses to 20, B hits to 19 and beats 25."""
        table = self.dealt()
        table.keys((t.KEY_NEXT_HAND, 1), (t.KEY_HIT, 2))
        table.draw(card(4))
        self.assertEqual((hands(table)[1][0], self.own(table)), ([9, 4, 3], [[3], []]))
        table.keys((t.KEY_NEXT_HAND, 2))
        self.assertEqual((table.phase, table.lamp(t.LAMP_DEAL_A)), (t.PHASE_DEALER, True))
        table.draw(card(10, HEARTS))
        self.assertEqual(table.where()[-1][:2], (t.ROLE_DEALER_DRAW, t.POSITION_COMMUNITY))
        table.draw(card(9))
        self.assertEqual(self.own(table), [[3, 9], [9, 8]])
        self.assertEqual((table.phase, table.lamp(t.LAMP_DEAL_A)), (t.PHASE_SETTLING, False))
        table.keys(t.KEY_END_ROUND)
        self.assertEqual((table.codes(), table.of_kind(t.REC_ROUND_CLOSED)[-1][3]), ([], 0))
        self.restored(table)

    def test_633c_5_aa_1_the_first_community_card_is_the_dealers_of_a_blackjack_and_the_last_one(self):
        table = self.dealt(first=ACE, second=KING)
        self.assertEqual(table.phase, t.PHASE_DEALER)
        table.draw(card(2))
        self.assertEqual((self.own(table), table.phase), ([[1], [1]], t.PHASE_SETTLING))

    def test_633c_5_aa_2_i_a_dealers_blackjack_takes_no_further_card(self):
        table = self.dealt(up=ACE, seats=1)
        table.keys((t.KEY_INSURANCE, 1), (t.KEY_NEXT_HAND, 1))
        table.draw(card(KING))
        self.assertEqual(table.phase, t.PHASE_SETTLING)
        table.draw(card(3))
        self.assertEqual(table.codes(), [t.IRR_DEALER_DREW_ON_17])
        self.assertEqual(self.own(table), [[12]])

    def test_633c_5_aa_3_i_split_aces_and_a_double_are_complete_with_one_card(self):
        table = self.dealt(first=ACE, second=ACE)
        table.keys((t.KEY_SPLIT, 1), (t.KEY_DOUBLE, 2))
        table.draw(card(5))
        ends = [t.HAND_END_STAND, t.HAND_END_STAND, t.HAND_END_DOUBLED]
        self.assertEqual(hands(table), [([0, 4], ends[0]), ([0, 4], ends[1]), ([0, 0, 4], ends[2])])
        self.assertEqual(table.phase, t.PHASE_DEALER)
        self.restored(table)

    def test_633c_5_z_two_hands_in_all(self):
        table = self.dealt(first=8, second=8, seats=1)
        table.keys((t.KEY_SPLIT, 1))
        table.draw(card(8, CLUBS))
        self.assertFalse(table.key(t.KEY_SPLIT, 1))
        self.assertTrue(table.key(t.KEY_HIT, 1))
        self.assertTrue(table.key(t.KEY_NEXT_HAND, 1 + 16))

    def test_633c_5_bb_a_split_position_goes_to_the_dealer_when_both_hands_are_over(self):
        table = self.dealt(first=8, second=8, seats=1)
        table.keys((t.KEY_SPLIT, 1))
        table.draw(card(3))
        table.keys((t.KEY_NEXT_HAND, 1), (t.KEY_HIT, 1 + 16))
        table.draw(card(10))
        self.assertEqual((self.own(table), table.phase), ([[]], t.PHASE_DEALER))

    def test_633c_5_bb_2_a_hand_that_counts_17_whatever_its_unread_card_is_waits_for_no_card(self):
        """King and an unread card, then 5: at least 16, and he may have to draw; then 6: at least 17."""
        for rank, phase, codes in ((5, t.PHASE_DEALER, [t.IRR_DEALER_SHORT]), (6, t.PHASE_SETTLING, [])):
            table = self.dealt(up=KING, seats=1)
            table.keys((t.KEY_NEXT_HAND, 1))
            table.send(t.PASS_UNREADABLE)
            table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
            table.draw(card(rank))
            self.assertEqual(table.phase, phase)
            before = len(table.codes())
            table.keys(t.KEY_END_ROUND)
            self.assertEqual(table.codes()[before:], codes)
            self.restored(table)

    def test_633c_5_z_surrender_waits_for_the_dealers_second_card_and_no_more(self):
        table = self.dealt(up=KING, seats=1)
        table.keys((t.KEY_SURRENDER, 1))
        self.assertTrue(table.lamp(t.LAMP_DEAL_A))
        table.draw(card(2))
        self.assertEqual(table.phase, t.PHASE_SETTLING)

    def test_reading_82_over_21_the_dealers_second_card_is_owed_and_a_further_one_is_not(self):
        table = self.dealt(seats=1)
        table.keys((t.KEY_HIT, 1))
        table.draw(card(10, CLUBS))
        self.assertEqual((hands(table)[0][1], table.phase), (t.HAND_END_BUST, t.PHASE_DEALER))
        table.draw(card(3))
        self.assertEqual(table.phase, t.PHASE_SETTLING)
        table.draw(card(9))
        self.assertEqual((self.own(table), table.codes()), ([[2, 8]], []))

    def test_a_round_that_ends_while_a_terminal_waits_for_the_dealers_cards_names_the_terminal(self):
        table = self.dealt()
        table.keys((t.KEY_NEXT_HAND, 1), (t.KEY_NEXT_HAND, 2))
        table.draw(card(2))
        table.keys(t.KEY_END_ROUND)
        short = [(event[2], event[5]) for event in table.found(t.IRR_DEALER_SHORT)]
        self.assertEqual(short, [(1, 8), (2, 8)])

    def test_633c_5_z_a_count_up_to_the_houses_choice_draws_at_the_end_of_the_countdown(self):
        table = self.dealt(first=7, second=4, options=11 << AUTO_HIT)
        table.keys((t.KEY_NEXT_HAND, 2), t.KEY_COUNTDOWN)
        self.assertEqual(table.step, [(t.REC_COUNTDOWN, 1), (t.REC_HIT, 1, 0)])
        table.draw(card(2))
        table.keys(t.KEY_COUNTDOWN)
        self.assertEqual(table.step[1], (t.REC_HAND_ENDED, 1, 0, t.HAND_END_STAND))

    def test_no_reader_no_hole_card_and_no_key_for_them(self):
        table = self.dealt(options=OPTION_READER, up=KING)
        table.peek(card(KING, CLUBS))
        self.assertEqual(table.codes()[-1], t.IRR_READER_MISUSED)
        table.keys(t.KEY_COUNTDOWN)
        for key in (t.KEY_REVEAL, t.KEY_MISSED_DEALER, t.KEY_NO_CARD, t.KEY_MISSED):
            self.assertFalse(table.key(key, 1))

    def test_a_card_of_the_deal_that_is_taken_out_of_play_is_due_again(self):
        table = Table(no_hole(decks=6))
        table.start(3)
        for _ in range(6):
            table.dealing.st.sides[0].took(card(9))
        table.draw(card(10), card(6, CLUBS), card(9))
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_REMOVED))
        self.assertEqual(table.phase, t.PHASE_OPENING)
        table.draw(card(5))
        self.assertEqual(hands(table), [([9, 4], -1)] * 2)


class ConfigTest(unittest.TestCase):
    def test_six_or_eight_decks_a_single_shoe_and_no_automatic_draw_with_a_hole_card(self):
        for wrong, settings in (
            (t.CFG_DECKS, {"decks": 5}),
            (t.CFG_SHOE_KIND, {"shoe_kind": t.SHOE_KIND_DOUBLE}),
            (t.CFG_OPTIONS, {"options": 11 << AUTO_HIT}),
        ):
            made = Config()
            made.game = t.GAME_HYBRID
            for name in settings:
                setattr(made, name, settings[name])
            self.assertEqual(made.validate(), wrong)

    def test_without_a_hole_card_a_hand_draws_by_itself_up_to_20_at_most(self):
        made = no_hole(options=20 << AUTO_HIT)
        made.options = 21 << AUTO_HIT
        self.assertEqual(made.validate(), t.CFG_OPTIONS)


if __name__ == "__main__":
    unittest.main()
