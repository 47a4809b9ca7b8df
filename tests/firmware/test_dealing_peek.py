"""Insurance, peek and inspection at the table: when the card reader device answers, and what it never says."""

import unittest

from dealing_table import ACE, CLUBS, DIAMONDS, HEARTS, JACK, KING, UNKNOWN, Table, card, config, folded, snapshot, ten
from shoe import wire_table as t
from shoe.config import OPTION_DOUBLE_DOWN, OPTION_READER

TEST_CARDS = (53, 54, 55, 56)
SEVEN, NINE, TWO = card(7, HEARTS), card(9, HEARTS), card(2)
GAMES = (t.GAME_BLACKJACK, t.GAME_FREE_BET, t.GAME_SPANISH_21)
PEEK_LAMPS = (t.LAMP_READER_BLACKJACK, t.LAMP_READER_NO_BLACKJACK, t.LAMP_READER_AGAIN)


def inspect(table):
    """A whole inspection that passes."""
    table.keys((t.KEY_READER_TEST, t.INSPECTION_BEGIN))
    for each in TEST_CARDS:
        table.send(t.PASS_TEST_CARD, each, t.HEAD_READER)


def dealt(up, hole, first=NINE, second=SEVEN, seats=1, inspected=True, **settings):
    """A table with a reader after the opening deal of one box."""
    settings["options"] = settings.get("options", 0) | OPTION_READER
    table = Table(config(**settings))
    if inspected:
        inspect(table)
    table.start(seats)
    table.draw(first, up, second, hole)
    return table


def lit(table):
    """The reader's lamps that are lit."""
    return tuple(lamp for lamp in PEEK_LAMPS if table.lamp(lamp))


def refusals(table):
    """(code, detail) of all refusals."""
    codes = (t.IRR_READER_WRONG_UP_CARD, t.IRR_READER_MISUSED)
    return [(event[1], event[5]) for event in table.of_kind(t.REC_IRREGULARITY) if event[1] in codes]


