"""The registry of checks: every check with its clause, the reading it takes and the verdicts it can give.

CHECKS.md is this table, with that of registry_table.py, in prose; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED, VERDICTS


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `clause` is that of ch. 633a where the duty exists there (rules/games/chapters.py has the others').

    also: other clauses that a finding of it may name in the place of that one.
    """

    name: str
    clause: str
    verdicts: tuple[str, ...]
    reading: str
    also: tuple[str, ...] = ()


CHECKS: Final[dict[str, Check]] = {}


def check(name: str, clause: str, verdicts: tuple[str, ...], reading: str, *also: str) -> str:
    """Enter a check in the registry; returns its name."""
    assert name not in CHECKS, f"check {name!r} stands twice"
    CHECKS[name] = Check(name, clause, verdicts, " ".join(reading.split()), also)
    return name


# ---------------------------------------------------------------------------------------------- equipment and cards
DOUBLE_DECKS: Final = check(
    "3(c) decks: equal sides", "633a.3(c) decks", (BREACH,),
    """A double shoe is for Blackjack and Blackjack Switch only. It holds at least two decks, and the same number on
    each side.""",
)  # fmt: skip
SPANISH_DECKS: Final = check(
    "635a.3(a) count: six or eight decks", "635a.3(a) count", (BREACH,), "Spanish 21 is dealt with six or eight decks."
)
POSITIONS: Final = check(
    "2(a): betting positions", "633a.2(a)", (BREACH,),
    "At most seven betting positions (six in Free Bet Blackjack) play a round.",
)  # fmt: skip
FULL_BATCH: Final = check(
    "3(a): full batch loaded", "633a.3(a)", (BREACH,),
    """A load is a full batch: 52 cards a deck, 48 in Spanish 21. A double shoe has half of the decks on each side.""",
)  # fmt: skip
COMPOSITION: Final = check(
    "3(a): no more copies than decks", "633a.3(a)", (BREACH,),
    """Since the load no card comes out of a side more often than the decks on that side hold it. Cards that lie face
    down are counted when they are opened. Spanish 21 has no 10s.""",
)  # fmt: skip
BACKS: Final = check(
    "3(c) backs: batch of the side", "633a.3(c) backs", (BREACH,),
    """Every card of a side is of the batch (design and back color) of that side. In a single shoe the check reads
    633a.3(a), cards that look alike, in the same way.""",
)  # fmt: skip
COVER_CARDS: Final = check(
    "3(c) cover cards: one a side", "633a.3(c) cover cards", (BREACH,),
    "Each side of a double shoe has its own cover card. A second one, or one of the other side's batch, is a breach.",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------ cover card
COVER_PLACE: Final = check(
    "5(d) place: quarter behind the cover card", "633a.5(d) place", (BREACH, CANNOT_TELL),
    """At least a quarter of the batch, rounded up, lies behind the cover card (of 312 cards: 78). The check counts
    the cards that had come out before it. If fewer are left and the cover card never came, it was not in its place or
    not in the shoe. No cover card is due in a batch that was only counted, or that a continuous shuffler deals. From
    the hand it lies below the deck. The result is "cannot tell" if cards may have gone through unseen (double feed)
    or unread, or if a single shoe had a second cover card: it is not known which one counts.""",
)  # fmt: skip
LAST_ROUND: Final = check(
    "7(e): no round after the cover card", "633a.7(e)", (BREACH,),
    """The round in which the cover card comes is the last one. If the cover card comes before a round's first card,
    that round is still dealt. After that round nothing is dealt until the side is shuffled and loaded.""",
)  # fmt: skip
ORDERED: Final = check(
    "5(f): ordered reshuffle", "633a.5(f)", (BREACH, HANDLED),
    "A reshuffle that the floorperson orders comes after the round. There is no further round before the load.",
)  # fmt: skip
ONLY_THAT_SIDE: Final = check(
    "7(e)(3): only that side reshuffled", "633a.7(e)(3)", (BREACH,),
    """In a double shoe only the side whose cover card came, or whose reshuffle was ordered, is shuffled and loaded. The
    other side goes on with the cards it had: the counts that are carried over are those of its cards.""",
)  # fmt: skip
COUNT: Final = check(
    "7(e)(1): count after the cover card", "633a.7(e)(1)", (BREACH, CANNOT_TELL),
    """Dealt and counted cards together are the full batch, card by card. A missing card is named only when no card
    lies face down in the history any more. If unknown cards could be the missing ones, the result is "cannot tell".
    For one side of a double shoe the clause is 633a.7(e)(2).""",
    "633a.7(e)(2)",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------------ burn
BATCH_BURN: Final = check(
    "7(c) batch: burn of a full batch", "633a.7(c) batch", (BREACH,),
    """One card is burned after each load of a full batch, before the first round. A double shoe has no burn card: it
    has a determinant card. A continuous shuffler has one only after the first load.""",
)  # fmt: skip
DEALER_BURN: Final = check(
    "7(c) dealer: burn by a new dealer", "633a.7(c) dealer", (BREACH,),
    """Each new dealer burns one card before his first round. The burn card of a load comes besides. A double shoe has
    none, unless the house chose it.""",
)  # fmt: skip

# ----------------------------------------------------------------------------------------------------- double shoe
DETERMINANT: Final = check(
    "7(d)(1) draw: determinant each round", "633a.7(d)(1) draw", (BREACH,),
    "Every round of a double shoe begins with one determinant card, drawn from either side.",
)  # fmt: skip
MAPPING: Final = check(
    "7(d)(1) mapping: suit to side", "633a.7(d)(1) mapping", (BREACH, CANNOT_TELL),
    "The color of the determinant card's suit chooses a side, as the house designated. That side deals the round.",
)  # fmt: skip
MATCH: Final = check(
    "7(d)(2) match: determinant to the first player", "633a.7(d)(2) match", (BREACH,),
    "A determinant card that comes from the side it chooses is the first card of the first active position.",
)  # fmt: skip
MISMATCH: Final = check(
    "7(d)(2) mismatch: determinant set aside", "633a.7(d)(2) mismatch", (BREACH,),
    "A determinant card that comes from the other side goes to the segregated area, and to no hand.",
)  # fmt: skip
WRONG_SIDE: Final = check(
    "14(h): card from the wrong side", "633a.14(h)", (BREACH, HANDLED),
    """Cards from the side that the determinant card did not choose stand. The round is finished as if the side were
    right. The cover card of that side is set aside.""",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------ deal order
PASS_1: Final = check(
    "7(f)(1): first card to each position", "633a.7(f)(1)", (BREACH,),
    "One face-up card to each position with a wager, clockwise from the dealer's far left.",
)  # fmt: skip
UP_CARD: Final = check(
    "7(f)(2): dealer's up card", "633a.7(f)(2)", (BREACH,), "The dealer's up card comes after the players' first cards."
)
PASS_2: Final = check(
    "7(f)(3): second card to each position", "633a.7(f)(3)", (BREACH,),
    "A second face-up card to each position in the same order, after the up card.",
)  # fmt: skip
HOLE_CARD: Final = check(
    "7(f)(4): dealer's hole card", "633a.7(f)(4)", (BREACH,),
    "The dealer's hole card comes last, face down. The history has its commitment and not its face.",
)  # fmt: skip
TURN: Final = check(
    "7(i): clockwise turns", "633a.7(i)", (BREACH,),
    "A position gets further cards only after every position before it, clockwise, has ended its hands.",
)  # fmt: skip
SPLIT_ORDER: Final = check(
    "11(b): leftmost split hand first", "633a.11(b)", (BREACH,),
    """The leftmost unfinished hand of a split is completed before the next one gets a card. Every split hand gets a
    second card.""",
)  # fmt: skip
SPLIT_PAIR: Final = check(
    "11(a): equal values split",
    "633a.11(a)",
    (BREACH,),
    "Only two cards of equal value are split, such as a king and a 10.",
)
SPLIT_LIMIT: Final = check(
    "590.11(d) limit: four hands", "590.11(d) limit", (BREACH,),
    "Free Bet Blackjack allows four hands a position. In the other games the house sets the limit; it is not checked.",
)  # fmt: skip
DOUBLE_HAND: Final = check(
    "10(a): double on two cards", "633a.10(a)", (BREACH,),
    """A hand is doubled on its first two cards, a split hand too, but not on Blackjack. In Spanish 21 it is doubled on
    any number of cards, once.""",
)  # fmt: skip
ONE_CARD: Final = check(
    "7(k)(2): one card on a double", "633a.7(k)(2)", (BREACH,), "A doubled hand gets exactly one more card."
)
NO_DRAW: Final = check(
    "7(k)(1): no draw on 21",
    "633a.7(k)(1)",
    (BREACH,),
    "A hand of 21, hard or soft, gets no further card. Nor does Blackjack.",
)
HAND_OVER: Final = check(
    "7(k): draw only under 21", "633a.7(k)", (BREACH,),
    """A hand gets no further card once it stands, is over 21, is surrendered or is dead. It ended for the reason that
    its cards show.""",
)  # fmt: skip
SURRENDER: Final = check(
    "9(a) option: surrender on two cards", "633a.9(a) option", (BREACH,),
    "Surrender is the first decision on the first two cards: not after a split, a double or a draw.",
)  # fmt: skip
CARD_OUTSIDE: Final = check(
    "7(a): cards belong to a round", "633a.7(a)", (BREACH,), "A card goes to a hand only in a round that is open."
)

# ---------------------------------------------------------------------------------------------------------- dealer
REVEAL: Final = check(
    "7(l): hole card turned", "633a.7(l)", (BREACH,),
    """The hole card is turned after all players have ended and before the dealer draws. It is turned in every round in
    which a hand is still to be decided. Hands that are over 21 or dead are decided without it. In a round with only
    Blackjack and surrendered hands besides, the check follows the shoe's own report (an ace or ten-value card up, and
    no peek).""",
)  # fmt: skip
DEALER_COUNT: Final = check(
    "7(l): dealer's total",
    "633a.7(l)",
    (BREACH,),
    "The total in the record of the round's end is the count of the dealer's cards.",
)
DEALER_SHORT: Final = check(
    "7(m): dealer draws to 17", "633a.7(m)", (BREACH,),
    """While a hand is still to be decided, the dealer draws until he has hard or soft 17 or more. In Spanish 21 a hand
    of 21 in three cards or more is decided once the dealer has no Blackjack.""",
)  # fmt: skip
DEALER_17: Final = check(
    "14(d): dealer drew on 17", "633a.14(d)", (BREACH, HANDLED),
    "A dealer with 17 or more stands. A card that he draws by accident is discarded.",
)  # fmt: skip

# -------------------------------------------------------------------------------------------------- irregularities
FACE_UP: Final = check(
    "14(a): face-up card", "633a.14(a)", (HANDLED,),
    "A card that lies face up in the shoe is not used in that round. It goes to the rack or the segregated area.",
)  # fmt: skip
SECOND_FACE_UP: Final = check(
    "635a.13(a) more: second face-up card", "635a.13(a) more", (BREACH, HANDLED),
    "In Spanish 21 a second face-up card in one round voids the round, and the cards are reshuffled before the next.",
)  # fmt: skip
TEN_FOUND: Final = check(
    "635a.13(b) one: 10 found",
    "635a.13(b) one",
    (BREACH, HANDLED),
    "A 10 found in a Spanish 21 shoe is taken out and stays in no hand.",
)
SECOND_TEN: Final = check(
    "635a.13(b) more: second 10 found", "635a.13(b) more", (BREACH, HANDLED),
    "A second 10 in one round voids the round. The decks leave play: there is no round before other decks are loaded.",
)  # fmt: skip
DRAWN_IN_ERROR: Final = check(
    "14(b): card drawn in error",
    "633a.14(b)",
    VERDICTS,
    """A card drawn in error and not seen is the next card that is used. Cards in a row that were drawn before the deal
    key was pressed are reported as one finding.""",
)
EXPOSED: Final = check(
    "14(c) use: exposed card drawn in error", "633a.14(c) use", VERDICTS,
    """After the opening deal a card drawn in error and seen is used as the next card. Before that the clause has no
    rule: the floorperson decides.""",
)  # fmt: skip
REFUSED: Final = check(
    "14(c) refusal: card refused",
    "633a.14(c) refusal",
    (BREACH, HANDLED),
    "A player who refuses the card gets no more cards in that round.",
)
DISCARDED: Final = check(
    "14(c) discard: unusable card discarded", "633a.14(c) discard", VERDICTS,
    "A card drawn in error and seen is discarded if no player takes it and the dealer cannot use it.",
)  # fmt: skip
DEALER_MISSED: Final = check(
    "14(e): dealer skipped his card", "633a.14(e)", VERDICTS,
    """The dealer first deals the players' two cards. Then he takes his own: the first late card is the up card, the
    second is the hole card.""",
)  # fmt: skip
TOO_FEW: Final = check(
    "14(f) reshuffle: too few cards", "633a.14(f) reshuffle", VERDICTS,
    """The cards that are left are dealt. Then the cards of the rack and the segregated area are shuffled, cut and
    loaded, and the round goes on. With a quarter of the batch left, there were enough cards. With fewer, the records do
    not show whether they were too few for the round.""",
)  # fmt: skip
REFILL_BURN: Final = check(
    "14(f) burn: burn after a refill", "633a.14(f) burn", (BREACH,),
    "After cards came back in a round, the first card goes face down to the rack.",
)  # fmt: skip
NO_CARDS: Final = check(
    "14(g) none: position without cards",
    "633a.14(g) none",
    (BREACH, HANDLED),
    "A position that was dealt no card gets none: its hand is dead.",
)
ONE_CARD_HAND: Final = check(
    "14(g) one: position with one card", "633a.14(g) one", (BREACH, HANDLED),
    """A position that was dealt one card gets its second card after all other second cards and before the hole card. Or
    its hand is dead.""",
)  # fmt: skip
MISSED: Final = check(
    "14(i): missed card", "633a.14(i)", VERDICTS,
    "A missed card comes after the other players' cards and before the hole card is turned. Or the hand is dead.",
)  # fmt: skip
VOIDED: Final = check(
    "14(j)(1): round voided", "633a.14(j)(1)", (HANDLED, CANNOT_TELL),
    """A round is void after a second face-up card or a second 10 in Spanish 21. Any other one was voided by the
    floorperson. While the card reader device had failed, the clause is 633a.14(k). After the last card of the batch it
    is 633a.14(f). What stopped the game, and a card of another batch, a copy too many, an unknown card or a wrong up
    card in the reader, is named. The records do not show whether this was the reason.""",
    "633a.14(k)", "633a.14(f) reshuffle", "635a.13(a) more", "635a.13(b) more",
)  # fmt: skip
UNKNOWN_CARD: Final = check(
    "7(a): unknown card", "633a.7(a)", (CANNOT_TELL,),
    "The history does not know the face of a card. What depends on that card is not judged.",
)  # fmt: skip
STOPPED: Final = check(
    "7(a): drawn while stopped", "633a.7(a)", (BREACH, HANDLED),
    """A card drawn while the game was stopped belongs to no hand. If the card reader device had failed, the clause is
    633a.14(k): nothing is dealt until the device is repaired or replaced.""",
    "633a.14(k)",
)  # fmt: skip
BLIND: Final = check(
    "7(a): read head blind in a round", "633a.7(a)", (CANNOT_TELL,),
    """A read head that is dirty, stuck or flooded may miss a card. If it is cleared in the same round, the records do
    not show whether they have all cards of the round.""",
)  # fmt: skip
PUSHED_BACK: Final = check(
    "7(b): card pushed back",
    "633a.7(b)",
    (HANDLED,),
    "A card that was not fully drawn and was pushed back was not dealt.",
)
KEYS: Final = check(
    "7(i): refused key", "633a.7(i)", (HANDLED,),
    """The shoe refused a key. Nothing changed. The clause is the rule that did not allow the key. The record has no
    argument. If no rule forbids the key, the clause is 633a.7(i).""",
    "633a.2(a)", "633a.2(f) second sentence", "633a.5(a) when", "633a.5(f)", "633a.6(d)", "633a.7(a)", "633a.7(e)",
    "633a.7(e)(3)", "633a.7(h) result", "633a.7(k)(2)", "633a.7(l)", "633a.8(a)", "633a.8(b) timing",
    "633a.9(a) option", "633a.10(a)", "633a.11(a)", "633a.11(b)", "633a.11(c) resplits", "633a.12(a)(4)",
    "633a.14(b)", "633a.14(c) refusal", "633a.14(c) discard", "633a.14(e)", "633a.14(f) reshuffle", "633a.14(f) burn",
    "633a.14(g) none", "633a.14(i)", "633a.14(k)", "635a.10(d)", "633c.4(f)", "633c.4(k)", "633c.5(l)", "633c.5(p)(2)",
    "633c.5(q)", "633c.5(r)", "633c.5(w)", "633c.5(z)",
)  # fmt: skip
SEATS: Final = check(
    "6(c) timing: positions changed late", "633a.6(c) timing", (HANDLED,),
    "The positions are fixed before the round's first card, or the determinant card. The shoe refused a later change.",
)  # fmt: skip
UNEXPLAINED: Final = check(
    "7(s): irregularity without cards to show it", "633a.7(s)", (CANNOT_TELL,),
    "The shoe reported an irregularity that its own records do not show.",
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------------- history
FAULT_LEFT: Final = check(
    "7(a): fault not cleared", "633a.7(a)", (CANNOT_TELL,),
    """A fault that stops the game was not cleared before the end. What came after it is not proved. For the card reader
    device the clause is 633a.14(k).""",
    "633a.14(k)",
)  # fmt: skip
COMMITMENT: Final = check(
    "7(s): opening fits its commitment", "633a.7(s)", (BREACH,),
    """Each opened card is the card that was sealed: SHA-256 over nonce, card and batch gives the commitment. Only a
    sealed card is opened, and only once.""",
)  # fmt: skip
LEFT_SEALED: Final = check(
    "7(s): card never opened", "633a.7(s)", (CANNOT_TELL,),
    """The hole card is opened when its round is closed. Every other face-down card is opened when its shoe is closed. A
    card that is not opened stays unknown.""",
)  # fmt: skip
SEQUENCE: Final = check(
    "7(s): records in sequence", "633a.7(s)", (BREACH, CANNOT_TELL),
    """Record numbers have no gap, pages are chained, and every record fits those before it. If not, the hands cannot be
    rebuilt with certainty. A changed chain is a breach.""",
)  # fmt: skip
UNKNOWN_VALUE: Final = check(
    "7(s): known to this version", "633a.7(s)", (CANNOT_TELL,),
    """This version knows every kind of record, and every value for a game, a role, a reason or the like. A newer
    firmware may write others. A round with one of them is not judged. If the set-up of a shoe has one, no round of the
    shoe is judged.""",
)  # fmt: skip
CUT: Final = check(
    "7(s): file cut off", "633a.7(s)", (CANNOT_TELL,),
    """A file may end within a chunk, have damaged bytes, or hold no record. Such a file proves nothing about what is
    missing. A shoe that is still in play may be fetched in parts. A complete part is not a finding.""",
)  # fmt: skip
TOTALS: Final = check(
    "7(s): totals of the shoe", "633a.7(s)", (BREACH,),
    """The totals in the records (cards and rounds of the shoe, cards out of a finished side) are those of the records
    before. If records are missing, the gap is the finding. After a refill in a round only the totals of the shoe are
    compared. A card that passed while the game was stopped may be of another batch until it is opened.""",
)  # fmt: skip
MOVED: Final = check(
    "7(s): card taken from a hand", "633a.7(s)", (BREACH,),
    """A card of a hand stays there, unless the shoe reported an irregularity for which the card may move: drawn in
    error, discarded, a skipped place, a copy too many, a 10 in Spanish 21. The report of one card excuses no other
    card.""",
)  # fmt: skip
INCOMPLETE: Final = check(
    "7(s): round never closed",
    "633a.7(s)",
    (CANNOT_TELL,),
    "A round that was opened and never closed cannot be judged to its end.",
)
