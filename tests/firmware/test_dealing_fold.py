"""The records alone rebuild the table: after every step, after a cut inside a step, and from the last history alone."""

import unittest

from dealing_chaos import Chaos, Invariants, press, settings, with_reader
from dealing_table import Dealing, Random, Table, difference, snapshot
from shoe import wire_table as t
from shoe.dealing.inventory import new_deck_card

_HYBRID = (t.REC_SELECTED, t.REC_HIT, t.REC_COUNTDOWN)


class FoldTest(unittest.TestCase):
    def test_random_inputs_never_raise_and_every_fold_is_the_same_table(self):
        seen = set()
        for seed in range(1, 76):
            random = Random(seed * 7919)
            chosen = settings(random, True)
            if seed & 1:
                with_reader(chosen)
            table = Table(chosen)
            chaos = Chaos(random, chosen, wild=(3, 12, 40)[seed % 3])
            must = Invariants()
            shadow = Dealing(chosen)
            for index in range(150):
                step = chaos.next(table.dealing)
                press(table, step)
                must.check(table, step)
                table.forget()
                for number, event in table.records:
                    shadow.restore(event, number)
                where = "seed %d step %d %r " % (seed, index, step)
                self.assertEqual(must.problem, "", where + must.problem)
                self.assertEqual(difference(snapshot(table.dealing), snapshot(shadow)), "", where)
            seen |= must.seen
        for kind in (t.REC_PEEK, t.REC_INSURANCE, t.REC_READER_TEST, t.REC_ANTES, t.REC_SWITCH_HAND) + _HYBRID:
            self.assertIn(kind, seen)
        for phase in range(12):
            self.assertIn(100 + phase, seen, "phase %d never came" % phase)

    def run_with_shadow(self, seed, steps, wild):
        """A table after so many steps, its chaos, and another Dealing that folded its records."""
        random = Random(seed)
        chosen = settings(random, True)
        if seed & 1:
            with_reader(chosen)
        table = Table(chosen)
        chaos = Chaos(random, chosen, wild)
        shadow = Dealing(chosen)
        for _ in range(steps):
            press(table, chaos.next(table.dealing))
            table.forget()
            self.fold(shadow, table.records)
        return table, chaos, shadow

    def fold(self, dealing, records):
        for number, event in records:
            dealing.restore(event, number)

    def test_only_cards_of_its_batch_and_unreadable_ones_come_off_a_side(self):
        dealing = Dealing(settings(Random(1)))
        dealing.restore((t.REC_SHOE_OPENED, t.GAME_BLACKJACK, t.SHOE_KIND_SINGLE, 8, 1, 2, 0, 7, 0, 0), 0)
        dealing.restore((t.REC_LOADED, 0, 1), 1)
        number = 1
        for card, batch, counts in (
            (0, 1, True), (51, 1, True), (51, 3, False), (52, 1, False), (53, 1, False), (62, 1, False), (63, 1, True),
            (63, 0, True),
        ):  # fmt: skip
            before = dealing.st.sides[0].passed
            number += 1
            dealing.restore((t.REC_CARD, t.ROLE_DISCARDED, 0, 0, 0, card, batch, 100, 200), number)
            self.assertEqual(dealing.st.sides[0].passed - before, int(counts), (card, batch))
            self.assertEqual(dealing.st.last_ref, number)
        self.assertEqual(dealing.st.pending, [])
        for role, named in ((t.ROLE_COUNTED, -1), (t.ROLE_DISCARDED, 40)):
            for _ in range(9):  # eight decks: of a count the verdict says it
                number += 1
                dealing.restore((t.REC_CARD, role, 0, 0, 0, 40, 1, 100, 200), number)
            self.assertEqual(dealing.st.sides[0].over, named)

    def test_what_was_loaded_or_carried_over_at_a_head_that_is_no_side_changes_nothing(self):
        """A start goes on: the record may be another firmware's."""
        for event in ((t.REC_LOADED, t.HEAD_READER, 416), (t.REC_CARRIED, t.HEAD_READER, 0, bytes(26))):
            dealing = Dealing(settings(Random(1)))
            dealing.restore((t.REC_SHOE_OPENED, t.GAME_BLACKJACK, t.SHOE_KIND_DOUBLE, 8, 1, 2, 0, 7, 0, 0), 0)
            before = snapshot(dealing)
            dealing.restore(event, 1)
            self.assertEqual(difference(before, snapshot(dealing)), "", event)

    def test_633a_3_a_a_side_stays_loaded_only_for_a_shoe_like_the_one_before(self):
        before = (t.GAME_FREE_BET, t.SHOE_KIND_DOUBLE, 6, 2, 3)
        for shoe in (
            before,
            (t.GAME_BLACKJACK,) + before[1:],
            (t.GAME_SPANISH_21,) + before[1:],
            before[:2] + (4, 2, 3),
            before[:2] + (8, 2, 3),
            before[:3] + (1, 3),
            before[:3] + (2, 1),
            before[:3] + (4, 3),
            before[:3] + (2, 4),
        ):
            dealing = Dealing(settings(Random(1)))
            dealing.restore((t.REC_SHOE_OPENED,) + before + (0, 7, 0, 0), 0)
            for head in range(2):
                dealing.restore((t.REC_LOADED, head, 156), 1 + head)
            dealing.restore((t.REC_SHOE_CLOSED, t.FINISH_ORDERED, 0, 0), 3)
            dealing.restore((t.REC_SHOE_OPENED,) + shoe + (0, 7, 0, 0), 4)
            self.assertEqual([side.loaded for side in dealing.st.sides], [shoe == before] * 2, shoe)

    def test_a_side_that_is_finished_had_its_cover_card_only_where_that_is_why(self):
        for why in (t.FINISH_COVER_CARD, t.FINISH_ORDERED, t.FINISH_EXHAUSTED, t.FINISH_DAY_END):
            dealing = Dealing(settings(Random(1)))
            dealing.restore((t.REC_SHOE_OPENED, t.GAME_BLACKJACK, t.SHOE_KIND_SINGLE, 8, 1, 2, 0, 7, 0, 0), 0)
            dealing.restore((t.REC_LOADED, 0, 416), 1)
            dealing.restore((t.REC_FINISHED, 0, why, 300), 2)
            side = dealing.st.sides[0]
            self.assertEqual((side.finished, bool(side.cover)), (why, why == t.FINISH_COVER_CARD))

    def test_633a_7_e_2_a_card_of_a_test_deal_that_nobody_could_read_is_the_wrong_one(self):
        """It is told as the one that was due."""
        dealing = Dealing(settings(Random(1)))
        dealing.restore((t.REC_SHOE_OPENED, t.GAME_BLACKJACK, t.SHOE_KIND_SINGLE, 8, 1, 2, 0, 7, 0, 0), 0)
        dealing.restore((t.REC_LOADED, 0, 416), 1)
        dealing.restore((t.REC_COUNT_STARTED, 0, 1), 2)
        dealing.restore((t.REC_CARD, t.ROLE_COUNTED, t.POSITION_RACK, 0, 0, 63, 1, 100, 200), 3)
        self.assertEqual(dealing.st.test_wrong, new_deck_card(0, t.GAME_BLACKJACK))

    def test_a_card_that_lies_face_down_goes_with_its_half_of_a_split(self):
        dealing = Dealing(settings(Random(1)))
        dealing.restore((t.REC_SHOE_OPENED, t.GAME_BLACKJACK, t.SHOE_KIND_SINGLE, 8, 1, 2, 0, 7, 0, 0), 0)
        dealing.restore((t.REC_LOADED, 0, 1), 1)
        dealing.restore((t.REC_SEATS, 1), 2)
        dealing.restore((t.REC_ROUND_OPENED, 1, 1), 3)
        for number in (4, 5):
            dealing.restore((t.REC_SEALED, t.ROLE_OPENING, 1, 0, 0, 7, 1), number)
        dealing.restore((t.REC_SPLIT, 1, 0, 1), 6)
        sealed = dealing.st.sealed
        self.assertEqual([sealed.get(sealed.find(ref))[:3] for ref in (4, 5)],
                         [(t.ROLE_OPENING, 1, 0), (t.ROLE_OPENING, 1, 1)])  # fmt: skip

    def test_the_fold_answers_the_next_inputs_like_the_original(self):
        for seed in range(1, 31):
            table, chaos, shadow = self.run_with_shadow(seed * 104729, 20 + 7 * seed % 90, 10)
            twin = Table(table.config, table.number)
            twin.dealing = shadow
            for _ in range(30):
                step = chaos.next(table.dealing)
                press(table, step)
                press(twin, step)
                self.assertEqual(table.step, twin.step, "seed %d %r" % (seed, step))
                self.assertEqual(table.dealing.lamps, twin.dealing.lamps)
                table.forget()
                twin.forget()

    def test_a_power_cut_inside_a_step_leaves_a_table_that_goes_on(self):
        cuts = completed = 0
        for seed in range(1, 121):
            table, chaos, shadow = self.run_with_shadow(seed * 15485863, 5 + 13 * seed % 70, 4)
            for _ in range(40):
                press(table, chaos.next(table.dealing))
                table.forget()
                if len(table.step) > 1:
                    break
                self.fold(shadow, table.records)
            if len(table.step) < 2:
                continue
            keep = len(table.step) - 1 - chaos.random.below(len(table.step) - 1)
            self.fold(shadow, table.records[:keep])
            after = Table(table.config, table.records[0][0] + keep)
            after.dealing = shadow
            after._take(shadow.resume())
            cuts += 1
            completed += after.step == table.step[keep:]
            must = Invariants()
            sealed = shadow.st.sealed
            for i in range(sealed.many):
                must.sealed[sealed.refs[i]] = sealed.get(i)[4]
            for _ in range(15):
                step = chaos.next(shadow)
                press(after, step)
                must.check(after, step)
                after.forget()
                self.assertEqual(must.problem, "", "seed %d %s" % (seed, must.problem))
        self.assertGreater(cuts, 100)
        self.assertGreater(completed * 3, cuts)

    def test_a_history_of_a_single_shoe_stands_for_itself(self):
        compared = 0
        for seed in range(1, 41):
            random = Random(seed * 611953)
            chosen = settings(random, True)
            if seed & 1:
                with_reader(chosen)
            if chosen.shoe_kind == t.SHOE_KIND_DOUBLE or chosen.options & 2:
                continue
            table = Table(chosen)
            chaos = Chaos(random, chosen, wild=4)
            shoes = 0
            own = None
            for _ in range(400):
                press(table, chaos.next(table.dealing))
                table.forget()
                for number, event in table.records:
                    if event[0] == t.REC_SHOE_OPENED:
                        shoes += 1
                        own = Dealing(chosen)
                    if own is not None:
                        own.restore(event, number)
            if shoes > 1 and table.dealing.shoe_open:
                # Faults outlive a history in the store of the application, not in the records of the next one.
                own.st.faults = [list(fault) for fault in table.dealing.st.faults]
                self.assertEqual(difference(snapshot(table.dealing), snapshot(own)), "", "seed %d" % seed)
                compared += 1
        self.assertGreater(compared, 2)


if __name__ == "__main__":
    unittest.main()