class AnswerTest(unittest.TestCase):
    def test_every_up_card_with_every_hole_card(self):
        """633a.7(h) eligibility, 590.7(g): an ace or a ten-value card up; 633a.14(j): refused with any other one."""
        for game in (t.GAME_BLACKJACK, t.GAME_FREE_BET):
            for up in range(13):
                for hole in range(13, 26):
                    table = dealt(up, hole, game=game, positions=6)
                    if up == ACE:
                        table.keys((t.KEY_INSURANCE, 0))
                    table.peek(hole)
                    ace, other = up == ACE or hole % 13 == ACE, up > 8 or hole % 13 > 8
                    if ACE < up < 9:
                        self.assertEqual(table.of_kind(t.REC_PEEK), [(t.REC_PEEK, t.PEEK_REFUSED)])
                        self.assertEqual(refusals(table), [(t.IRR_READER_WRONG_UP_CARD, 0)])
                        self.assertEqual(lit(table), ())
                        self.assertEqual(table.phase, t.PHASE_PLAYERS)
                    else:
                        answer = t.PEEK_BLACKJACK if ace and other else t.PEEK_NO_BLACKJACK
                        self.assertEqual(table.of_kind(t.REC_PEEK), [(t.REC_PEEK, answer)])
                        self.assertEqual(lit(table), (PEEK_LAMPS[1 - answer],))

    def test_in_spanish_21_a_ten_is_no_ten_value_card(self):
        """635a.7(g): ace, king, queen or jack."""
        table = dealt(CLUBS + JACK, DIAMONDS + ACE, game=t.GAME_SPANISH_21, decks=6)
        self.assertEqual(table.peek(DIAMONDS + ACE)[0], (t.REC_PEEK, t.PEEK_BLACKJACK))
        table = dealt(CLUBS + ACE, ten(DIAMONDS), game=t.GAME_SPANISH_21, decks=6)
        table.keys((t.KEY_INSURANCE, 0))
        self.assertEqual(table.peek(ten(DIAMONDS))[0], (t.REC_PEEK, t.PEEK_NO_BLACKJACK))

    def test_a_blackjack_ends_all_hands_and_the_dealer_turns_his_card(self):
        """633a.7(h) result, 590.7(g), 635a.7(g): no additional cards."""
        for game in GAMES:
            table = dealt(CLUBS + KING, ACE, seats=1, game=game, positions=6)
            table.peek(ACE)
            self.assertEqual(table.step[1:], [(t.REC_HAND_ENDED, 1, 0, t.HAND_END_DEALER_BLACKJACK)])
            self.assertFalse(table.of_kind(t.REC_OPENED))
            self.assertEqual(table.phase, t.PHASE_DEALER)
            for key in (t.KEY_NEXT_HAND, t.KEY_DOUBLE, t.KEY_SPLIT, t.KEY_SURRENDER):
                self.assertFalse(table.key(key))
            table.keys(t.KEY_REVEAL)
            self.assertEqual(lit(table), ())
            table.keys(t.KEY_END_ROUND)
            self.assertEqual(table.step[-1], (t.REC_ROUND_CLOSED, 1, t.ROUND_END_SETTLED, 21))

    def test_a_card_drawn_after_a_blackjack_goes_to_the_rack(self):
        """633a.7(h) result."""
        table = dealt(CLUBS + KING, ACE)
        table.peek(ACE)
        table.draw(TWO)
        table.keys(t.KEY_REVEAL)
        self.assertIn(t.IRR_DEALER_DREW_ON_17, table.codes())
        self.assertEqual(len(table.dealing.st.dealer.cards), 2)

    def test_after_no_blackjack_the_lamp_is_lit_until_play_goes_on(self):
        table = dealt(CLUBS + KING, TWO)
        table.peek(TWO)
        self.assertEqual(lit(table), (t.LAMP_READER_NO_BLACKJACK,))
        table.draw(TWO)
        self.assertEqual(lit(table), ())
        self.assertFalse(table.codes())

    def test_a_player_blackjack_stays_one(self):
        table = dealt(CLUBS + KING, ACE, first=ACE, second=KING)
        table.peek(ACE)
        self.assertEqual([event[3] for event in table.of_kind(t.REC_HAND_ENDED)], [t.HAND_END_BLACKJACK])
        self.assertEqual(table.phase, t.PHASE_DEALER)

    def test_a_surrender_after_no_blackjack_needs_no_turned_card(self):
        """633a.9(a)(2)(ii): settled straight after the reader."""
        table = dealt(CLUBS + KING, TWO)
        table.peek(TWO)
        table.keys(t.KEY_SURRENDER)
        self.assertEqual(table.phase, t.PHASE_SETTLING)
        table.keys(t.KEY_END_ROUND)
        self.assertFalse(table.codes())

    def test_a_hole_card_that_the_shoe_could_not_read_is_answered_by_the_reader_alone(self):
        table = Table(config(options=OPTION_READER))
        inspect(table)
        table.start()
        table.draw(NINE, CLUBS + KING, SEVEN)
        table.send(t.PASS_UNREADABLE)
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        self.assertEqual(table.peek(ACE)[0], (t.REC_PEEK, t.PEEK_BLACKJACK))


