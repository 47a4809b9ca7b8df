"""Two 7s after the dealer's Blackjack: the card that a player is dealt for a wager of his, 633c.9(d)(4)."""

import unittest

from dealing_table import ACE, CLUBS, HEARTS, KING, SPADES, Table, card, config, folded, snapshot
from shoe import wire_table as t
from shoe.config import OPTION_EXTRA_CARD, OPTION_READER

SEVEN, NINE, FOUR = card(7, HEARTS), card(9, SPADES), card(4, CLUBS)
BOTH = OPTION_READER | OPTION_EXTRA_CARD


def blackjack(*hands, **settings):
    """Positions 1 and on hold these two cards, and the reader says that the dealer has Blackjack."""
    settings["options"] = settings.get("options", BOTH)
    table = Table(config(**settings))
    table.keys((t.KEY_READER_TEST, t.INSPECTION_BEGIN))
    for each in (53, 54, 55, 56):
        table.send(t.PASS_TEST_CARD, each, t.HEAD_READER)
    table.start((1 << len(hands)) - 1)
    table.draw(*[hand[0] for hand in hands])
    table.draw(KING + 13)
    table.draw(*[hand[1] for hand in hands])
    table.draw(ACE)
    table.peek(ACE)
    return table


def ended(table):
    """(position, how) of each hand that ended, in order."""
    return [(event[1], event[3]) for event in table.of_kind(t.REC_HAND_ENDED)]


class ExtraCardTest(unittest.TestCase):
    def test_each_two_sevens_may_get_one_card_from_the_dealers_left(self):
        """633c.9(d)(4): the other hands end at once; nothing is left to report."""
        table = blackjack((SEVEN, SEVEN + 13), (NINE, FOUR), (SEVEN, SEVEN))
        self.assertEqual(ended(table), [(2, t.HAND_END_DEALER_BLACKJACK)])
        self.assertEqual(table.phase, t.PHASE_PLAYERS)
        self.assertFalse(table.key(t.KEY_REVEAL))
        for box, face in ((1, KING), (3, SEVEN)):
            table.draw(face)
            self.assertEqual(table.step[0][:6], (t.REC_CARD, t.ROLE_DRAW, box, 0, 0, face))
            self.assertEqual(table.step[1:], [(t.REC_HAND_ENDED, box, 0, t.HAND_END_DEALER_BLACKJACK)])
        table.keys(t.KEY_REVEAL, t.KEY_END_ROUND)
        told = [event[1] for event in table.of_kind(t.REC_IRREGULARITY)]
        self.assertEqual(told, [t.IRR_WRONG_KEY])
        self.assertEqual(snapshot(folded(table.config, table.records)), snapshot(table.dealing))

    def test_the_dealer_passes_a_player_without_the_wager(self):
        table = blackjack((SEVEN, SEVEN), (SEVEN, SEVEN + 13))
        table.keys(t.KEY_NEXT_HAND)
        table.draw(NINE)
        self.assertEqual(ended(table), [(1, t.HAND_END_DEALER_BLACKJACK), (2, t.HAND_END_DEALER_BLACKJACK)])
        self.assertEqual([event[2] for event in table.of_kind(t.REC_CARD) if event[1] == t.ROLE_DRAW], [2])

    def test_nobody_decides_anything_more(self):
        """633a.7(h) result."""
        table = blackjack((SEVEN, SEVEN + 13))
        for key in (t.KEY_DOUBLE, t.KEY_SPLIT, t.KEY_SURRENDER, (t.KEY_MISSED, 1), t.KEY_END_ROUND):
            self.assertFalse(table.key(*key) if isinstance(key, tuple) else table.key(key))
        self.assertEqual(ended(table), [])

    def test_without_the_option_or_without_two_sevens_no_card_is_due(self):
        for hand, options in (((SEVEN, SEVEN), OPTION_READER), ((SEVEN, NINE), BOTH), ((KING, FOUR), BOTH)):
            table = blackjack(hand, options=options)
            self.assertEqual(ended(table), [(1, t.HAND_END_DEALER_BLACKJACK)])
            self.assertEqual(table.phase, t.PHASE_DEALER)

    def test_it_is_an_option_of_blackjack_with_a_reader(self):
        for fine, settings in (
            (True, {"options": BOTH}),
            (False, {"options": OPTION_EXTRA_CARD}),
            (False, {"options": BOTH, "game": t.GAME_SPANISH_21}),
            (False, {"options": BOTH, "game": t.GAME_FREE_BET, "positions": 6}),
        ):
            tried = config()
            for name in settings:
                setattr(tried, name, settings[name])
            self.assertEqual(tried.validate() == 0, fine, settings)

    def test_after_blackjack_a_position_still_turns_its_cards(self):
        """From the hand, 633a.12(b)(9)."""
        table = Table(config(game=t.GAME_FROM_THE_HAND, decks=2, options=OPTION_READER))
        table.keys((t.KEY_READER_TEST, t.INSPECTION_BEGIN))
        for each in (53, 54, 55, 56):
            table.send(t.PASS_TEST_CARD, each, t.HEAD_READER)
        table.start(1)
        table.draw(SEVEN, KING, NINE, ACE)
        table.peek(ACE)
        table.keys(t.KEY_REVEAL, (t.KEY_TURN_UP, 1))
        self.assertEqual(ended(table), [(1, t.HAND_END_DEALER_BLACKJACK)])


if __name__ == "__main__":
    unittest.main()
