"""Composition of each game, cards that come out too often, counts and the order of a test deal."""

import unittest

from shoe import wire_table as t
from shoe.dealing.inventory import UNKNOWN, Side, copies, deck_size, is_ten, new_deck_card


def side(game=t.GAME_BLACKJACK, decks=2):
    out = Side()
    out.load(game, decks, 1)
    return out


class InventoryTest(unittest.TestCase):
    def test_the_composition_of_each_game(self):
        self.assertEqual(deck_size(t.GAME_BLACKJACK), 52)
        self.assertEqual(deck_size(t.GAME_FREE_BET), 52)
        self.assertEqual(deck_size(t.GAME_SPANISH_21), 48)
        for decks in range(1, 9):
            for game in (t.GAME_BLACKJACK, t.GAME_FREE_BET, t.GAME_SPANISH_21):
                total = 0
                for card in range(52):
                    total += copies(game, decks, card)
                self.assertEqual(total, decks * deck_size(game))
        self.assertEqual([c for c in range(52) if not copies(t.GAME_SPANISH_21, 6, c)], [9, 22, 35, 48])
        self.assertEqual([c for c in range(64) if is_ten(c)], [9, 22, 35, 48])

    def test_the_new_deck_order_has_every_card_once_in_each_deck(self):
        for game in (t.GAME_BLACKJACK, t.GAME_SPANISH_21):
            size = deck_size(game)
            seen = [new_deck_card(i, game) for i in range(size)]
            self.assertEqual(len(set(seen)), size)
            self.assertEqual(seen, [new_deck_card(size + i, game) for i in range(size)])
            for card in seen:
                self.assertEqual(copies(game, 1, card), 1)
        self.assertEqual([new_deck_card(i, 0) for i in (0, 12, 13, 26, 38, 39, 51)], [39, 51, 13, 12, 0, 38, 26])

    def test_a_copy_too_many_is_named_at_once(self):
        s = side(decks=2)
        for _ in range(2):
            s.took(7)
            self.assertEqual(s.over, -1)
        s.took(7)
        self.assertEqual(s.over, 7)

    def test_a_card_that_comes_for_ever_is_counted_as_far_as_it_goes(self):
        s = side(decks=8)
        for _ in range(300):
            s.took(7)
        self.assertEqual((s.over, s.dealt[7], s.passed), (7, 255, 300))

    def test_a_card_more_than_the_batch_holds_is_named_without_a_face(self):
        s = side(decks=1)
        for card in range(51):
            s.took(card)
        s.took(UNKNOWN)
        self.assertEqual(s.over, -1)
        self.assertEqual(s.left(), 0)
        s.took(UNKNOWN)
        self.assertEqual(s.over, UNKNOWN)

    def test_a_face_down_card_counts_by_its_face_only_when_opened(self):
        s = side(decks=1)
        s.took(7)
        s.took(UNKNOWN)
        self.assertEqual((s.over, s.passed, s.dealt[7]), (-1, 2, 1))
        s.opened(7)
        self.assertEqual((s.over, s.passed, s.unknown), (7, 2, 0))

    def test_a_complete_batch_counts_complete(self):
        for game in (t.GAME_BLACKJACK, t.GAME_SPANISH_21):
            s = side(game, 6)
            for i in range(s.cards):
                s.took(new_deck_card(i, game))
            self.assertEqual(s.verdict(0, 0), (t.COUNT_VERDICT_COMPLETE, s.cards, s.cards, UNKNOWN))

    def test_the_remainder_after_the_cover_card_is_counted_against_what_was_dealt(self):
        s = side(decks=1)
        for card in range(30):
            s.took(card)
        for card in range(30, 52):
            s.took(card)
        self.assertEqual(s.verdict(30, 0), (t.COUNT_VERDICT_COMPLETE, 22, 22, UNKNOWN))

    def test_a_missing_card_is_named_when_no_face_is_unknown(self):
        s = side(decks=1)
        for card in range(52):
            if card != 20:
                s.took(card)
        self.assertEqual(s.verdict(0, 0), (t.COUNT_VERDICT_SHORT, 52, 51, 20))

    def test_a_missing_card_is_not_named_while_another_lies_face_down(self):
        s = side(decks=1)
        s.took(UNKNOWN)
        for card in range(1, 52):
            if card != 20:
                s.took(card)
        self.assertEqual(s.verdict(1, 0), (t.COUNT_VERDICT_SHORT, 51, 50, UNKNOWN))

    def test_an_extra_card_counts_over_and_a_swapped_one_wrong(self):
        s = side(decks=1)
        for card in range(52):
            s.took(card)
        s.took(3)
        self.assertEqual(s.verdict(0, 0), (t.COUNT_VERDICT_OVER, 52, 53, 3))
        s = side(decks=1)
        for card in range(51):
            s.took(card)
        s.took(3)
        self.assertEqual(s.verdict(0, 0), (t.COUNT_VERDICT_WRONG, 52, 52, 3))

    def test_a_ten_of_spanish_21_is_no_card_of_the_batch(self):
        s = side(t.GAME_SPANISH_21, 6)
        s.took(9)
        self.assertEqual((s.passed, s.tens, s.over), (0, 1, -1))
        s.took(UNKNOWN)
        s.opened(22)
        self.assertEqual((s.passed, s.tens, s.unknown), (0, 2, 0))

    def test_a_card_taken_out_of_play_counts_as_never_there(self):
        s = side(decks=1)
        s.took(5)
        s.took(5)
        s.removed(5)
        self.assertEqual((s.passed, s.dealt[5]), (1, 1))

    def test_of_two_unknown_cards_one_taken_out_of_play_leaves_the_other(self):
        """It may be the missing one: no missing card is named."""
        s = side(decks=1)
        for card in range(51):
            s.took(card)
        s.took(UNKNOWN)
        s.took(UNKNOWN)
        s.removed(UNKNOWN)
        self.assertEqual((s.passed, s.unknown), (52, 1))
        self.assertEqual(s.verdict(0, 0), (t.COUNT_VERDICT_COMPLETE, 52, 52, UNKNOWN))

    def test_what_a_side_dealt_survives_packing(self):
        s = side(decks=8)
        for card in range(52):
            for _ in range(card % 9):
                s.took(card)
        s.took(UNKNOWN)
        other = side(decks=8)
        other.unpack(s.unknown, s.pack())
        self.assertEqual(len(s.pack()), 26)
        self.assertEqual((other.dealt, other.passed, other.unknown), (s.dealt, s.passed, s.unknown))


if __name__ == "__main__":
    unittest.main()
