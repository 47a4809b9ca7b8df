"""Whole rounds and shoes through the dealing machine, with every event, as they run on the device."""

import unittest

from dealing_table import CLUBS, HEARTS, SPADES, Random, Table, card, config, double_shoe
from shoe import wire_table as t


class RoundsTest(unittest.TestCase):
    def test_a_first_round_event_by_event(self):
        table = Table()
        table.keys((t.KEY_LOAD, 0))
        self.assertEqual(table.step, [(t.REC_SHOE_OPENED, 0, 0, 6, 1, 2, 0, 7, 0, 0), (t.REC_LOADED, 0, 312)])
        table.draw(card(2))
        table.keys((t.KEY_SEATS, 5), t.KEY_DEAL)
        table.draw(card(8), 0, card(9), card(8, HEARTS), CLUBS + 12, card(7))
        self.assertEqual(table.kinds(), [t.REC_SEALED, t.REC_HAND_ENDED])
        hole = table.number - 2
        table.keys(t.KEY_SPLIT)
        self.assertEqual(table.step, [(t.REC_SPLIT, 1, 0, 1)])
        table.draw(card(3))
        table.keys(t.KEY_DOUBLE)
        table.draw(card(10))
        self.assertEqual(table.step[1], (t.REC_HAND_ENDED, 1, 0, t.HAND_END_DOUBLED))
        table.draw(card(9, HEARTS))
        table.keys(t.KEY_NEXT_HAND)
        self.assertEqual(table.phase, t.PHASE_DEALER)
        table.keys(t.KEY_REVEAL)
        self.assertEqual(table.step, [(t.REC_REVEALED, hole), (t.REC_OPENED, hole, t.ROLE_HOLE, 0, 0, card(7), 1)])
        table.draw(card(4))
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(table.step, [(t.REC_ROUND_CLOSED, 1, t.ROUND_END_SETTLED, 20)])
        self.assertEqual(table.codes(), [])

    def test_a_whole_double_shoe_of_416_cards_is_recorded_card_by_card(self):
        random = Random(416)
        table = Table(double_shoe(positions=7))
        stock = []
        for _ in range(2):
            cards = bytearray(208)
            for i in range(208):
                cards[i] = i % 52
            for i in range(207, 0, -1):
                j = random.below(i + 1)
                cards[i], cards[j] = cards[j], cards[i]
            stock.append(cards)
        used = [0, 0]
        table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1), (t.KEY_SEATS, 0b1111111))
        drawn = events = rounds = 0
        head = 0
        while min(208 - used[0], 208 - used[1]) > 40:
            phase = table.phase
            if phase == t.PHASE_READY:
                rounds += table.key(t.KEY_DEAL)
                head = random.below(2)
            elif phase in (t.PHASE_DETERMINANT, t.PHASE_OPENING) or table.dealing.due()[1]:
                if phase != t.PHASE_DETERMINANT:
                    head = table.dealing.head()
                table.draw(stock[head][used[head]], head=head)
                used[head] += 1
                drawn += 1
            elif phase == t.PHASE_PLAYERS:
                hand = table.dealing.turn()
                if hand.total() < 15:
                    table.draw(stock[head][used[head]], head=head)
                    used[head] += 1
                    drawn += 1
                else:
                    table.keys(t.KEY_NEXT_HAND)
            elif phase == t.PHASE_DEALER:
                table.keys(t.KEY_REVEAL)
            else:
                table.keys(t.KEY_END_ROUND)
            events += len(table.step)
            self.assertEqual(table.codes(table.step), [])
            table.forget()
        self.assertGreater(rounds, 5)
        self.assertEqual((table.dealing.drawn(0), table.dealing.drawn(1)), (used[0], used[1]))
        self.assertGreater(events, drawn)

    def test_lamps_say_what_may_be_done(self):
        table = Table(double_shoe())
        self.assertEqual(table.dealing.lamps, 0)
        table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1))
        self.assertEqual(table.dealing.lamps, 1 << t.LAMP_READY)
        table.open_round(1)
        self.assertEqual(table.dealing.lamps, 1 << t.LAMP_DEAL_A | 1 << t.LAMP_DEAL_B)
        table.draw(SPADES, head=1)
        self.assertEqual(table.dealing.lamps, 1 << t.LAMP_DEAL_B)
        table.cover(1)
        self.assertEqual(table.dealing.lamps, 1 << t.LAMP_DEAL_B | 1 << t.LAMP_COVER)
        table.send(t.PASS_UNREADABLE, head=1)
        self.assertEqual(table.dealing.lamps, 1 << t.LAMP_STOP)

    def test_faults_of_the_application_stop_the_game_and_go_with_the_supervisor(self):
        table = Table()
        table.start(1)
        table.dealing.apply((t.REC_FAULT, t.FAULT_WATCHDOG, 0, 0))
        table.draw(card(5))
        self.assertEqual(table.kinds(), [t.REC_SEALED, t.REC_IRREGULARITY])
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_RESUME))
        self.assertEqual(table.dealing.faults, [])

    def test_passes_without_a_shoe_leave_one_line_and_no_card(self):
        table = Table()
        table.draw(card(5), card(6), card(7))
        self.assertEqual([event[1] for _, event in table.records], [t.IRR_DRAWN_WHILE_STOPPED])
        table.keys((t.KEY_LOAD, 0))

    def test_what_the_configuration_forbids_opens_no_shoe(self):
        wrong = config()
        wrong.batch_a = 63
        table = Table(wrong)
        self.assertFalse(table.key(t.KEY_LOAD, 0))
        self.assertFalse(table.dealing.shoe_open)

    def test_seats_and_a_burn_owed_are_repeated_in_the_next_history(self):
        table = Table()
        table.start(3)
        table.keys(t.KEY_VOID_ROUND, (t.KEY_RESHUFFLE, 0), t.KEY_NEW_DEALER, (t.KEY_LOAD, 0))
        self.assertEqual(table.kinds()[-4:], [t.REC_SHOE_OPENED, t.REC_LOADED, t.REC_SEATS, t.REC_DEALER_CHANGED])
        table.draw(card(2))
        self.assertEqual(table.phase, t.PHASE_BURNING)
        table.draw(card(3))
        self.assertEqual(table.phase, t.PHASE_READY)


if __name__ == "__main__":
    unittest.main()
