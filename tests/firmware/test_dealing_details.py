"""What a small slip in dealing would change and no round shows by itself: fields of events, limits, keys."""

import unittest

from dealing_table import CLUBS, HEARTS, Pass, Table, card, config, difference, double_shoe, snapshot, ten
from shoe import wire_table as t
from shoe.config import OPTION_ALTERNATE, OPTION_PREMIUM, OPTION_READER, OPTION_SWITCH_HANDS
from shoe.dealing.dealer import reveal_needed
from shoe.dealing.state import Sealed


class DetailsTest(unittest.TestCase):
    def test_633a_14_e_the_key_for_a_missed_card_ends_with_the_first_decision(self):
        for key in (None, t.KEY_NEXT_HAND, t.KEY_DOUBLE, t.KEY_SPLIT):
            table = Table()
            table.start(3)
            table.draw(card(8), card(9), card(7), card(8, HEARTS), card(3), ten(CLUBS))
            if key is not None:
                table.keys(key)
            self.assertEqual((key, table.key(t.KEY_MISSED_DEALER)), (key, key is None))

    def test_633a_14_e_the_dealer_has_missed_no_card_before_his_first_is_due(self):
        for drawn in range(3):
            table = Table()
            table.start(3)
            table.draw(*(card(8), card(9))[:drawn])
            self.assertEqual((drawn, table.key(t.KEY_MISSED_DEALER)), (drawn, drawn == 2))

    def test_633a_7_e_a_count_ends_with_its_own_key_and_on_its_own_side(self):
        for begun, other in ((t.KEY_COUNT, t.KEY_TEST_DEAL), (t.KEY_TEST_DEAL, t.KEY_COUNT)):
            table = Table(double_shoe())
            table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1), (begun, 0))
            for key, side in ((other, 0), (begun, 1), (other, 1)):
                self.assertFalse(table.key(key, side))
                self.assertEqual(table.dealing.st.counting, 0)
            self.assertTrue(table.key(begun, 0))

    def test_633a_12_a_4_a_switch_of_cards_is_a_decision_too(self):
        for switches in (False, True):
            table = Table(config(game=t.GAME_SWITCH))
            table.start()
            table.draw(card(8), card(5), card(9), card(7, HEARTS), card(6), card(3))
            if switches:
                table.keys(t.KEY_SWITCH)
            self.assertEqual(table.key(t.KEY_MISSED_DEALER), not switches)

    def test_635a_13_a_only_the_second_face_up_card_of_a_round_of_spanish_21_is_the_one_that_voids(self):
        table = Table(config(game=t.GAME_SPANISH_21))
        table.start()
        table.draw(card(8))
        for number, code in ((1, t.IRR_FACE_UP_CARD), (2, t.IRR_SECOND_FACE_UP_CARD)):
            table.blank()
            self.assertEqual([(event[1], event[5]) for event in table.of_kind(t.REC_IRREGULARITY)][-1], (code, number))

    def test_only_these_keys_do_something_at_a_hands_turn_in_the_deal_and_between_rounds(self):
        dealt = (card(8), card(9), card(7), card(8, HEARTS), card(3), ten(CLUBS))
        always = [t.KEY_RESHUFFLE, t.KEY_MISSED_DEALER, t.KEY_REFILL, t.KEY_VOID_ROUND]
        turn = [t.KEY_NEXT_HAND, t.KEY_DOUBLE, t.KEY_SPLIT, t.KEY_SURRENDER]
        between = [t.KEY_SEATS, t.KEY_DEAL, t.KEY_NEW_DEALER, t.KEY_RESHUFFLE, t.KEY_COUNT, t.KEY_CLOSE_SHOE]
        for count, ends, keys in ((6, (), turn + always), (2, (), always), (6, (t.KEY_VOID_ROUND,), between)):
            accepted = []
            for key in range(64):
                table = Table()
                table.start(3)
                table.draw(*dealt[:count])
                table.keys(*ends)
                if table.key(key):
                    accepted.append(key)
            self.assertEqual(accepted, sorted(keys))

    def test_a_foreign_card_that_lies_face_down_is_not_one_of_the_batch(self):
        for count, many in ((0, 1), (5, 2)):
            table = Table()
            if count:
                table.start(3)  # with a burn card, which lies face down too
                table.draw(card(8), card(9), card(7), card(8, HEARTS), card(3))
            else:
                table.keys((t.KEY_LOAD, 0))
            table.send(t.PASS_FOREIGN_BATCH, card(4), 0, 2)
            sealed = table.dealing.st.sealed
            self.assertEqual([sealed.get(at)[-1] for at in range(sealed.many)], [0] * (many - 1) + [1])

    def test_a_blackjack_waits_for_the_hole_card_under_any_ace_or_ten(self):
        for suit in range(4):
            for rank in range(1, 14):
                table = Table()
                table.start()
                table.draw(ten(CLUBS), 13 * suit + rank - 1, card(1), card(5))
                self.assertEqual(reveal_needed(table.dealing.st), rank == 1 or rank > 9, (rank, suit))

    def test_a_side_that_was_ordered_to_be_reshuffled_is_told_again_when_the_other_is_loaded_first(self):
        for first in (0, 1):
            table = Table(double_shoe())
            table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1), (t.KEY_RESHUFFLE, 0), (t.KEY_RESHUFFLE, 1))
            table.keys((t.KEY_LOAD, first))
            again = [event[1:3] for event in table.step if event[0] == t.REC_FINISHED]
            self.assertEqual(again, [(1 - first, t.FINISH_ORDERED)])
            self.assertEqual(table.phase, t.PHASE_FINISHED)

    def test_no_more_dealers_are_counted_than_a_record_can_say(self):
        table = Table()
        table.keys((t.KEY_LOAD, 0))
        for count in range(20):
            table.dealing.restore((t.REC_DEALER_CHANGED, count + 1), 900 + count)
            self.assertEqual(table.dealing.st.burn_dealer, min(count + 1, 15))

    def test_a_card_on_a_double_lies_face_down_by_its_option_alone(self):
        for options in range(4):
            table = Table(config(options=options))
            table.start()
            table.draw(card(5), card(7), card(6), ten(CLUBS))
            table.keys(t.KEY_DOUBLE)
            table.draw(card(9))
            self.assertEqual(table.kinds()[0] == t.REC_SEALED, bool(options & 1), options)

    def test_a_sealed_card_gives_back_every_field_it_was_kept_with(self):
        cards = Sealed()
        cards.add(700, 5, 7, 2, 1, 51, 34)
        cards.add(701, 3, 1, 0, 0, 0, 1)
        self.assertEqual(cards.get(0), (5, 7, 2, 1, 51, 34, 0))
        cards.back(0)
        self.assertEqual(cards.get(0), (5, 7, 2, 1, 51, 34, 1))
        cards.place(0, 4, 2, 1)
        self.assertEqual(cards.get(0), (4, 2, 1, 1, 51, 34, 1))
        self.assertEqual((cards.get(1), cards.head(0), cards.find(701)), ((3, 1, 0, 0, 0, 1, 0), 1, 1))

    def test_a_cover_card_of_another_batch_is_named_with_that_batch(self):
        table = Table()
        table.start()
        table.send(t.PASS_COVER_CARD, 52, 0, 37)
        (found,) = table.found(t.IRR_FOREIGN_BATCH)
        self.assertEqual(found, (t.REC_IRREGULARITY, t.IRR_FOREIGN_BATCH, t.POSITION_NONE, 0, 0, 37))

    def test_a_card_that_nobody_could_read_is_dealt_unknown_once_the_side_is_chosen(self):
        """633a.7(d)(1): only the determinant card must be read, on either side."""
        for head, determinant in ((0, card(5, HEARTS)), (1, card(5))):
            table = Table(double_shoe())
            table.start(3)
            table.draw(determinant, head=head)
            table.send(t.PASS_UNREADABLE, head=head)
            self.assertTrue(table.key(t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        table = Table(double_shoe())
        table.start(3)
        table.send(t.PASS_UNREADABLE)
        self.assertFalse(table.key(t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))

    def test_633a_14_f_a_refill_counts_the_cards_that_do_not_lie_on_the_table(self):
        table = Table()
        table.start()
        table.draw(card(8), card(9), card(8, HEARTS), card(7))
        table.keys((t.KEY_REFILL, 0))
        # Burned: one. On the table: four.
        self.assertEqual(table.of_kind(t.REC_REFILLED), [(t.REC_REFILLED, 0, 1)])

    def test_633a_7_e_a_side_is_finished_when_as_many_cards_came_out_as_it_holds_or_more(self):
        for more in (-1, 0, 1):
            table = Table(config(decks=8))
            table.keys((t.KEY_LOAD, 0))
            for index in range(416 + more):
                event = (t.REC_CARD, t.ROLE_DISCARDED, t.POSITION_RACK, 0, 0, index % 52, 1, 100, 200)
                table.dealing.restore(event, 900 + index)
            table.key(t.KEY_SEATS, 1)
            told = [(t.REC_FINISHED, 0, t.FINISH_EXHAUSTED, 416 + more)]
            self.assertEqual(table.of_kind(t.REC_FINISHED), told if more >= 0 else [], more)

    def test_633a_7_c_batch_one_card_is_burned_and_no_more_is_owed(self):
        table = Table()
        self.assertEqual(table.dealing.st.burns(), 0)
        table.keys((t.KEY_LOAD, 0))
        self.assertEqual(table.dealing.st.burns(), 1)
        table.draw(card(2))
        self.assertEqual(table.dealing.st.burns(), 0)

    def test_633a_14_c_a_held_card_that_is_taken_away_leaves_the_others_as_seen_as_they_were(self):
        for taken, shown in ((0, 0b110), (1, 0b111), (2, 0b101), (3, 0b101)):
            table = Table()
            table.start(1)
            table.draw(card(5), card(6), card(7), card(8))
            st = table.dealing.st
            for index in range(4):
                st.held.add(card(9), 9990 + index, 0)
            st.held_shown = 0b1101
            table.dealing.restore((t.REC_MOVED, 9990 + taken, t.ROLE_DISCARDED, t.POSITION_RACK, 0), 9999)
            self.assertEqual((st.held.refs.count(9990 + taken), st.held_shown), (0, shown), taken)

    def test_each_fault_is_let_go_in_its_own_ways(self):
        ways = {
            t.FAULT_UNREADABLE: (t.CLEAR_CARD_UNKNOWN, t.CLEAR_REREAD, t.CLEAR_CARD_REMOVED),
            t.FAULT_DOUBLE_FEED: (t.CLEAR_CARD_UNKNOWN, t.CLEAR_REREAD, t.CLEAR_CARD_REMOVED),
            t.FAULT_EDGES_LOST: (t.CLEAR_CARD_UNKNOWN, t.CLEAR_REREAD, t.CLEAR_CARD_REMOVED),
            t.FAULT_FOREIGN_BATCH: (t.CLEAR_CARD_REMOVED,),
            t.FAULT_EXTRA_CARD: (t.CLEAR_RESUME, t.CLEAR_CARD_REMOVED),
            t.FAULT_COUNT_WRONG: (t.CLEAR_RESUME, t.CLEAR_CARD_REMOVED),
            t.FAULT_DECKS_RETIRED: (t.CLEAR_RESUME, t.CLEAR_CARD_REMOVED),
            t.FAULT_SEALED_CARD_LOST: (t.CLEAR_RESUME, t.CLEAR_CARD_UNKNOWN),
        }
        for code in ways:
            for how in range(5):
                table = Table()
                table.start(1)
                table.draw(card(5))
                table.dealing.apply((t.REC_FAULT, code, 0, 0))
                self.assertEqual(table.key(t.KEY_SUPERVISOR, how), how in ways[code], (code, how))

    def test_a_key_that_no_panel_has_turns_no_card_up(self):
        for key in range(t.KEY_TURN_UP, 64):
            table = Table(config(game=t.GAME_FROM_THE_HAND, decks=2))
            table.start()
            table.draw(card(5), card(7), card(6), ten(CLUBS))
            self.assertEqual(table.key(key), key == t.KEY_TURN_UP, key)

    def test_a_side_is_not_loaded_while_the_other_is_counted(self):
        table = Table(double_shoe())
        table.keys((t.KEY_LOAD, 0), (t.KEY_COUNT, 0))
        self.assertFalse(table.key(t.KEY_LOAD, 1))
        table.keys((t.KEY_COUNT, 0), (t.KEY_LOAD, 1))

    def test_633a_12_a_4_a_position_may_switch_while_one_before_it_waits_for_a_missed_card_only(self):
        for waits in (True, False):
            table = Table(config(game=t.GAME_SWITCH))
            table.start(3)
            table.draw(card(8), card(5), card(9), card(7), card(6), card(3, HEARTS), card(2, HEARTS), card(4, HEARTS))
            table.draw(card(5, HEARTS), ten(CLUBS))
            table.keys(t.KEY_NEXT_HAND)
            if waits:
                table.keys(t.KEY_NEXT_HAND, (t.KEY_MISSED, 1))
            self.assertEqual(table.key(t.KEY_SWITCH, 2), waits)

    def test_a_card_drawn_in_error_is_not_the_dealers_when_his_turned_hand_needs_none(self):
        for turned in (False, True):
            table = Table()
            table.start(3)
            table.draw(ten(CLUBS), ten(HEARTS), card(5), card(6), card(7), card(8))
            table.draw(ten())  # position 1 has 26
            table.draw(card(2))
            table.keys((t.KEY_HOLD, 1), t.KEY_SURRENDER)
            if turned:
                table.keys(t.KEY_REVEAL)
            self.assertEqual(table.key(t.KEY_DEAL), not turned)

    def test_a_hole_card_that_lies_open_already_is_the_one_that_is_turned(self):
        table = Table()
        table.start()
        table.draw(card(9), card(7), card(8), ten(CLUBS))
        hole = table.dealing.st.hole
        table.dealing.apply((t.REC_OPENED, hole, t.ROLE_HOLE, t.POSITION_DEALER, 0, ten(CLUBS), 1))
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
        self.assertEqual(table.of_kind(t.REC_REVEALED), [(t.REC_REVEALED, hole)])

    def test_633c_4_f_a_choice_of_a_position_without_switch_hands_changes_nothing(self):
        table = Table(config(options=OPTION_SWITCH_HANDS | OPTION_PREMIUM))
        table.keys((t.KEY_LOAD, 0))
        table.draw(card(2))
        for antes in (0, 1):
            table.keys((t.KEY_SEATS, 3), (t.KEY_ANTES, antes), t.KEY_DEAL)
            before = snapshot(table.dealing)
            table.dealing.restore((t.REC_SWITCH_HAND, 2, 1), 999)
            self.assertEqual(difference(before, snapshot(table.dealing)), "")
            table.keys(t.KEY_VOID_ROUND)

    def test_633a_7_d_before_a_shoe_is_opened_each_head_reads_the_batch_of_its_side(self):
        table = Table(double_shoe())
        for _ in range(2):
            self.assertEqual([table.dealing.batches(head) for head in range(2)], [(1,), (2,)])
            table.key(t.KEY_LOAD, 0)

    def test_a_card_that_was_held_back_as_it_came_has_the_longest_duration_that_a_record_can_say(self):
        for duration, said in ((-1, 0), (0xFFFE, 0xFFFE), (0xFFFF, 0xFFFF), (0x10000, 0xFFFF)):
            table = Table()
            table.start()
            done = Pass(t.PASS_CARD, card(2))
            done.duration_ms = duration
            events = table.dealing.input_pass(done)
            self.assertEqual([event[7] for event in events if event[0] == t.REC_CARD], [said])

    def test_no_more_cards_are_counted_than_a_record_can_say(self):
        table = Table()
        table.start()
        table.dealing.st.cards_out = 0xFFFE
        for _ in range(3):
            table.draw(card(5))
            self.assertEqual(table.dealing.st.cards_out, 0xFFFF)

    def test_633c_4_d_a_switch_hands_card_that_is_to_be_skipped_takes_no_other_ones_turn(self):
        """The first card comes in its turn; the second, which was skipped, behind all others."""
        for skipped, order in ((16, [2, 1, 2, 1]), (32, [1, 2, 2, 1])):
            table = Table(config(options=OPTION_SWITCH_HANDS))
            table.start(3)
            table.keys((t.KEY_NO_CARD, 64 + skipped + 1))
            table.draw(card(5), card(6), card(7), card(8))
            dealt = [event[2] for event in table.of_kind(t.REC_SEALED) if event[1] == t.ROLE_SWITCH_HAND]
            self.assertEqual(dealt, order)

    def test_633a_3_b_4_batches_change_places_by_themselves_where_they_alternate_only(self):
        for option, opened in ((OPTION_ALTERNATE, (1, 2)), (OPTION_READER, (2, 1))):
            table = Table(config(options=option))
            table.keys((t.KEY_LOAD, 0), t.KEY_CLOSE_SHOE)
            table.config.batch_a, table.config.batch_b = 2, 1
            table.dealing.st.batch_in_play, table.dealing.st.batch_waiting = 1, 2
            table.keys((t.KEY_LOAD, 0))
            self.assertEqual(table.of_kind(t.REC_SHOE_OPENED)[-1][4:6], opened)


if __name__ == "__main__":
    unittest.main()