class RefusalTest(unittest.TestCase):
    def misuse(self, table, code, kind=t.PASS_CARD):
        before = table.of_kind(t.REC_PEEK)
        shown = lit(table)
        table.peek(ACE, kind=kind)
        said = [(t.REC_PEEK, t.PEEK_REFUSED)] if code != t.MISUSE_NO_ROUND else []
        self.assertEqual(table.of_kind(t.REC_PEEK)[len(before) :], said)
        self.assertEqual(refusals(table)[-1], (t.IRR_READER_MISUSED, code))
        self.assertEqual(lit(table), shown)

    def test_with_an_ace_up_insurance_comes_first(self):
        """633a.8(b) timing, 590.8(b) timing, 635a.8(b) timing."""
        for game in GAMES:
            table = dealt(CLUBS + ACE, KING, game=game, positions=6)
            self.misuse(table, t.MISUSE_BEFORE_INSURANCE)
            table.keys((t.KEY_INSURANCE, 1))
            self.assertEqual(table.step, [(t.REC_INSURANCE, 1)])
            table.peek(KING)
            self.assertEqual(table.of_kind(t.REC_PEEK)[-1], (t.REC_PEEK, t.PEEK_BLACKJACK))

    def test_insurance_is_closed_once_with_an_ace_up_for_boxes_in_play(self):
        """633a.8(a), (b) timing."""
        self.assertFalse(dealt(CLUBS + KING, TWO).key(t.KEY_INSURANCE, 0))
        table = dealt(CLUBS + ACE, TWO)
        self.assertFalse(table.key(t.KEY_INSURANCE, 2))
        self.assertTrue(table.key(t.KEY_INSURANCE, 1))
        self.assertFalse(table.key(t.KEY_INSURANCE, 1))
        table = dealt(CLUBS + ACE, TWO)
        table.keys(t.KEY_NEXT_HAND)
        self.assertFalse(table.key(t.KEY_INSURANCE, 1))

    def test_at_the_wrong_time_it_shows_nothing_whatever_lies_in_it(self):
        """633a.7(h) eligibility, 633a.14(j)."""
        for kind in (t.PASS_CARD, t.PASS_UNREADABLE, t.PASS_FOREIGN_BATCH, t.PASS_TEST_CARD, t.PASS_BLANK):
            table = Table(config(options=OPTION_READER))
            inspect(table)
            table.start()
            table.draw(NINE, CLUBS + KING, SEVEN)
            self.misuse(table, t.MISUSE_DEAL_NOT_OVER, kind)
            table = dealt(CLUBS + KING, ACE)
            table.keys(t.KEY_NEXT_HAND)
            self.misuse(table, t.MISUSE_AFTER_DECISION, kind)
            table.keys(t.KEY_REVEAL)
            self.misuse(table, t.MISUSE_NO_HOLE_CARD, kind)
            table.keys(t.KEY_END_ROUND)
            self.misuse(table, t.MISUSE_NO_ROUND, kind)
            table = dealt(CLUBS + KING, TWO)
            table.peek(TWO)
            self.misuse(table, t.MISUSE_ANSWERED, kind)
            table = dealt(CLUBS + KING, TWO)
            table.send(t.PASS_UNREADABLE)
            self.misuse(table, t.MISUSE_STOPPED, kind)

    def test_a_table_without_a_reader_refuses_and_asks_for_no_peek(self):
        table = Table()
        table.start()
        table.draw(NINE, CLUBS + KING, SEVEN, ACE)
        self.misuse(table, t.MISUSE_NOT_CONFIGURED)
        table.send(t.PASS_BLOCKED, head=t.HEAD_READER, reason=t.UNREADABLE_DIRTY)
        self.assertFalse(table.dealing.faults)
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
        self.assertNotIn(t.IRR_PEEK_MISSED, table.codes())

    def test_without_an_open_history_nothing_is_recorded(self):
        table = Table(config(options=OPTION_READER))
        self.assertEqual(table.peek(ACE), [])

    def test_refusals_do_not_flood_the_journal(self):
        table = dealt(NINE, TWO)
        for _ in range(20):
            table.peek(TWO)
        self.assertEqual(len(refusals(table)), 3)

    def test_an_up_card_that_the_history_does_not_know_is_not_guessed(self):
        table = Table(config(options=OPTION_READER))
        inspect(table)
        table.start()
        table.draw(NINE)
        table.send(t.PASS_UNREADABLE)
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        table.draw(SEVEN, TWO)
        self.misuse(table, t.MISUSE_UP_CARD_UNKNOWN)
        table.keys(t.KEY_NEXT_HAND)
        self.assertNotIn(t.IRR_PEEK_MISSED, table.codes())


