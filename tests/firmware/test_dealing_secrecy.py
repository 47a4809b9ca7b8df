"""The face of a card that lies face down changes no event, no lamp and no phase until it is opened."""

import unittest

from dealing_chaos import Chaos, press, settings
from dealing_table import CLUBS, HEARTS, Pass, Random, Table, card, config, double_shoe
from shoe import wire_table as t
from shoe.config import OPTION_HANDS_LAST, OPTION_SWITCH_HANDS


def masked(events):
    """Events with the face of sealed cards left out."""
    return [event[:5] + event[6:] if event[0] == t.REC_SEALED else event for event in events]


def view(table):
    """What the table shows to anyone."""
    d = table.dealing
    return d.phase, d.lamps, d.faults, d.drawn(0), d.drawn(1), d.round


class SecrecyTest(unittest.TestCase):
    def compare(self, make, play, finish):
        """`make(face)` a table with the sealed card of that face dealt; `play(table)` goes on; `finish` opens it."""
        first = None
        for face in range(52):
            table = Table(make())
            trail = []
            for step in play(face):
                step(table)
                trail.append((masked(table.step), view(table)))
            self.assertNotIn(t.REC_OPENED, [e[0] for _, e in table.records])
            if first is None:
                first = trail
            self.assertEqual(first, trail, "face %d" % face)
            finish(table)
            opened = table.of_kind(t.REC_OPENED)
            self.assertIn(face, [event[5] for event in opened])

    def test_the_hole_card(self):
        def play(face):
            return (
                lambda table: table.start(3),
                lambda table: table.draw(card(10), card(9), 0 + 13, card(7), card(8)),  # ace of diamonds up
                lambda table: table.draw(face),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.draw(card(2)),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.key(t.KEY_END_ROUND + 90),
            )

        self.compare(config, play, lambda table: table.keys(t.KEY_REVEAL))

    def test_the_hole_card_of_a_hybrid_table_whatever_is_chosen_and_comes_after_it(self):
        def play(face):
            return (
                lambda table: table.keys((t.KEY_LOAD, 0), (t.KEY_SELECT, 17), (t.KEY_SELECT, 34), (t.KEY_SELECT, 35)),
                lambda table: table.open_round(7),
                lambda table: table.draw(card(10), card(8), 0 + 13, card(2), card(8, HEARTS)),  # ace of diamonds up
                lambda table: table.draw(face),
                lambda table: table.key(t.KEY_REVEAL),
                lambda table: table.key(t.KEY_INSURANCE, 1),
                lambda table: table.key(t.KEY_HIT, 1),
                lambda table: table.key(t.KEY_SPLIT, 2),
                lambda table: table.key(t.KEY_COUNTDOWN),
                lambda table: table.draw(card(3)),
                lambda table: table.keys((t.KEY_HIT, 1), (t.KEY_DOUBLE, 2), (t.KEY_HIT, 18)),
                lambda table: table.send(t.PASS_UNREADABLE, 63, reason=t.UNREADABLE_CODE),
                lambda table: table.key(t.KEY_SUPERVISOR, t.CLEAR_CARD_UNKNOWN),
                lambda table: table.key(t.KEY_COUNTDOWN),
            )

        def opened(table):
            self.assertEqual(table.phase, t.PHASE_DEALER)
            table.keys(t.KEY_REVEAL)

        self.compare(lambda: config(game=t.GAME_HYBRID, decks=6), play, opened)

    def test_the_hole_card_in_spanish_21_even_a_ten(self):
        def make():
            return config(game=t.GAME_SPANISH_21)

        def play(face):
            return (
                lambda table: table.start(1),
                lambda table: table.draw(8, 7, 6, face),
                lambda table: table.key(t.KEY_NEXT_HAND),
            )

        self.compare(make, play, lambda table: table.keys(t.KEY_REVEAL))

    def test_the_burn_card_even_the_copy_too_many(self):
        def play(face):
            return (
                lambda table: table.keys((t.KEY_LOAD, 0)),
                lambda table: table.draw(face),
                lambda table: table.draw(5),  # drawn in error, face down: the same card when face is 5
                lambda table: table.key(t.KEY_SEATS, 1),
            )

        self.compare(lambda: config(decks=1), play, lambda table: table.keys(t.KEY_CLOSE_SHOE))

    def test_a_double_that_lies_face_down(self):
        def play(face):
            return (
                lambda table: table.start(3),
                lambda table: table.draw(card(6), card(9), card(8), card(5), card(8), card(9)),
                lambda table: table.keys(t.KEY_DOUBLE),
                lambda table: table.draw(face),
                lambda table: table.keys(t.KEY_NEXT_HAND),
            )

        self.compare(lambda: config(options=1), play, _finish_round)

    def test_a_determinant_that_was_drawn_in_error_stays_secret_until_the_round(self):
        def play(face):
            return (
                lambda table: table.keys((t.KEY_LOAD, 0), (t.KEY_LOAD, 1)),
                lambda table: table.draw(face),
                lambda table: table.keys((t.KEY_SEATS, 5)),
            )

        self.compare(double_shoe, play, lambda table: table.keys(t.KEY_DEAL))

    def test_a_players_card_from_the_hand_whatever_is_decided(self):
        def make():
            return config(game=t.GAME_FROM_THE_HAND, decks=1)

        def play(
            face,
        ):  # 633a.12(b)(5): with ace and king 21, with a pair 20, drawn on over 21; or the burn card's copy
            return (
                lambda table: table.start(3, card(5)),
                lambda table: table.draw(card(10), card(9), 0 + 13),  # ace of diamonds up
                lambda table: table.draw(face),
                lambda table: table.draw(card(8), card(7)),
                lambda table: table.key(t.KEY_INSURANCE, 1),
                lambda table: table.key(t.KEY_MISSED, 1),
                lambda table: table.draw(card(4)),
                lambda table: table.draw(card(6)),
                lambda table: table.key(t.KEY_HOLD, 1),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.key(t.KEY_MISSED, 1),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.key(t.KEY_TURN_UP, 1),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.send(t.PASS_UNREADABLE, 63, reason=t.UNREADABLE_CODE),
            )

        self.compare(make, play, _finish_stopped)

    def kept(self, order, at):
        """Compare the faces of switch hands card `at` in a round in which both positions keep their face-up cards."""

        def play(face):
            aside = [card(9), 0 + 13, card(9, HEARTS), card(4)]
            aside[at] = face
            hands = [card(10), card(9), 0 + 13, card(7), card(8), card(2)]  # ace of diamonds up
            return (
                lambda table: table.start(3, card(5)),  # the switch hands card may be a copy too many of it
                lambda table: table.draw(*(hands + aside if order else aside + hands)),
                lambda table: table.key(t.KEY_SWITCH, 1),
                lambda table: table.key(t.KEY_NO_CARD, 1 + 64),
                lambda table: table.draw(card(3)),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.key(t.KEY_INSURANCE, 1),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.key(t.KEY_INSURANCE, 1),
                lambda table: table.key(t.KEY_NEXT_HAND),
                lambda table: table.key(t.KEY_NEXT_HAND),
            )

        options = OPTION_SWITCH_HANDS | order
        self.compare(lambda: config(options=options, decks=1), play, _finish_day)

    def test_a_switch_hands_card_that_is_kept_until_the_shoe_is_closed(self):
        for at in range(4):
            for order in (0, OPTION_HANDS_LAST):
                self.kept(order, at)

    def test_a_switch_hands_card_until_it_is_played(self):
        def play(face):
            return (
                lambda table: table.start(3, card(5)),
                lambda table: table.draw(card(9), 0 + 13, card(9, HEARTS)),
                lambda table: table.draw(face),
                lambda table: table.draw(card(10), card(9), 0 + 13, card(7), card(8), card(2)),
                lambda table: table.send(t.PASS_UNREADABLE, 63, reason=t.UNREADABLE_CODE),
                lambda table: table.key(t.KEY_SUPERVISOR, t.CLEAR_REREAD),
            )

        self.compare(lambda: config(options=OPTION_SWITCH_HANDS, decks=1), play, lambda table: table.keys(t.KEY_SWITCH))

    def test_a_card_drawn_while_the_game_is_stopped(self):
        def play(face):
            return (
                lambda table: table.start(1),
                lambda table: table.draw(card(6)),
                lambda table: table.send(t.PASS_UNREADABLE, 63, reason=t.UNREADABLE_CODE),
                lambda table: table.draw(face),
                lambda table: table.keys((t.KEY_SUPERVISOR, t.CLEAR_REREAD)),
                lambda table: table.draw(card(6, HEARTS), card(7), card(8, CLUBS)),
                lambda table: table.keys(t.KEY_NEXT_HAND),
            )

        def finish(table):
            table.keys(t.KEY_REVEAL, t.KEY_VOID_ROUND, t.KEY_CLOSE_SHOE)

        self.compare(config, play, finish)

    def test_why_a_face_down_card_is_unreadable_does_not_depend_on_the_card(self):
        reasons = (t.UNREADABLE_CODE, t.UNREADABLE_UNASSIGNED, t.UNREADABLE_AMBIGUOUS)
        for down in (False, True):
            told = set()
            for reason in reasons:
                table = Table()
                table.start(1)
                table.draw(card(10), card(9))
                if down:
                    table.draw(card(7))
                table.send(t.PASS_UNREADABLE, 63, reason=reason)
                told.add(table.of_kind(t.REC_FAULT)[-1][3])
            self.assertEqual(told, {t.UNREADABLE_CODE} if down else set(reasons))

    def test_no_key_but_those_that_turn_it_opens_the_hole_card(self):
        turning = (t.KEY_REVEAL, t.KEY_END_ROUND, t.KEY_VOID_ROUND)
        for key in range(32):
            for argument in (0, 1, 2, 3, 17, 33, 49, 255):
                table = Table()
                table.start(3)
                table.draw(card(10), card(9), card(6), card(7), card(8), card(5))
                table.key(key, argument)
                if key not in turning or key in (t.KEY_REVEAL, t.KEY_END_ROUND):
                    self.assertEqual(table.of_kind(t.REC_OPENED), [], "key %d %d" % (key, argument))

    def test_two_tables_that_differ_in_sealed_faces_alone_look_the_same(self):
        shown = 0
        for seed in range(1, 61):
            random = Random(seed * 32452843)
            chosen = settings(random, True)
            one = Table(chosen)
            two = Table(chosen)
            chaos = Chaos(random, chosen, wild=5)
            for index in range(120):
                step = chaos.next(one.dealing)
                press(one, step)
                sealed = [e for e in one.step if e[0] == t.REC_SEALED]
                if step[0] == "pass" and len(sealed) == 1 and step[1].kind == t.PASS_CARD and step[1].card < 52:
                    p = step[1]
                    step = ("pass", Pass(p.kind, random.below(52), p.batch, p.head, p.reason))
                    shown += 1
                press(two, step)
                if t.REC_OPENED in one.kinds() or t.REC_OPENED in two.kinds():
                    opened = [[e[:2] for e in table.step if e[0] == t.REC_OPENED][:1] for table in (one, two)]
                    self.assertEqual(opened[0], opened[1], "seed %d" % seed)
                    break
                one.forget()
                two.forget()
                where = "seed %d step %d" % (seed, index)
                self.assertEqual(masked(one.step), masked(two.step), where)
                self.assertEqual(view(one), view(two), where)
        self.assertGreater(shown, 60)


def _finish_day(table):
    table.keys(t.KEY_VOID_ROUND, t.KEY_CLOSE_SHOE)


def _finish_stopped(table):
    table.keys((t.KEY_SUPERVISOR, t.CLEAR_REREAD), t.KEY_VOID_ROUND)


def _finish_round(table):
    table.keys(t.KEY_REVEAL, t.KEY_END_ROUND)


if __name__ == "__main__":
    unittest.main()
