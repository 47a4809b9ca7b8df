"""The types of a round at the table and of its settlement: what was wagered and dealt, and each wager's result.

They hold facts and judge nothing. Money is int cents. Cards are ids of `model.cards`. Positions are 1..7 from the
dealer's far left; the dealer settles from his right, so from the highest position down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal, NamedTuple

from shoetool.rules.odds import Odds
from shoetool.rules.printed_meter import meter_key

HandEnd = Literal[
    "stand",
    "twenty_one",
    "bust",
    "blackjack",
    "doubled",
    "surrendered",
    "rescued",
    "dead",
    "dealer_blackjack",
    "even_money",
]
"""How play on a hand ended. "dealer_blackjack" is a hand that was not played, because the dealer had Blackjack;
"dead" one that was called dead with its wager returned; "twenty_one" one that may draw no more."""

Source = Literal["tray", "meter", "house"]
"""Who pays a line: the table inventory, the progressive meter of the wager, or the house outside the table."""

Reader = Literal["blackjack", "no_blackjack"]
"""What the card reader device told the dealer."""


class Stage(StrEnum):
    """When a wager is settled within its round."""

    ANY_TIME = "any_time"
    """The chapter sets no time: a mystery bonus, which is won before the deal."""
    AFTER_DEAL = "after_deal"
    """Before further cards and before the reader: 633a.7(g)."""
    AFTER_READER = "after_reader"
    """Once the reader has answered, before other cards: insurance, and all that a dealer Blackjack decides."""
    IN_TURN = "in_turn"
    """At once in the player's turn: a Blackjack that is paid, a surrender, a bust."""
    HOLE_CARD = "hole_card"
    """When the hole card is turned, before the main wagers."""
    MAIN = "main"
    """The main wagers, after all cards."""
    AFTER_ALL = "after_all"
    """The remaining optional wagers, after all cards: 633a.7(o)."""
    LAST = "last"
    """After all other optional wagers: 633c.9(d)."""


_EMPTY: Final[Mapping[str, int]] = {}


class Hand(NamedTuple):
    """One hand as it stood when play on it ended.

    number: 1.. from the dealer's left within its box. cards: in the order received, the two it began with first.
    stake: cents of real money at risk as its main wager (0 on a hand of a free split). lammer: cents the lammer of a
    free split stands for. double: cents of real money added by doubling. free_double: cents the lammer of a free double
    stands for. switched: whether the hand holds a card exchanged under 633a.12(a)(4).
    """

    number: int
    cards: tuple[int, ...]
    stake: int
    lammer: int = 0
    double: int = 0
    free_double: int = 0
    from_split: bool = False
    end: HandEnd = "stand"
    switched: bool = False


class Box(NamedTuple):
    """One betting position in a round.

    wager: cents of the main wager before the deal; in Switch the wager of each of the two hands. initial: the two cards
    each hand was dealt (one entry, two in Switch), before a switch or split. hands: left to right. insurance: cents,
    for the whole box. even_money: its Blackjack was paid 1 to 1 instead. side: optional wagers, key to cents, as
    placed. pressed: cents of the winnings of an optional wager, by its key, that were added to the main wager. The
    stakes of `hands` include them, but not those that lie apart, as many beside each hand (633c.11(e)). player: who
    bets here; the same words on two boxes are one player, "" is a player of its own. ante: cents of a switch hands
    ante (633c.4(c)). switched: whether it plays its switch hands cards, `aside`, and gave up those of `initial`; None
    when it had no choice between them. third: the first card that the position was dealt after its two, in whichever of
    its hands it lies, or in none where it was dealt for an optional wager alone (633c.9(d)(4)); None for none. dealer:
    the dealer's hand that it plays against where it has one of its own, without a hole card at a hybrid table
    (633c.5(bb)); () where the round has one for all.
    """

    position: int
    wager: int
    initial: tuple[tuple[int, ...], ...]
    hands: tuple[Hand, ...]
    insurance: int = 0
    even_money: bool = False
    side: Mapping[str, int] = _EMPTY
    pressed: Mapping[str, int] = _EMPTY
    player: str = ""
    ante: int = 0
    switched: bool | None = None
    aside: tuple[int, ...] = ()
    third: int | None = None
    dealer: tuple[int, ...] = ()


def own_cards(cards: tuple[int, ...], end: str) -> tuple[int, ...]:
    """The cards of a hand without the one that it was dealt for a wager alone, after a dealer's Blackjack."""
    return cards[:2] if end == "dealer_blackjack" else cards