class MissedTest(unittest.TestCase):
    def test_play_that_goes_on_without_the_peek_is_said_once(self):
        """633a.7(h) eligibility."""
        for going_on in (t.KEY_NEXT_HAND, t.KEY_DOUBLE, t.KEY_SURRENDER, t.KEY_SPLIT, -1):
            table = dealt(CLUBS + KING, TWO, first=NINE, second=card(9))
            if going_on < 0:
                table.draw(TWO)
            else:
                table.keys(going_on)
            self.assertEqual(table.codes(), [t.IRR_PEEK_MISSED])
        table = dealt(CLUBS + KING, TWO)
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
        self.assertEqual(table.codes().count(t.IRR_PEEK_MISSED), 1)

    def test_hands_that_ended_by_themselves_wait_for_it_too(self):
        for last in ((t.KEY_REVEAL, t.KEY_END_ROUND), (t.KEY_END_ROUND,)):
            table = dealt(CLUBS + KING, TWO, first=ACE, second=KING)
            table.keys(*last)
            self.assertIn(t.IRR_PEEK_MISSED, table.codes())

    def test_with_two_to_nine_up_none_is_asked_for(self):
        table = dealt(NINE, TWO)
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
        self.assertFalse(table.codes())

    def test_an_error_drawn_before_the_peek_leaves_room_for_it(self):
        """633a.14(b): set aside, it is the next card; the peek was late and is said so."""
        table = dealt(CLUBS + KING, TWO)
        table.draw(card(3))
        table.keys((t.KEY_HOLD, 0))
        self.assertEqual(table.peek(TWO)[0], (t.REC_PEEK, t.PEEK_NO_BLACKJACK))
        self.assertEqual(table.codes().count(t.IRR_PEEK_MISSED), 1)


class OtherCardTest(unittest.TestCase):
    def test_another_card_stops_the_game_and_names_no_face(self):
        """633a.7(h) method: what went in must be the hole card that the shoe dealt."""
        first = None
        for other in [c for c in range(52) if c != DIAMONDS + 4] + [52, 53]:
            table = dealt(CLUBS + KING, DIAMONDS + 4)
            kind = t.PASS_CARD if other < 52 else t.PASS_COVER_CARD if other == 52 else t.PASS_TEST_CARD
            table.peek(other, kind=kind)
            said = [(t.REC_PEEK, t.PEEK_REFUSED), (t.REC_FAULT, t.FAULT_HOLE_CARD, t.HEAD_READER, 0)]
            self.assertEqual(table.step, said)
            self.assertEqual(lit(table), ())
            first = first or snapshot(table.dealing)
            self.assertEqual(snapshot(table.dealing), first)

    def test_the_same_face_of_another_batch_is_another_card(self):
        table = dealt(CLUBS + KING, TWO)
        table.peek(TWO, 9, t.PASS_FOREIGN_BATCH)
        self.assertEqual(table.dealing.faults, [t.FAULT_HOLE_CARD])

    def test_the_same_face_of_any_other_batch_is_another_card(self):
        for own in (1, 2, 3, 4):
            for other in (1, 2, 3, 4):
                table = dealt(CLUBS + KING, TWO, batch_a=own, batch_b=own % 4 + 1)
                table.peek(TWO, other, t.PASS_CARD if other == own else t.PASS_FOREIGN_BATCH)
                faults = [] if other == own else [t.FAULT_HOLE_CARD]
                self.assertEqual(table.dealing.faults, faults, (own, other))

    def test_the_round_goes_on_once_the_supervisor_cleared_it(self):
        table = dealt(CLUBS + KING, TWO)
        table.peek(ACE)
        self.assertFalse(table.key(t.KEY_NEXT_HAND))
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_RESUME))
        self.assertEqual(table.peek(TWO)[0], (t.REC_PEEK, t.PEEK_NO_BLACKJACK))


