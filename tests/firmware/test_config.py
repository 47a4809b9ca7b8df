"""The configuration: packing, ranges, and settings that must fit together."""

import unittest

from dealing_table import Config
from shoe import wire_table as t


class ConfigTest(unittest.TestCase):
    def setUp(self):
        self.config = Config()

    def wrong(self, **settings):
        """The setting that `validate` names for these."""
        config = Config()
        for name in settings:
            setattr(config, name, settings[name])
        return config.validate()

    def test_the_defaults_are_valid(self):
        self.assertEqual(self.config.validate(), 0)

    def test_packed_settings_come_back(self):
        self.config.game = t.GAME_SPANISH_21
        self.config.table = 4000000000
        self.config.options = 24
        packed = self.config.pack()
        self.assertEqual(len(packed), 5 * len(t.SETTINGS))
        again = Config.unpack(packed)
        self.assertEqual(again.pack(), packed)
        self.assertEqual(again.table, 4000000000)
        self.assertEqual(again.crc(), self.config.crc())

    def test_settings_left_out_keep_their_default(self):
        self.assertEqual(Config.unpack(b"\x03\x08\x00\x00\x00").decks, 8)
        self.assertEqual(Config.unpack(b"").pack(), self.config.pack())

    def test_a_torn_pair_or_an_unknown_setting_is_refused(self):
        for data in (b"\x03\x08\x00\x00", b"\xc8\x00\x00\x00\x00", b"\x00\x00\x00\x00\x00"):
            with self.assertRaises(ValueError):
                Config.unpack(data)

    def test_the_crc_follows_every_setting(self):
        crc = self.config.crc()
        self.config.blocked_s = 16
        self.assertNotEqual(self.config.crc(), crc)

    def test_every_range_is_checked(self):
        names = {"game": 1, "shoe_kind": 2, "decks": 3, "batch_a": 4, "batch_b": 5, "side_a_color": 6, "positions": 7}
        names.update({"table": 8, "options": 9, "max_splits": 10, "blocked_s": 11})
        for name in names:
            low, high, _ = t.SETTINGS[names[name]]
            self.assertEqual(self.wrong(**{name: high + 1}), names[name], name)
            self.assertEqual(self.wrong(**{name: low - 1}), names[name], name)

    def test_633a_3_c_a_double_shoe_is_for_blackjack_with_even_decks_and_two_backs(self):
        double = t.SHOE_KIND_DOUBLE
        self.assertEqual(self.wrong(shoe_kind=double), 0)
        self.assertEqual(self.wrong(shoe_kind=double, game=t.GAME_FREE_BET, positions=6), t.CFG_SHOE_KIND)
        self.assertEqual(self.wrong(shoe_kind=double, game=t.GAME_SPANISH_21), t.CFG_SHOE_KIND)
        self.assertEqual(self.wrong(shoe_kind=double, decks=5), t.CFG_DECKS)
        self.assertEqual(self.wrong(shoe_kind=double, batch_b=1), t.CFG_BATCH_B)
        self.assertEqual(self.wrong(shoe_kind=double, batch_b=3), t.CFG_BATCH_B)  # of another design
        self.assertEqual(self.wrong(shoe_kind=double, batch_a=4, batch_b=3), 0)

    def test_635a_3_a_spanish_21_has_six_or_eight_decks(self):
        for decks in range(1, 9):
            wrong = self.wrong(game=t.GAME_SPANISH_21, decks=decks)
            self.assertEqual(wrong, 0 if decks in (6, 8) else t.CFG_DECKS)

    def test_633a_12_b_1_from_the_hand_has_two_decks_at_most_no_double_shoe_and_every_extra_card_face_up(self):
        hand = t.GAME_FROM_THE_HAND
        for decks in range(1, 9):
            self.assertEqual(self.wrong(game=hand, decks=decks), 0 if decks < 3 else t.CFG_DECKS)
        self.assertEqual(self.wrong(game=hand, decks=2, shoe_kind=t.SHOE_KIND_DOUBLE), t.CFG_SHOE_KIND)
        self.assertEqual(self.wrong(game=hand, decks=2, options=1), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(game=hand, decks=2, options=2), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(game=hand, decks=2, options=8 | 64), 0)

    def test_633a_12_a_3_switch_is_dealt_like_blackjack(self):
        self.assertEqual(self.wrong(game=t.GAME_SWITCH, options=1), 0)
        self.assertEqual(self.wrong(game=t.GAME_SWITCH, shoe_kind=t.SHOE_KIND_DOUBLE), 0)

    def test_590_2_a_free_bet_has_six_positions(self):
        self.assertEqual(self.wrong(game=t.GAME_FREE_BET), t.CFG_POSITIONS)
        self.assertEqual(self.wrong(game=t.GAME_FREE_BET, positions=6), 0)

    def test_options_that_contradict_the_game_or_each_other_are_refused(self):
        self.assertEqual(self.wrong(options=32), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(options=1), 0)
        self.assertEqual(self.wrong(options=1, game=t.GAME_SPANISH_21), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(options=1, game=t.GAME_FREE_BET, positions=6), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(options=8 | 2), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(options=8, shoe_kind=t.SHOE_KIND_DOUBLE), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(options=2, shoe_kind=t.SHOE_KIND_DOUBLE), t.CFG_OPTIONS)
        self.assertEqual(self.wrong(options=8, batch_b=1), t.CFG_BATCH_B)
        self.assertEqual(self.wrong(batch_b=1), 0)


if __name__ == "__main__":
    unittest.main()
