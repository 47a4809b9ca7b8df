"""Law 3: whether a card is read says nothing of its face. The same hand is taken for all clean faces, or for none."""

import unittest

from card_pulls import DATA, feed_all, frame, move, strip
from shoe.reading import card_code, decode
from shoe.reading.read_head import ReadHead
from shoe.wire_table import PASS_CARD

FACES = range(52)
GOAL = card_code.POKER_UM + card_code.PRESENT_UM + 3000


def clean(card):
    """The changes of a clean card; one card at a time, since the heap is small."""
    return strip(frame(card, 1))


def stop(place, speed, brake_um, stop_us):
    """A hand that slows down, stops at `place` and goes on: (travel, speed) as card_pulls.move has them."""
    moves = [(place - brake_um, speed)]
    for part in (2, 3, 5):
        moves.append((place - brake_um // part, max(20, speed // part)))
    moves += [(place, max(20, speed // 8)), (0, -stop_us)]
    for part in (5, 3, 2):
        moves.append((place + brake_um // part, max(20, speed // part)))
    return moves + [(GOAL, speed)]


def jerk(place, speed, factor):
    """A hand that is so many times as fast, or as slow, for 3 mm."""
    return [(place, speed), (place + 3000, speed * factor[0] // factor[1]), (GOAL, speed)]


def hands(step=9000):
    """All the hands that are tried."""
    for speed in (60, 400, 2500):
        yield [(GOAL, speed)]
        for place in range(4000, 70000, step):
            for stop_us in (20000, 1000000):
                yield stop(place, speed, 3000, stop_us)
            for factor in ((1, 4), (4, 1)):
                yield jerk(place, speed, factor)


def verdicts(moves, faces=FACES, make=clean, cards="poker"):
    """Who is read, and how the others are named: (accepted, all reasons)."""
    read = []
    told = set()
    for card in faces:
        head = ReadHead(0, (1, 2), 15, cards)
        ((kind, name, _, reason, corrected),) = feed_all(head, move(make(card), moves))
        if kind == PASS_CARD:
            read.append(name)
        told.add((kind, reason, corrected))
    return read, told


class TestBlind(unittest.TestCase):
    def test_the_same_hand_is_taken_for_all_faces(self):
        """Or refused for all: one that is slow just behind the last mark, where another card may lie."""
        refused = 0
        for moves in hands(22000):
            read, told = verdicts(moves, FACES[::3])
            self.assertIn(read, (list(FACES[::3]), []), moves)
            self.assertEqual(len(told), 1, moves)
            refused += not read
        self.assertTrue(refused <= 2)

    def test_a_hidden_mark_that_looks_hidden_is_taken_for_all_faces(self):
        """Whatever the data of its two cells are."""
        space = (23000, 24000)  # between marks 8 and 9

        def lost(card):
            return strip(frame(card, 1), lost=(9,))

        def joined(card):
            changes = strip(frame(card, 1), added=(space,))
            return [change for change in changes if changes.count(change) == 1]

        for make in (lost, joined):
            read, told = verdicts([(GOAL, 400)], FACES, make)
            self.assertEqual((read, len(told)), (list(FACES), 1))

    def test_the_card_s_edge_refuses_all_faces_or_none(self):
        for shift in range(-2500, 3000, 500):

            def shifted(card, by=shift):
                return sorted((at + by if line != 1 else at, line) for at, line in clean(card))

            read, told = verdicts([(GOAL, 400)], FACES[::5], shifted)
            self.assertIn(len(read), (0, len(FACES[::5])))
            self.assertEqual(len(told), 1)

    def test_data_that_move_near_the_centre_of_a_cell_refuse_no_whole_word(self):
        """DATA flickers twice where both clock lines are dark: what was sampled is right, and so is the card."""
        for card in FACES[::4]:
            edges = []
            number = 0
            for ticks, lines in move(clean(card), [(GOAL, 400)]):
                edges.append((ticks, lines))
                if lines & 6 == 6:
                    number += 1
                    if number % 5 == 0:
                        edges += [(ticks + 20, lines ^ DATA), (ticks + 40, lines)]
            found = feed_all(ReadHead(0, (1, 2)), edges)
            self.assertEqual([(kind, name) for kind, name, _, _, _ in found], [(PASS_CARD, card)])

    def test_a_list_of_one_word_is_noticed(self):
        """The test can fail: a decoder that looks at times for one word alone."""
        right = decode.named

        def planted(cells):
            refused = right(cells) == 12 << 6 | 1 and decode.uneven_cells(decode.WIDTHS, 26)
            return -1 if refused else right(cells)

        decode.named = planted
        try:
            found = [len(verdicts(moves, (11, 12, 13))[1]) for moves in hands(30000)]
        finally:
            decode.named = right
        self.assertEqual(set(found), {1, 2})


if __name__ == "__main__":
    unittest.main()