class FailingTest(unittest.TestCase):
    def test_three_reads_without_an_answer_stop_the_table(self):
        """633a.14(k), 590.13(j), 635a.13(k)."""
        for game in GAMES:
            for kind in (t.PASS_UNREADABLE, t.PASS_DOUBLE_FEED, t.PASS_PULL_BACK, t.PASS_BLANK):
                table = dealt(CLUBS + KING, ACE, game=game, positions=6)
                for _ in range(2):
                    self.assertEqual(table.peek(UNKNOWN, kind=kind), [(t.REC_PEEK, t.PEEK_READ_AGAIN)])
                    self.assertEqual(lit(table), (t.LAMP_READER_AGAIN,))
                table.peek(UNKNOWN, kind=kind)
                self.assertEqual(table.step[-1], (t.REC_FAULT, t.FAULT_READER, t.HEAD_READER, 0))
                self.assertTrue(table.lamp(t.LAMP_STOP))

    def test_an_answer_in_between_begins_the_count_anew(self):
        table = dealt(CLUBS + KING, TWO)
        table.peek(UNKNOWN, kind=t.PASS_UNREADABLE)
        table.peek(TWO)
        self.assertEqual(table.of_kind(t.REC_PEEK)[-1], (t.REC_PEEK, t.PEEK_NO_BLACKJACK))
        self.assertEqual(table.dealing.st.reads, 0)

    def test_only_a_passed_inspection_sets_the_table_free(self):
        """633a.14(k); reading 46: the round in progress waits, and may be voided."""
        for reason in (t.UNREADABLE_DIRTY, t.UNREADABLE_STUCK, t.UNREADABLE_SATURATED):
            table = dealt(CLUBS + KING, TWO)
            table.send(t.PASS_BLOCKED, head=t.HEAD_READER, reason=reason)
            self.assertEqual(table.dealing.faults, [t.FAULT_READER])
            for how in range(4):
                self.assertFalse(table.key(t.KEY_SUPERVISOR, how))
            self.assertFalse(table.key(t.KEY_NEXT_HAND))
            inspect(table)
            self.assertEqual(table.step[-1], (t.REC_CLEARED, t.FAULT_READER, t.CLEAR_RESUME))
            self.assertEqual(table.peek(TWO)[0], (t.REC_PEEK, t.PEEK_NO_BLACKJACK))
            table.send(t.PASS_BLOCKED, head=t.HEAD_READER, reason=reason)
            self.assertTrue(table.key(t.KEY_VOID_ROUND) and table.key(t.KEY_CLOSE_SHOE))

    def test_the_floorperson_can_call_it_failing(self):
        table = dealt(CLUBS + KING, TWO)
        table.keys((t.KEY_READER_TEST, t.INSPECTION_FAIL))
        self.assertEqual(table.dealing.faults, [t.FAULT_READER])


