"""Two things at once: what a real table does when a second error meets a first one."""

import unittest

from dealing_table import CLUBS, HEARTS, UNKNOWN, Table, card, config, double_shoe, folded, ten
from shoe import wire_table as t

TWO = (card(10, HEARTS), card(9, HEARTS), card(6), card(5), card(8), CLUBS + 4)  # boxes 1, 2, dealer; no hand ends


def deal_two(settings=None):
    """Boxes 1 and 2 with 15 and 17, the dealer with 6 up and 5 in the hole."""
    table = Table(settings)
    table.start(3)
    table.draw(*TWO)
    return table


class HeldTest(unittest.TestCase):
    def test_633a_3_a_a_held_copy_too_many_stops_the_card_behind_it(self):
        table = Table(config(decks=1))
        table.start(1)
        table.draw(card(5), card(6), card(7), card(8))
        table.draw(card(2, HEARTS))
        table.keys((t.KEY_HOLD, 1), t.KEY_NEXT_HAND, t.KEY_VOID_ROUND)
        table.draw(card(6), card(9))  # both drawn before deal was pressed: face down, the first a second six of spades
        table.keys(t.KEY_DEAL)  # the first goes to box 1 and stops the game
        self.assertEqual(table.dealing.faults, [t.FAULT_EXTRA_CARD])
        self.assertEqual(len(table.dealing.st.held.refs), 1)

    def test_633a_3_a_a_copy_too_many_that_the_supervisor_lets_pass_stays_where_it_lies(self):
        for how in (t.CLEAR_RESUME, t.CLEAR_CARD_REMOVED):
            table = deal_two()
            table.dealing.st.sides[0].dealt[card(2)] = table.config.decks
            table.draw(card(2))
            self.assertEqual(table.dealing.faults, [t.FAULT_EXTRA_CARD])
            table.keys((t.KEY_SUPERVISOR, how))
            self.assertEqual(t.REC_MOVED in table.kinds(), how == t.CLEAR_CARD_REMOVED)

    def test_633a_14_b_a_pass_behind_a_held_card_that_stops_the_game_belongs_to_no_hand(self):
        table = Table(config(decks=1))
        table.start(1)
        table.draw(card(5), card(6), card(7), card(8))
        st = table.dealing.st
        st.held.add(UNKNOWN, 9999, 0)  # a card that came while the game was stopped and was declared held
        st.sealed.add(9999, t.ROLE_HELD, t.POSITION_TABLE, 0, 0, card(6), 1)
        st.sides[0].took(UNKNOWN)
        table.draw(card(9))
        self.assertEqual(table.dealing.faults, [t.FAULT_EXTRA_CARD])
        self.assertEqual(table.step[-2][:2], (t.REC_SEALED, t.ROLE_STOPPED))
        self.assertEqual(table.codes(table.step)[-1], t.IRR_DRAWN_WHILE_STOPPED)
        self.assertNotIn(card(9), st.hands[0].cards)

    def test_633a_14_b_every_held_card_comes_before_the_next_one(self):
        table = deal_two()
        st = table.dealing.st
        for ref, face in ((9998, card(2)), (9999, card(3))):
            st.held.add(UNKNOWN, ref, 0)
            st.sealed.add(ref, t.ROLE_HELD, t.POSITION_TABLE, 0, 0, face, 1)
            st.sides[0].took(UNKNOWN)
        table.draw(CLUBS)
        self.assertEqual(st.hands[0].cards[2:], [card(2), card(3), CLUBS])

    def test_633a_14_c_refusal_who_refused_gets_no_late_card_either(self):
        table = deal_two()
        table.draw(card(2))
        table.keys((t.KEY_DISCARD, 1))
        self.assertFalse(table.key(t.KEY_MISSED, 1))
        self.assertEqual(table.dealing.turn().box, 2)

    def test_633a_14_c_refusal_no_hand_of_the_position_gets_another_card(self):
        """Not even the split hand that has one card."""
        table = Table()
        table.start(3)
        table.draw(card(8), card(9), card(6), card(8, HEARTS), card(8), card(5))
        table.keys(t.KEY_SPLIT)
        table.draw(card(3))
        table.draw(card(2))
        table.keys((t.KEY_DISCARD, 1))
        st = table.dealing.st
        self.assertEqual([(hand.box, hand.ended) for hand in st.hands[:2]], [(1, t.HAND_END_STAND)] * 2)
        self.assertEqual([len(hand.cards) for hand in st.hands[:2]], [2, 1])
        self.assertEqual(table.dealing.turn().box, 2)
        self.assertFalse(table.key(t.KEY_MISSED, 1))
        self.assertFalse(table.key(t.KEY_MISSED, 1 + 16))

    def test_633a_14_c_use_the_dealer_takes_the_held_card_before_he_presses_reveal(self):
        table = deal_two()
        table.keys(t.KEY_NEXT_HAND)
        table.draw(card(2, HEARTS))
        table.keys((t.KEY_HOLD, 1), t.KEY_NEXT_HAND)
        table.draw(card(3, HEARTS))
        self.assertEqual(table.dealing.st.dealer.cards[2:], [card(2, HEARTS), card(3, HEARTS)])

    def test_633a_7_e_a_card_from_the_other_side_while_one_is_finished_waits_for_nobody(self):
        table = Table(double_shoe())
        table.start(1)
        table.keys(t.KEY_VOID_ROUND, (t.KEY_RESHUFFLE, 0))
        self.assertEqual(table.phase, t.PHASE_FINISHED)
        table.draw(card(9), head=1)
        self.assertEqual(table.step[0][:2], (t.REC_SEALED, t.ROLE_STOPPED))
        self.assertEqual(table.codes(table.step), [t.IRR_DRAWN_WHILE_FINISHED])

    def test_633a_14_b_a_held_card_of_the_side_that_goes_on_is_discarded_in_the_records(self):
        table = Table(double_shoe())
        table.start(1)
        table.keys(t.KEY_VOID_ROUND)
        table.draw(card(9), head=1)
        held = table.number - 2
        table.keys((t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
        self.assertIn((t.REC_MOVED, held, t.ROLE_DISCARDED, t.POSITION_RACK, 0), table.step)
        self.assertEqual(table.codes(table.step), [t.IRR_CARD_DISCARDED])

    def test_633a_7_s_a_card_out_of_an_empty_side_is_opened_with_the_history_it_came_in(self):
        table = Table(double_shoe())
        table.keys((t.KEY_LOAD, 1))
        table.draw(card(9), head=0)
        stray = table.number - 2
        table.keys((t.KEY_RESHUFFLE, 1), (t.KEY_LOAD, 1))
        opened = [event[1] for event in table.step if event[0] == t.REC_OPENED]
        self.assertEqual(opened, [stray])


class TenTest(unittest.TestCase):
    """635a.13(b): a 10 that lay face down is found when it is turned, and then it is in no hand."""

    def spanish(self):
        return Table(config(game=t.GAME_SPANISH_21))

    def test_635a_13_b_one_a_held_10_is_taken_out_and_its_place_stays_due(self):
        table = self.spanish()
        table.start(1)
        table.keys(t.KEY_VOID_ROUND)
        table.draw(ten())
        held = table.number - 2
        table.keys(t.KEY_DEAL)
        self.assertIn((t.REC_OPENED, held, t.ROLE_DISCARDED, t.POSITION_NONE, 0, ten(), 1), table.step)
        table.draw(card(9))
        self.assertEqual(table.where()[-1], (t.ROLE_OPENING, 1, 0, card(9)))

    def test_635a_13_b_one_a_held_10_that_is_shown_is_taken_out_at_once(self):
        table = self.spanish()
        table.start(1)
        table.keys(t.KEY_VOID_ROUND)
        table.draw(ten())
        held = table.number - 2
        table.keys((t.KEY_HOLD, 1))
        self.assertEqual(table.step[-1], (t.REC_MOVED, held, t.ROLE_DISCARDED, t.POSITION_NONE, 0))
        self.assertEqual(table.dealing.st.held.refs, [])
        self.assertEqual(len(table.found(t.IRR_TEN_FOUND)), 1)

    def test_633a_14_c_after_a_held_10_was_taken_out_the_next_held_card_counts_as_unseen(self):
        table = self.spanish()
        table.start(1)
        table.keys(t.KEY_VOID_ROUND)
        table.draw(card(5), ten())
        table.keys((t.KEY_HOLD, 1))
        table.draw(card(7))
        self.assertEqual(table.dealing.st.held_shown, 0)
        self.assertTrue(table.key(t.KEY_HOLD, 1))
        self.assertEqual(table.dealing.st.held_shown, 2)

    def test_635a_13_b_one_a_10_in_the_hole_is_moved_out_of_the_dealers_hand(self):
        table = self.spanish()
        table.start(1)
        table.draw(card(9), card(7), card(9, HEARTS), ten())
        hole = table.number - 1
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
        self.assertEqual(table.step[-1], (t.REC_MOVED, hole, t.ROLE_DISCARDED, t.POSITION_NONE, 0))
        table.draw(card(9, CLUBS), card(4))
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(table.step[-1][3], 20)

    def test_635a_13_b_more_a_second_10_in_the_hole_voids_the_round_that_was_about_to_be_closed(self):
        table = self.spanish()
        table.start(1)
        table.draw(ten(), card(9), card(7), card(9, HEARTS), ten(HEARTS))
        table.keys((t.KEY_SURRENDER, 0), t.KEY_END_ROUND)
        closed = [event for event in table.step if event[0] == t.REC_ROUND_CLOSED]
        self.assertEqual([event[2] for event in closed], [t.ROUND_END_VOID])
        self.assertEqual(table.dealing.faults, [t.FAULT_DECKS_RETIRED])
        self.assertEqual(table.phase, t.PHASE_FINISHED)


class LateKeysTest(unittest.TestCase):
    def test_633a_14_g_a_no_card_key_pressed_twice_skips_nothing_more(self):
        table = Table()
        table.start(3)
        table.draw(card(5), card(6), card(7))
        for argument in (33, 1):
            with self.subTest(argument=argument):
                before = len(table.records)
                pressed = table.key(t.KEY_NO_CARD, argument)
                self.assertEqual(pressed, argument == 33)
                if not pressed:
                    self.assertEqual(table.codes(table.step), [t.IRR_WRONG_KEY])
                self.assertGreater(len(table.records), before)
        self.assertEqual(table.dealing.st.hands[0].cards, [card(5)])

    def test_633a_14_g_none_a_hand_that_drew_a_card_is_not_without_cards(self):
        table = deal_two()
        table.draw(card(2))
        self.assertFalse(table.key(t.KEY_NO_CARD, 1))
        self.assertTrue(table.key(t.KEY_NO_CARD, 2))

    def test_633a_14_i_of_three_split_hands_the_one_that_waits_for_its_late_card_may_decline_it(self):
        table = Table()
        table.start()
        table.draw(card(8), card(6), card(8, HEARTS), card(5))
        table.keys(t.KEY_SPLIT)
        table.draw(card(8, CLUBS))
        table.keys(t.KEY_SPLIT)
        table.draw(card(2))
        table.keys(t.KEY_NEXT_HAND)
        table.draw(card(3))
        table.keys(t.KEY_NEXT_HAND)
        table.draw(card(4))
        table.keys(t.KEY_NEXT_HAND, (t.KEY_MISSED, 1 + 16 * 3), (t.KEY_NO_CARD, 1 + 64 * 2))
        self.assertIn((t.REC_HAND_ENDED, 1, 2, t.HAND_END_DEAD), table.step)

    def test_633a_14_i_who_drew_on_after_his_late_card_is_owed_no_other_one_when_the_draw_is_taken_back(self):
        table = deal_two()
        table.keys((t.KEY_MISSED, 1), t.KEY_NEXT_HAND)
        table.draw(card(2), card(3))
        self.assertEqual([role for role, box, _, _ in table.where() if box == 1][2:], [t.ROLE_LATE, t.ROLE_DRAW])
        table.keys((t.KEY_HOLD, 0), t.KEY_DISCARD)
        self.assertEqual(table.dealing.due(), ((t.ROLE_DRAW, 1, 0), False))
        table.keys(t.KEY_NEXT_HAND)

    def test_633a_7_i_a_position_that_got_its_late_card_early_is_not_in_turn_before_the_others(self):
        """It waits for a missed card when the deal is put right: its first card was skipped, and all others move up."""
        table = Table()
        table.start(7)
        table.draw(card(2), card(3), card(4), card(6), card(5), card(2, HEARTS), card(3, HEARTS), card(4, HEARTS))
        table.keys((t.KEY_MISSED, 2), t.KEY_MISSED_DEALER, (t.KEY_NO_CARD, 2 + 16))
        table.draw(card(7, HEARTS))  # the hole card
        hands = table.dealing.st.hands
        self.assertEqual([(hand.box, hand.late, hand.ended) for hand in hands], [(1, 0, -1), (2, -1, -1), (3, 0, -1)])
        self.assertEqual(table.dealing.turn().box, 1)

    def test_633a_14_g_one_cards_that_move_up_keep_the_order_in_which_they_came(self):
        table = Table()
        table.start(7)
        table.draw(card(2), card(3), card(4), card(5), card(6), card(7), card(8))
        table.keys((t.KEY_NO_CARD, 17))  # box 1 was skipped at first: all cards lie one place further on
        hands = [hand.cards for hand in table.dealing.st.hands]
        self.assertEqual(hands, [[card(5), card(8)], [card(2), card(6)], [card(3), card(7)]])
        self.assertEqual(table.dealing.st.dealer.cards, [card(4)])

    def test_633a_7_k_2_two_unknown_cards_after_a_double_go_to_two_hands(self):
        table = deal_two()
        table.keys(t.KEY_DOUBLE)
        table.send(t.PASS_DOUBLE_FEED)
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        hands = table.dealing.st.hands
        self.assertEqual([len(hand.cards) for hand in hands], [3, 3])
        self.assertEqual(hands[0].ended, t.HAND_END_DOUBLED)

    def test_633a_14_d_cards_that_a_dealer_drew_without_turning_go_when_the_round_is_closed(self):
        table = deal_two()
        table.draw(card(10, CLUBS), card(10))  # both are over 21: nothing is to be drawn
        table.draw(card(9, CLUBS), card(8, CLUBS))  # 11, 20, 28
        table.keys(t.KEY_END_ROUND)
        self.assertIn(t.IRR_DEALER_DREW_ON_17, table.codes(table.step))
        self.assertEqual([e[2:4] for e in table.step if e[0] == t.REC_MOVED], [(t.ROLE_DISCARDED, t.POSITION_RACK)])


class RestartTest(unittest.TestCase):
    def test_633a_5_h_a_continuous_shuffler_owes_no_burn_after_a_restart_either(self):
        settings = config(options=2)
        table = Table(settings)
        table.start(1)
        table.keys(t.KEY_VOID_ROUND, (t.KEY_RESHUFFLE, 0), (t.KEY_LOAD, 0))
        opened = [i for i in range(len(table.records)) if table.records[i][1][0] == t.REC_SHOE_OPENED]
        self.assertEqual([table.records[i][1][8] for i in opened], [2, 2 | 32])
        again = folded(settings, table.records[opened[-1] :])  # a restart reads the records of the open shoe alone
        self.assertEqual((table.phase, again.phase), (t.PHASE_READY, t.PHASE_READY))
        again.input_key(t.KEY_RESHUFFLE, 0)
        again.input_key(t.KEY_LOAD, 0)
        self.assertEqual(again.phase, t.PHASE_READY)

    def test_633a_5_h_after_the_end_of_the_day_the_first_load_is_burned_again(self):
        table = Table(config(options=2))
        table.start(1)
        table.keys(t.KEY_VOID_ROUND, (t.KEY_CLOSE_SHOE, 0), (t.KEY_LOAD, 0))
        self.assertEqual(table.phase, t.PHASE_BURNING)


if __name__ == "__main__":
    unittest.main()