class TableRound(NamedTuple):
    """One round at a table, all cards known.

    boxes: ascending by position. dealer: up card, hole card, draws in order; fewer only if the round is void. revealed:
    whether the hole card was turned. reader: what the reader said, None when it was not used. draws_discarded: cards
    the dealer drew on a standing total and discarded (633a.14(d)); they are not in `dealer`. lucky_player: the
    position, and magic_card the card, that the table game system picked. meters: key of the meter (`hit_and_run`,
    `jackpot_party.mega`) to cents at the start of the round. void: the clause by which the round is void and every
    wager returned. opened: (mystery bonus, hidden value in cents) of each one that was hit, in that order. accepted:
    (wager, position) as the table game system accepted the wagers, as far as that is known. community: the community
    cards of a hybrid table in their order (633c.5(q), (y)(4)); then `dealer` is the up card alone without a hole card.
    """

    game: str
    decks: int
    boxes: tuple[Box, ...]
    dealer: tuple[int, ...]
    revealed: bool = True
    reader: Reader | None = None
    draws_discarded: tuple[int, ...] = ()
    lucky_player: int | None = None
    magic_card: int | None = None
    meters: Mapping[str, int] = _EMPTY
    void: str | None = None
    opened: tuple[tuple[str, int], ...] = ()
    accepted: tuple[tuple[str, int], ...] = ()
    community: tuple[int, ...] = ()

    def dealer_of(self, box: Box) -> tuple[int, ...]:
        """The dealer's hand that a position plays against."""
        return box.dealer or self.dealer


Note = tuple[str, str]
"""A clause and what it requires, in words: a floorperson verifies, a payout is capped, part of a cent is not paid."""


class Line(NamedTuple):
    """The result of one wager. It is a tuple, because a session has millions of them.

    wager: "main", "double", "press", "lammer", "insurance", "ante", "bonus" or the key of an optional wager. hand:
    number of the hand, None for a wager of the box. staked: cents the player had at risk in this line. outcome: key;
    words: the reason in words. odds: None when nothing is paid. returned: cents of the stake given back. won: cents
    paid on top. source: who pays `won`, and for "house" also who keeps a lost stake (an electronic wager that never was
    in the tray); a stake lost to the others goes to the tray. A payout from a meter and from the tray at once is two
    lines, the second without a stake. A line without a position is what the house puts into a meter (below 0: takes out
    of it). notes: what else a clause asks for. meter: the name of the meter that pays or is set back, "" for a wager's
    only one.
    """

    position: int | None
    hand: int | None
    wager: str
    staked: int
    outcome: str
    words: str
    clause: str
    odds: Odds | None
    returned: int
    won: int
    source: Source
    stage: Stage
    notes: tuple[Note, ...] = ()
    meter: str = ""

    @property
    def net(self) -> int:
        """The player's gain in cents: returned + won - staked."""
        return self.returned + self.won - self.staked

    def to_json(self) -> dict[str, Any]:
        """JSON types only; amounts in cents."""
        named = {"meter": self.meter} if self.meter else {}
        return {
            "position": self.position,
            "hand": self.hand,
            "wager": self.wager,
            "staked": self.staked,
            "outcome": self.outcome,
            "words": self.words,
            "clause": self.clause,
            "odds": None if self.odds is None else self.odds.text,
            "returned": self.returned,
            "won": self.won,
            "net": self.net,
            "source": self.source,
            "stage": self.stage.value,
            **named,
            "notes": [{"clause": clause, "words": words} for clause, words in self.notes],
        }


@dataclass(frozen=True, slots=True)
class Settlement:
    """A round as it was settled: a line for every wager, and the net change in cents of every purse.

    lines: in the order in which the dealer settles. nets: by position 0..7, by how much each player is better off.
    tray, house, meters (by key of the meter): by how much the purses are; a meter that was won and set back has both in
    it. All of them together are 0: money is conserved.
    """

    lines: tuple[Line, ...]
    nets: tuple[int, ...]
    tray: int
    house: int
    meters: Mapping[str, int]

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Settlement:
        """Return the settlement of these lines. AssertionError if money is lost."""
        found = tuple(lines)
        nets = [0] * 8
        tray = house = 0
        meters: dict[str, int] = {}
        for line in found:
            if line.position is None:  # the house sets a meter back
                house -= line.won
                key = meter_key(line.wager, line.meter)
                meters[key] = meters.get(key, 0) + line.won
                continue
            kept = line.staked - line.returned
            nets[line.position] += line.won - kept
            if line.source == "tray":
                tray += kept - line.won
            elif line.source == "house":
                house += kept - line.won
            else:
                tray += kept
                key = meter_key(line.wager, line.meter)
                meters[key] = meters.get(key, 0) - line.won
        assert sum(nets) + tray + house + sum(meters.values()) == 0, "money is conserved"
        return cls(found, tuple(nets), tray, house, meters)

    def net(self, position: int) -> int:
        """Return the gain in cents of the player at this position."""
        return self.nets[position]