class InspectionTest(unittest.TestCase):
    def test_four_test_cards_in_their_order(self):
        """633a.2(f) second sentence, 590.2(d) second sentence, 635a.2(d) second sentence."""
        for game in GAMES:
            table = Table(config(options=OPTION_READER, game=game, positions=6))
            table.keys((t.KEY_READER_TEST, t.INSPECTION_BEGIN))
            self.assertEqual(lit(table), PEEK_LAMPS)
            for i in range(4):
                table.send(t.PASS_TEST_CARD, TEST_CARDS[i], t.HEAD_READER)
                self.assertEqual(lit(table), (PEEK_LAMPS[i],) if i < 3 else ())
            steps = [event[1] for event in table.of_kind(t.REC_READER_TEST)]
            self.assertEqual(steps, [0, 1, 2, 3, 4, t.READER_STEP_PASSED])
            table.start()
            self.assertNotIn(t.IRR_READER_NOT_INSPECTED, table.codes())

    def test_no_round_opens_while_it_runs(self):
        table = Table(config(options=OPTION_READER))
        table.keys(t.KEY_LOAD)
        table.draw(TWO)
        table.keys((t.KEY_READER_TEST, 0), (t.KEY_SEATS, 1))
        self.assertFalse(table.key(t.KEY_DEAL))

    def test_what_is_not_the_test_card_is_asked_for_again_and_fails_it_the_third_time(self):
        for kind, wrong in ((t.PASS_TEST_CARD, 54), (t.PASS_CARD, ACE), (t.PASS_UNREADABLE, UNKNOWN)):
            table = Table(config(options=OPTION_READER))
            table.keys((t.KEY_READER_TEST, 0))
            for _ in range(3):
                table.send(kind, wrong, t.HEAD_READER)
            steps = [event[1] for event in table.of_kind(t.REC_READER_TEST)]
            again = t.READER_STEP_AGAIN
            self.assertEqual(steps, [0, again, again, again, t.READER_STEP_FAILED])
            self.assertEqual(table.dealing.faults, [t.FAULT_READER])

    def test_a_round_of_a_day_without_one_is_said_once_a_history(self):
        table = dealt(NINE, TWO, inspected=False)
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND)
        table.open_round()
        self.assertEqual(table.codes().count(t.IRR_READER_NOT_INSPECTED), 1)

    def test_it_holds_for_the_day_and_each_further_history_says_so(self):
        table = dealt(NINE, TWO)
        table.keys((t.KEY_RESHUFFLE, 0), t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, (t.KEY_LOAD, 0))
        self.assertEqual(table.of_kind(t.REC_READER_TEST)[-1], (t.REC_READER_TEST, t.READER_STEP_CARRIED))
        table.draw(TWO)
        table.open_round()
        self.assertNotIn(t.IRR_READER_NOT_INSPECTED, table.codes())

    def test_the_next_day_needs_its_own(self):
        table = dealt(NINE, TWO)
        table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL, t.KEY_END_ROUND, t.KEY_CLOSE_SHOE)
        table.start()
        self.assertIn(t.IRR_READER_NOT_INSPECTED, table.codes())

    def test_a_table_without_a_reader_has_none(self):
        self.assertFalse(Table().key(t.KEY_READER_TEST, 0))

    def test_it_does_not_begin_in_a_round_that_runs_well(self):
        self.assertFalse(dealt(NINE, TWO).key(t.KEY_READER_TEST, 0))


class FoldTest(unittest.TestCase):
    def test_the_records_rebuild_every_state_on_the_way(self):
        for up, hole in ((CLUBS + KING, ACE), (CLUBS + ACE, TWO), (NINE, TWO)):
            table = dealt(up, hole, options=OPTION_DOUBLE_DOWN, inspected=False)
            table.peek(UNKNOWN, kind=t.PASS_UNREADABLE)
            table.key(t.KEY_INSURANCE, 1)
            table.peek(hole)
            table.key(t.KEY_DOUBLE)
            for end in range(len(table.records) + 1):
                again = folded(table.config, table.records[:end])
                again.resume()
            self.assertEqual(snapshot(folded(table.config, table.records)), snapshot(table.dealing))

    def test_a_step_that_the_power_cut_in_half_goes_on(self):
        """633a.7(h) result: the hands end, whatever of it was durable."""
        table = dealt(CLUBS + KING, ACE, seats=1)
        table.peek(ACE)
        cut = folded(table.config, table.records[:-1])
        self.assertEqual(cut.resume(), [(t.REC_HAND_ENDED, 1, 0, t.HAND_END_DEALER_BLACKJACK)])
        table = Table(config(options=OPTION_READER))
        inspect(table)
        cut = folded(table.config, table.records[:-1])
        self.assertEqual(cut.resume(), [(t.REC_READER_TEST, t.READER_STEP_PASSED)])


if __name__ == "__main__":
    unittest.main()
