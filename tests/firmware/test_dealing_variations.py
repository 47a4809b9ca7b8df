"""633a.12: Blackjack Switch, two hands a position, and Blackjack from the hand, players' cards face down."""

import unittest

from dealing_table import ACE, CLUBS, DIAMONDS, HEARTS, JACK, KING, QUEEN, Table, card, config
from shoe import wire_table as t
from shoe.config import OPTION_READER


class SwitchTest(unittest.TestCase):
    def table(self, *cards, **settings):
        table = Table(config(game=t.GAME_SWITCH, **settings))
        table.start(5)
        table.draw(*cards)
        return table

    def dealt(self, one=(10, 6), two=(5, ACE), other=((9, 8), (10, 7)), up=6, hole=KING, **settings):
        """Positions 1 and 3: two hands of two cards each."""
        first = (card(one[0]), card(two[0], HEARTS), card(other[0][0]), card(other[1][0], HEARTS))
        second = (card(one[1]), card(two[1], HEARTS), card(other[0][1]), card(other[1][1], HEARTS))
        return self.table(*(first + (card(up, CLUBS),) + second + (card(hole, CLUBS),)), **settings)

    def hand(self, table, box, number):
        return table.dealing.st.hand(box, number)

    def test_633a_12_a_3_a_card_to_each_hand_of_each_position_in_turn_and_then_the_dealer(self):
        table = self.dealt()
        places = [(event[1], event[2], event[3]) for event in table.of_kind(t.REC_CARD)]
        hands = [(t.ROLE_OPENING, 1, 0), (t.ROLE_OPENING, 1, 1), (t.ROLE_OPENING, 3, 0), (t.ROLE_OPENING, 3, 1)]
        self.assertEqual(places, hands + [(t.ROLE_DEALER_UP, 0, 0)] + hands)
        self.assertEqual(table.of_kind(t.REC_SEALED)[-1][1], t.ROLE_HOLE)
        self.assertEqual(table.phase, t.PHASE_PLAYERS)

    def test_633a_12_a_4_the_second_cards_of_the_position_in_turn_change_places_once(self):
        table = self.dealt()
        self.assertTrue(table.key(t.KEY_SWITCH))
        self.assertEqual(table.step[0], (t.REC_SWITCHED, 1))
        self.assertEqual(self.hand(table, 1, 0).cards, [card(10), card(ACE, HEARTS)])
        self.assertEqual(self.hand(table, 1, 1).cards, [card(5, HEARTS), card(6)])
        self.assertFalse(table.key(t.KEY_SWITCH, 1))

    def test_633a_12_a_5_iii_a_blackjack_that_was_switched_to_is_a_plain_21(self):
        table = self.dealt()
        table.keys(t.KEY_SWITCH)
        self.assertIn((t.REC_HAND_ENDED, 1, 0, t.HAND_END_TWENTY_ONE), table.step)

    def test_633a_12_a_4_a_blackjack_may_be_switched_away_even_when_both_hands_have_one(self):
        table = self.dealt(one=(KING, ACE), two=(ACE, QUEEN))
        self.assertEqual([hand.ended for hand in table.dealing.st.hands[:2]], [t.HAND_END_BLACKJACK] * 2)
        self.assertEqual(table.dealing.turn().box, 3)
        self.assertTrue(table.key(t.KEY_SWITCH, 1))
        self.assertEqual(table.dealing.turn().box, 1)
        self.assertEqual([hand.total() for hand in table.dealing.st.hands[:2]], [20, 12])

    def test_633a_12_a_4_no_switch_out_of_turn_or_after_a_decision(self):
        for before in (((t.KEY_NEXT_HAND, 0),), ((t.KEY_DOUBLE, 0),)):
            table = self.dealt()
            self.assertFalse(table.key(t.KEY_SWITCH, 3))
            table.keys(*before)
            self.assertFalse(table.key(t.KEY_SWITCH, 1))
        table = self.dealt()
        table.draw(card(2))
        self.assertFalse(table.key(t.KEY_SWITCH, 1))
        table.keys(t.KEY_NEXT_HAND)
        self.assertFalse(table.key(t.KEY_SWITCH))
        table.keys(t.KEY_NEXT_HAND, (t.KEY_SWITCH, 3))
        self.assertEqual(self.hand(table, 3, 0).cards, [card(9), card(7, HEARTS)])

    def test_633a_12_a_4_each_hand_draws_doubles_and_splits_and_none_surrenders(self):
        table = self.dealt(one=(8, 9), two=(3, 8), max_splits=1)
        self.assertFalse(table.key(t.KEY_SURRENDER))
        self.assertFalse(table.key(t.KEY_SPLIT))
        table.keys(t.KEY_SWITCH, t.KEY_SPLIT)
        self.assertEqual(table.step[0], (t.REC_SPLIT, 1, 0, 2))
        self.assertEqual([(hand.box, hand.number) for hand in table.dealing.st.hands[:3]], [(1, 0), (1, 2), (1, 1)])
        table.draw(card(8, CLUBS))
        self.assertFalse(table.key(t.KEY_SPLIT), "one split of each dealt hand")
        table.keys(t.KEY_NEXT_HAND)
        table.draw(card(2, CLUBS))
        table.keys(t.KEY_NEXT_HAND, t.KEY_DOUBLE)
        self.assertEqual(table.step[0], (t.REC_DOUBLED, 1, 1))
        table.draw(card(5))
        self.assertEqual(table.dealing.turn().box, 3)

    def test_633a_11_c_the_second_hand_has_its_own_splits(self):
        table = self.dealt(one=(8, 8), two=(9, 9), max_splits=1)
        table.keys(t.KEY_SPLIT)
        table.draw(card(2, CLUBS))
        table.keys(t.KEY_NEXT_HAND)
        table.draw(card(3, CLUBS))
        table.keys(t.KEY_NEXT_HAND)
        self.assertTrue(table.key(t.KEY_SPLIT))
        self.assertEqual(table.step[0], (t.REC_SPLIT, 1, 1, 3))

    def test_633a_12_a_5_i_a_blackjack_waits_for_the_dealers_total(self):
        table = self.dealt(one=(KING, ACE), two=(ACE, QUEEN), other=((ACE, KING), (KING, ACE)), up=6, hole=5)
        self.assertEqual(table.phase, t.PHASE_DEALER)
        table.keys(t.KEY_REVEAL)
        self.assertEqual(table.phase, t.PHASE_DEALER)
        table.draw(card(KING, HEARTS))
        self.assertEqual(table.phase, t.PHASE_SETTLING)

    def test_633a_14_g_one_hand_of_the_two_is_skipped(self):
        table = self.table(card(10))
        table.keys((t.KEY_NO_CARD, 1 + 64))
        table.draw(card(9), card(8), card(6))
        self.assertEqual(self.hand(table, 1, 1).ended, t.HAND_END_DEAD)
        table.draw(card(7), card(5), card(4), card(KING))
        self.assertEqual([len(hand.cards) for hand in table.dealing.st.hands], [2, 0, 2, 2])
        self.assertFalse(table.key(t.KEY_SWITCH), "there is one hand to exchange with")

    def test_633a_14_g_a_skipped_second_card_said_late_moves_the_others_up(self):
        table = self.table(*[card(rank) for rank in (10, 9, 8, 7)], card(6), card(5), card(4))
        table.keys((t.KEY_NO_CARD, 1 + 32))
        st = table.dealing.st
        self.assertEqual([hand.cards[1:] for hand in st.hands], [[], [card(5)], [card(4)], []])
        table.draw(card(3), card(2))
        self.assertEqual(st.hands[0].cards, [card(10), card(2)])

    def test_590_and_others_know_no_switch(self):
        table = Table()
        table.start(1)
        table.draw(card(5), card(6), card(7), card(8))
        self.assertFalse(table.key(t.KEY_SWITCH))
        self.assertFalse(table.key(t.KEY_TURN_UP))

    def test_633a_7_h_result_no_switch_after_the_dealers_blackjack(self):
        table = self.dealt(one=(KING, ACE), two=(ACE, QUEEN), up=KING, hole=ACE, options=OPTION_READER)
        table.peek(card(ACE, CLUBS))
        self.assertIn(t.REC_PEEK, table.kinds())
        self.assertFalse(table.key(t.KEY_SWITCH, 1))


