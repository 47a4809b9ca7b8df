"""The records alone rebuild the table: after every step, after a cut inside a step, and from the last history alone."""

import unittest

from dealing_chaos import Chaos, Invariants, press, settings
from dealing_table import Dealing, Random, Table, difference, folded, snapshot
from shoe import wire_table as t


class FoldTest(unittest.TestCase):
    def test_random_inputs_never_raise_and_every_fold_is_the_same_table(self):
        seen = set()
        for seed in range(1, 61):
            random = Random(seed * 7919)
            chosen = settings(random)
            table = Table(chosen)
            chaos = Chaos(random, chosen, wild=(3, 12, 40)[seed % 3])
            must = Invariants()
            shadow = Dealing(chosen)
            for index in range(150):
                step = chaos.next(table.dealing)
                press(table, step)
                must.check(table, step)
                for number, event in table.records[len(table.records) - len(table.step) :]:
                    shadow.restore(event)
                    shadow.recorded(event, number)
                where = "seed %d step %d %r " % (seed, index, step)
                self.assertEqual(must.problem, "", where + must.problem)
                self.assertEqual(difference(snapshot(table.dealing), snapshot(shadow)), "", where)
            seen |= must.seen
        for phase in range(11):
            self.assertIn(100 + phase, seen, "phase %d never came" % phase)

    def test_the_fold_answers_the_next_inputs_like_the_original(self):
        for seed in range(1, 9):
            random = Random(seed * 104729)
            chosen = settings(random)
            table = Table(chosen)
            chaos = Chaos(random, chosen)
            for _ in range(60 + random.below(60)):
                press(table, chaos.next(table.dealing))
            twin = Table(chosen, table.number)
            twin.dealing = folded(chosen, table.records)
            for _ in range(40):
                step = chaos.next(table.dealing)
                press(table, step)
                press(twin, step)
                self.assertEqual(table.step, twin.step, "seed %d %r" % (seed, step))
                self.assertEqual(table.dealing.lamps, twin.dealing.lamps)

    def test_a_power_cut_inside_a_step_leaves_a_table_that_goes_on(self):
        cuts = completed = 0
        for seed in range(1, 25):
            random = Random(seed * 15485863)
            chosen = settings(random)
            table = Table(chosen)
            chaos = Chaos(random, chosen, wild=4)
            for _ in range(90):
                press(table, chaos.next(table.dealing))
                if len(table.step) < 2 or not random.chance(30):
                    continue
                keep = len(table.records) - 1 - random.below(len(table.step) - 1)
                after = Table(chosen, keep + 100)
                after.records = table.records[:keep]
                after.dealing = folded(chosen, after.records)
                after._take(after.dealing.resume())
                cuts += 1
                completed += [r[1] for r in after.records] == [r[1] for r in table.records]
                must = Invariants()
                must.sealed = {n: after.dealing.st.sealed.get(i)[4] for i, n in enumerate(after.dealing.st.sealed.refs)}
                other = Chaos(Random(seed), chosen)
                for _ in range(12):
                    step = other.next(after.dealing)
                    press(after, step)
                    must.check(after, step)
                    self.assertEqual(must.problem, "", "seed %d %s" % (seed, must.problem))
        self.assertGreater(cuts, 100)
        self.assertGreater(completed * 3, cuts)

    def test_a_history_of_a_single_shoe_stands_for_itself(self):
        compared = 0
        for seed in range(1, 41):
            random = Random(seed * 611953)
            chosen = settings(random)
            if chosen.shoe_kind == t.SHOE_KIND_DOUBLE or chosen.options & 2:
                continue
            table = Table(chosen)
            chaos = Chaos(random, chosen, wild=4)
            start = 0
            for _ in range(400):
                press(table, chaos.next(table.dealing))
                for i in range(len(table.records) - len(table.step), len(table.records)):
                    if table.records[i][1][0] == t.REC_SHOE_OPENED:
                        start = i
            if start and table.dealing.shoe_open:
                own = folded(chosen, table.records[start:])
                # Faults outlive a history in the store of the application, not in the records of the next one.
                own.st.faults = [list(fault) for fault in table.dealing.st.faults]
                self.assertEqual(difference(snapshot(table.dealing), snapshot(own)), "", "seed %d" % seed)
                compared += 1
        self.assertGreater(compared, 2)


if __name__ == "__main__":
    unittest.main()
