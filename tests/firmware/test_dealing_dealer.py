"""When the dealer draws and when he stands: on every total, hard and soft; 633a.7(l)-(n), .14(d)."""

import unittest

from dealing_table import HEARTS, KING, Table, card, config, ten
from shoe import wire_table as t

# (up card, hole card, total): hard and soft, each on both sides of 17.
_STAND = ((10, 7, 17), (9, 9, 18), (10, 9, 19), (10, 10, 20), (1, 6, 17), (1, 7, 18), (8, 9, 17))
_DRAW = ((10, 6, 16), (2, 2, 4), (9, 7, 16), (1, 5, 16), (1, 1, 12), (8, 8, 16))


def turned(up, hole, player=(10, 8), settings=None):
    """A round in which position 1 stands on `player`, and the dealer has turned his hole card."""
    table = Table(settings)
    table.start()
    table.draw(card(player[0]), card(up), card(player[1], HEARTS), card(hole, HEARTS))
    table.keys(t.KEY_NEXT_HAND, t.KEY_REVEAL)
    return table


class DealerTest(unittest.TestCase):
    def test_633a_7_m_the_dealer_stands_on_17_and_more_hard_and_soft(self):
        for up, hole, total in _STAND:
            table = turned(up, hole)
            self.assertEqual((up, hole, table.phase), (up, hole, t.PHASE_SETTLING))
            self.assertFalse(table.dealing.due()[1])
            table.keys(t.KEY_END_ROUND)
            self.assertEqual(table.step[-1], (t.REC_ROUND_CLOSED, 1, t.ROUND_END_SETTLED, total))
            self.assertEqual(table.found(t.IRR_DEALER_SHORT), [])

    def test_633a_7_m_the_dealer_draws_below_17_hard_and_soft(self):
        for up, hole, total in _DRAW:
            table = turned(up, hole)
            self.assertEqual((up, hole, table.phase), (up, hole, t.PHASE_DEALER))
            table.keys(t.KEY_END_ROUND)
            self.assertEqual([event[-1] for event in table.found(t.IRR_DEALER_SHORT)], [total])

    def test_633a_7_m_a_soft_17_that_a_card_makes_hard_is_drawn_on(self):
        table = turned(1, 5)  # soft 16
        table.draw(ten())  # hard 16
        self.assertEqual(table.phase, t.PHASE_DEALER)
        table.draw(card(1, HEARTS))  # hard 17
        self.assertEqual(table.phase, t.PHASE_SETTLING)

    def test_633a_14_d_a_card_on_a_standing_17_is_discarded_and_one_on_16_is_the_dealer_s(self):
        table = turned(10, 7)
        table.draw(card(2))
        self.assertEqual(len(table.found(t.IRR_DEALER_DREW_ON_17)), 1)
        table = turned(10, 6)
        table.draw(card(2))
        self.assertEqual(table.found(t.IRR_DEALER_DREW_ON_17), [])

    def test_633a_7_m_with_an_unknown_card_the_dealer_may_draw_up_to_21_with_it_as_an_ace(self):
        table = turned(10, 4)
        table.send(t.PASS_UNREADABLE)
        table.keys((t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN))
        table.draw(card(6))  # 21 at least
        self.assertEqual(table.dealing.due(), ((t.ROLE_DEALER_DRAW, t.POSITION_DEALER, 0), False))
        table.draw(card(2))
        self.assertEqual(table.found(t.IRR_DEALER_DREW_ON_17), [])
        self.assertIsNone(table.dealing.due()[0])  # over 21, whatever it is

    def test_633a_7_n_nobody_waits_for_the_dealer_s_total(self):
        table = Table()
        table.start()
        table.draw(card(10), card(9), card(6, HEARTS), card(5, HEARTS))
        table.draw(ten(HEARTS))  # 26
        self.assertEqual(table.phase, t.PHASE_SETTLING)
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(table.codes(), [])

    def test_633c_13_f_a_card_for_an_optional_wager_is_the_dealer_s_though_no_hand_waits(self):
        """The shoe sees no wagers: the round may be over, and a card that still comes is his until he has 17 (T87)."""
        table = Table()
        table.start()
        table.draw(card(10), card(2), card(6, HEARTS), card(5, HEARTS))
        table.draw(ten(HEARTS))  # 26
        table.keys(t.KEY_REVEAL)
        self.assertEqual((table.phase, table.dealing.due()[0]), (t.PHASE_SETTLING, (t.ROLE_DEALER_DRAW, 0, 0)))
        table.draw(card(9), card(6))
        self.assertEqual(len(table.dealing.st.dealer.cards), 4)
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(table.codes(), [])

    def test_635a_7_m_a_doubled_21_of_three_cards_wins_whatever_the_dealer_draws(self):
        """635a.7(n)(4): so he may not draw; a doubled 20 waits for his total, and so does a 21 of Blackjack."""
        spanish = config(game=t.GAME_SPANISH_21, decks=6)
        for settings, third, draws in ((spanish, KING, False), (spanish, 9, True), (config(), KING, True)):
            table = Table(settings)
            table.start()
            table.draw(card(5), card(9), card(6, HEARTS), card(5, HEARTS))
            table.keys(t.KEY_DOUBLE)
            table.draw(card(third, HEARTS))
            table.keys(t.KEY_REVEAL)
            self.assertEqual((third, table.phase), (third, t.PHASE_DEALER if draws else t.PHASE_SETTLING))
            table.keys(t.KEY_END_ROUND)
            self.assertEqual(len(table.found(t.IRR_DEALER_SHORT)), draws)


if __name__ == "__main__":
    unittest.main()