class FromTheHandTest(unittest.TestCase):
    def dealt(self, one=(10, 6), two=(9, 8), up=6, hole=KING, **settings):
        """Positions 1 and 2, two cards each."""
        table = Table(config(game=t.GAME_FROM_THE_HAND, decks=2, **settings))
        table.start(3)
        table.draw(card(one[0]), card(two[0], HEARTS), card(up, CLUBS), card(one[1]), card(two[1], HEARTS))
        table.draw(card(hole, CLUBS))
        return table

    def test_633a_12_b_5_one_card_is_burned_before_every_round(self):
        table = self.dealt()
        table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND, t.KEY_REVEAL)
        table.draw(card(5))
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(table.phase, t.PHASE_BURNING)
        table.keys(t.KEY_NEW_DEALER)
        table.draw(card(2))
        self.assertEqual(table.phase, t.PHASE_READY)
        self.assertEqual([event[1] for event in table.step if event[0] == t.REC_SEALED], [t.ROLE_BURN])
        table.keys(t.KEY_DEAL, t.KEY_VOID_ROUND, t.KEY_DEAL)
        self.assertIn(t.IRR_BURN_MISSING, table.codes(table.step))

    def test_633a_12_b_5_players_cards_are_sealed_and_only_the_up_card_is_seen(self):
        table = self.dealt()
        self.assertEqual(table.where(), [(t.ROLE_DEALER_UP, 0, 0, card(6, CLUBS))])
        roles = [event[1] for event in table.of_kind(t.REC_SEALED)]
        self.assertEqual(roles, [t.ROLE_BURN] + [t.ROLE_OPENING] * 4 + [t.ROLE_HOLE])
        self.assertEqual(table.dealing.st.hands[0].cards, [63, 63])

    def test_633a_12_b_6_i_a_double_a_split_or_a_surrender_turns_the_two_cards_first(self):
        for key, done in (
            (t.KEY_DOUBLE, t.REC_DOUBLED),
            (t.KEY_SPLIT, t.REC_SPLIT),
            (t.KEY_SURRENDER, t.REC_HAND_ENDED),
        ):
            table = self.dealt(one=(8, 8))
            self.assertTrue(table.key(key))
            self.assertEqual(table.kinds()[:3], [t.REC_OPENED, t.REC_OPENED, done])

    def test_633a_11_a_a_split_of_unlike_cards_is_refused_after_they_were_turned(self):
        table = self.dealt()
        self.assertFalse(table.key(t.KEY_SPLIT))
        self.assertEqual(table.kinds(), [t.REC_OPENED, t.REC_OPENED, t.REC_IRREGULARITY])
        self.assertEqual(table.dealing.turn().box, 1)

    def test_633a_10_a_a_blackjack_that_is_turned_for_a_double_is_a_blackjack(self):
        for key in (t.KEY_DOUBLE, t.KEY_SURRENDER):
            table = self.dealt(one=(ACE, KING))
            self.assertFalse(table.key(key))
            self.assertIn((t.REC_HAND_ENDED, 1, 0, t.HAND_END_BLACKJACK), table.step)
            self.assertNotIn(t.REC_DOUBLED, table.kinds())

    def test_633a_12_b_7_extra_cards_lie_face_up(self):
        table = self.dealt(one=(2, 3))
        table.draw(card(4))
        self.assertEqual(table.where()[-1], (t.ROLE_DRAW, 1, 0, card(4)))
        table = self.dealt(one=(5, 6))
        table.keys(t.KEY_DOUBLE)
        table.draw(card(4, DIAMONDS))
        self.assertEqual(table.where()[-1], (t.ROLE_DOUBLE_DRAW, 1, 0, card(4, DIAMONDS)))

    def test_633a_12_b_6_ii_a_hand_over_21_ends_when_its_cards_are_shown(self):
        table = self.dealt()
        table.draw(card(KING))
        self.assertEqual(table.dealing.turn().box, 1)
        table.keys(t.KEY_TURN_UP)
        self.assertEqual(table.kinds(), [t.REC_OPENED, t.REC_OPENED, t.REC_HAND_ENDED])
        self.assertEqual(table.step[-1], (t.REC_HAND_ENDED, 1, 0, t.HAND_END_BUST))
        self.assertFalse(table.key(t.KEY_TURN_UP, 1), "the hole card lies face down")

    def test_a_hand_ends_by_the_cards_that_all_can_see(self):
        table = self.dealt()
        table.draw(card(KING), card(JACK))
        self.assertIn((t.REC_HAND_ENDED, 1, 0, t.HAND_END_BUST), table.step)

    def test_633a_12_b_9_all_cards_are_turned_at_the_end_or_a_position_after_the_dealer(self):
        table = self.dealt(hole=2)
        table.keys(t.KEY_NEXT_HAND, t.KEY_NEXT_HAND)
        self.assertEqual(table.phase, t.PHASE_DEALER)
        self.assertFalse(table.key(t.KEY_TURN_UP, 2))
        table.keys(t.KEY_REVEAL)
        self.assertFalse(table.key(t.KEY_TURN_UP, 2), "the dealer draws first")
        table.draw(card(KING))
        table.keys((t.KEY_TURN_UP, 2))
        self.assertEqual([event[2:5] for event in table.step], [(t.ROLE_OPENING, 2, 0)] * 2)
        table.keys(t.KEY_END_ROUND)
        self.assertEqual(len(table.of_kind(t.REC_OPENED)), 5)
        self.assertEqual(table.dealing.st.sealed.many, 1, "the burn card")

    def test_633a_14_g_the_late_second_card_is_face_down_and_a_missed_card_face_up(self):
        table = Table(config(game=t.GAME_FROM_THE_HAND, decks=1))
        table.start(3)
        table.draw(card(2), card(3), card(4))
        table.keys((t.KEY_NO_CARD, 1))
        table.draw(card(5), card(6), card(7))
        self.assertEqual(table.of_kind(t.REC_SEALED)[-2][1:3], (t.ROLE_LATE, 1))
        table.keys(t.KEY_NEXT_HAND, (t.KEY_MISSED, 1), t.KEY_NEXT_HAND)
        table.draw(card(8), card(9))
        self.assertEqual([place[:2] for place in table.where()[-2:]], [(t.ROLE_LATE, 1), (t.ROLE_DRAW, 1)])
        self.assertEqual(table.phase, t.PHASE_PLAYERS, "what its cards count, nobody knows: it stands by the key")

    def test_633a_7_h_the_reader_is_used_as_from_a_shoe(self):
        table = self.dealt(up=KING, hole=ACE, options=OPTION_READER)
        table.peek(card(ACE, CLUBS))
        ended = [event for event in table.step if event[0] == t.REC_HAND_ENDED]
        self.assertEqual([event[3] for event in ended], [t.HAND_END_DEALER_BLACKJACK] * 2)
        table.keys(t.KEY_REVEAL, t.KEY_END_ROUND)
        self.assertEqual(len(table.of_kind(t.REC_OPENED)), 5)


if __name__ == "__main__":
    unittest.main()
