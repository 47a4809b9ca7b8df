"""Facts of the games by enum.game; generated from games.toml by generate_tables.py."""

from shoe.compat import const

# places in a row of GAMES; decks: bit n - 1 for n decks; double_cards: 0 for two or more
PLAYERS_DOWN = const(0)
FROM_THE_HAND = const(1)
DOUBLE_SHOE = const(2)
DECKS = const(3)
HANDS = const(4)
BURNS = const(5)
POSITIONS = const(6)
DOUBLE_CARDS = const(7)
TENS = const(8)
DOUBLE_FACE_DOWN = const(9)
SURRENDER = const(10)
RESCUE = const(11)
SWITCH = const(12)
SWITCH_HANDS = const(13)
BLACKJACK_WAITS = const(14)
LONG_21_WINS = const(15)
SECOND_FACE_UP = const(16)

GAMES = (
    b"\x00\x00\x01\xff\x01\x00\x07\x02\x01\x01\x01\x00\x00\x01\x00\x00\x00",  # blackjack
    b"\x00\x00\x00\xff\x01\x00\x06\x02\x01\x00\x01\x00\x00\x00\x00\x00\x00",  # free_bet
    b"\x00\x00\x00\xa0\x01\x00\x07\x00\x00\x00\x01\x01\x00\x00\x00\x01\x01",  # spanish_21
    b"\x00\x00\x01\xff\x02\x00\x07\x02\x01\x01\x00\x00\x01\x00\x01\x00\x00",  # switch
    b"\x01\x01\x00\x03\x01\x01\x07\x02\x01\x00\x01\x00\x00\x00\x00\x00\x00",  # from_the_hand
)
# by rank, where the card reader device is used: 1 an ace, 2 a ten-value card; together a Blackjack
READER_COUNTS = (
    b"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x02\x02\x02",  # blackjack
    b"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x02\x02\x02",  # free_bet
    b"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x02\x02",  # spanish_21
    b"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x02\x02\x02",  # switch
    b"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x02\x02\x02\x02",  # from_the_hand
)
