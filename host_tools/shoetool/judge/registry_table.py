"""The checks that need a table record beside the history: wagers, decisions, order of settling, payments, session."""

from __future__ import annotations

from typing import Final

from shoetool.judge import registry_variations  # noqa: F401  its checks come before those of this module
from shoetool.judge.finding import BREACH, CANNOT_TELL, HANDLED
from shoetool.judge.registry import CHECKS, check

_BEFORE: Final = frozenset(CHECKS)

# ------------------------------------------------------------------------------------------------- which rounds, what
ROUNDS: Final = check(
    "table 7(s): rounds in history and record", "633a.7(s)", (CANNOT_TELL,),
    """Every round of the history has one line in the table record, and every line belongs to a round of the history. A
    round that only one of them has is named and not judged.""",
)  # fmt: skip
UNREAD: Final = check(
    "table 7(s): lines that cannot be read", "633a.7(s)", (CANNOT_TELL,),
    """A line of the table record that cannot be read is named, with its mistake. Its round is not judged. Nor are the
    lines whose rules submission it may have named. All others are judged.""",
)  # fmt: skip
SUBMITTED: Final = check(
    "table 2(b)(3): the table as submitted", "633a.2(b)(3)", (CANNOT_TELL,),
    """The shoe was set up for the game, the decks, the kind of shoe and the side of the red suits of the rules
    submission. If they differ nothing is settled: the rules of the round are not known.""",
)  # fmt: skip
UNSETTLED: Final = check(
    "table 7(a): cards of a settlement unknown", "633a.7(a)", (CANNOT_TELL,),
    "A round in which a card that counts is not known, or that the history does not hold whole, is not settled.",
)  # fmt: skip
LEFT_OUT: Final = check(
    "table 7(s): what the record leaves out", "633a.7(s)", (CANNOT_TELL,),
    """Only with --require-payments, else counted in the summary: a line has the payments, the places where wagers were
    settled and bets closed, the meters of progressive wagers, the players, the offer of insurance against an ace, the
    magic card and the lucky player where they count. Before a shoe's first round it has when the decks were opened, the
    shuffle, the offer of the cut, the cut with its depth, and the place of the cover card. If it has new decks, an idle
    table or an unusable shuffler, it also has what was done then. What the record leaves out is not checked. A round
    that was dealt with switch hands (633c.4) is not settled.""",
)  # fmt: skip
PLACES: Final = check(
    "table 7(s): places of events", "633a.7(s)", (CANNOT_TELL,),
    """If an event of the table record names a record or a card, that lies in its round. If not, the time of the event
    is not known, and the order of things in the round is not judged.""",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------------- wagers
MAIN_WAGER: Final = check(
    "table 6(d): main wager at each position dealt to", "633a.6(d)", (BREACH,),
    """Each position with cards has a main wager, and each main wager gets cards. The wagers are within the limits of
    the table. In Blackjack Switch both wagers are equal.""",
    "633a.12(a)(1)", "633c.4(b)", "633c.4(c)", "633c.4(k)", "633c.5(l)",
)  # fmt: skip
SIDE_WAGER: Final = check(
    "table 6(e): optional wagers as submitted", "633a.6(e)", (BREACH,),
    "Only optional wagers of the rules submission, within its limits, and only beside a main wager.",
)  # fmt: skip
ADJACENT: Final = check(
    "table 6(f): adjacent boxes of one player", "633a.6(f)", (BREACH,),
    "One player bets on no more adjacent boxes than the rules submission allows.",
)  # fmt: skip
BARRED: Final = check(
    "table 6(b): barred player bets", "633a.6(b)", (BREACH,),
    """The house may bar only a player who sat out a round. He bets again only when the house admits him, or after a
    reshuffle (the next load of a shoe).""",
)  # fmt: skip
CLOSED: Final = check(
    "table 6(c) timing: wagers before the first card", "633a.6(c) timing", (BREACH,),
    """Bets are closed before the round's first card or the determinant card. After that only insurance, doubles and
    splits are placed (reading 51).""",
)  # fmt: skip
LOCKED: Final = check(
    "table 2(d)(2): late progressive wager", "633a.2(d)(2)", (BREACH,),
    """After the deal has begun, the system accepts no Hit and Run or Straight Jack wager, and by 633a.2(c) no Bad Beat
    wager.""",
)  # fmt: skip
FROZEN: Final = check(
    "table 6(c) freeze: placed wagers untouched", "633a.6(c) freeze", (BREACH,),
    "Nobody handles, removes or alters a wager between the close of bets and its decision.",
)  # fmt: skip

# --------------------------------------------------------------------------------------------- decisions and the deal
DECISIONS: Final = check(
    "table 7(i)(2): decisions as dealt", "633a.7(i)(2)", (BREACH,),
    "The decisions of the table record are those that the shoe dealt, in the same order.",
)  # fmt: skip
BY_THE_RULES: Final = check(
    "table 7: round by the rules", "633a.7(i)(2)", (BREACH,),
    """The round is played again from its cards, wagers and decisions. Insurance, surrender, doubles, splits, draws and
    rescues, their amounts, and the dealer's draws follow the game's clauses. The finding names the first clause that
    the round breaks. The dealer goes on drawing for a live wager that depends on his cards (reading 21).""",
    "633a.7(m)", "633c.5(bb)",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------ order of things
EARLY: Final = check(
    "table 7(g): optional wagers settled after the deal", "633a.7(g)", (BREACH,),
    """Optional wagers are settled after the second card and before the reader or any further card, counterclockwise
    from the dealer's right. Wagers that may wait by the clause are settled at their own time.""",
)  # fmt: skip
WAITED: Final = check(
    "table 7(g): wagers that wait", "633a.7(g)", (BREACH,),
    """Three wagers wait for the reader or the hole card: a queen of hearts or king of spades pair, House Money against
    an ace or ten-count card, and Royal Match against a king or queen. They are settled before other cards are dealt or
    before the main wagers.""",
)  # fmt: skip
LATE: Final = check(
    "table 7(o): remaining wagers after all cards", "633a.7(o)", (BREACH,),
    "Remaining optional wagers are settled after all cards, counterclockwise from the dealer's right.",
)  # fmt: skip
MAIN_ORDER: Final = check(
    "table 7(r): order of settling main wagers", "633a.7(r)(1)", (BREACH,),
    """By procedure (1) of the rules submission all losing main wagers are collected first, then winners are paid. By
    (2) they are settled seat by seat. Both go counterclockwise from the dealer's right.""",
    "633a.7(r)(2)",
)  # fmt: skip
MAIN_TIME: Final = check(
    "table 7(r): main wagers settled after the cards", "633a.7(r)(1)", (BREACH,),
    "Main wagers that depend on the dealer's total are settled after his last card.",
)  # fmt: skip
IN_TURN: Final = check(
    "table 7(i)(1): settled at once", "633a.7(i)(1)(i)", (BREACH,),
    """A Blackjack, surrender or bust that is settled at once is settled after the deal and before the hole card is
    turned.""",
)  # fmt: skip
OFFERED: Final = check(
    "table 8(a): insurance offered", "633a.8(a)", (BREACH,),
    "Insurance is offered after the deal and before the reader is used, with an ace up and only then.",
)  # fmt: skip
INSURANCE_TOLD: Final = check(
    "table 8(a): insurance as the shoe recorded it", "633a.8(a)", (BREACH,),
    "The positions with insurance in the table record are those in the shoe's own record.",
)  # fmt: skip
INSURED: Final = check(
    "table 8(b) timing: insurance before the reader", "633a.8(b) timing", (BREACH,),
    "Insurance is offered, and even money paid, before the hole card goes into the reader.",
    "633a.8(e)",
)  # fmt: skip
INSURANCE_LOST: Final = check(
    "table 8(d): insurance settled after the reader", "633a.8(d)", (BREACH,),
    "Insurance is settled right after the reader's answer and before any further card.",
)  # fmt: skip
READER: Final = check(
    "table 7(h) eligibility: when the reader is used", "633a.7(h) eligibility", (BREACH,),
    """The reader is used with an ace or ten-count card up and only then, after insurance was offered and before any
    further card (reading 47).""",
)  # fmt: skip
READER_SAID: Final = check(
    "table 7(h) result: what the reader said", "633a.7(h) result", (BREACH,),
    "The answer in the table record is the one that the shoe recorded, and it fits the hole card.",
)  # fmt: skip
HOLE_TOLD: Final = check(
    "table 7(l): hole card turned as the shoe recorded it", "633a.7(l)", (CANNOT_TELL,),
    """The hole card is turned in the table record between the same cards as in the shoe's own records. If not, one of
    the two is wrong. It is not known which one.""",
)  # fmt: skip
VERIFIED: Final = check(
    "table 7(o): winners verified", "633a.7(o)(1)(ii)(A)", (BREACH,),
    """The dealer verifies a winning progressive wager before it is paid. From the clause's odds on the floorperson
    does.""",
)  # fmt: skip

# ----------------------------------------------------------------------------------------------------------- payments
PAID: Final = check(
    "table 13: paid as due", "633a.13(a)", (BREACH,),
    """Each wager won or lost the amount that the settlement gives, by the game's clauses, the paytables of the rules
    submission and the meters at that time. Amounts are net: a returned wager is 0.""",
    "633c.4(c)",
)  # fmt: skip
METER: Final = check(
    "table 13(j)(2): meters run on", "633a.13(j)(2)", (BREACH,),
    """Before each round a progressive meter shows what it showed before, the exact share of each wager added, and what
    was won from it taken off. It starts and resets at the amount of the rules submission or more. A break is named
    once, with what the meter must show; the next round is judged by what it showed. It may show more where the rules
    submission says that it is linked with other tables.""",
)  # fmt: skip
MYSTERY_METER: Final = check(
    "table 633c.14(c)(2): mystery meters run on", "633c.14(c)(2)", (BREACH,),
    """Before each round the meter of a mystery bonus shows what it showed before, the exact share of each qualifying
    wager added, and what was won from it taken off. It is set back to the minimum of its configuration and never stands
    below it. This is judged in every round that has a line, whether the round is settled or not.""",
)  # fmt: skip
HIDDEN: Final = check(
    "table 633c.14(c)(3): hidden value as committed", "633c.14(c)(3)", (BREACH, CANNOT_TELL),
    """A hidden value is committed to before the first contribution that it governs, and each commitment is opened by
    one value, which lies in the printed range. A commitment that was opened is not used again. Contributions without a
    commitment before them cannot be told, and neither can an opening that fits none after rounds that are missing. A
    commitment that is not opened is counted as not checked, and never as verified.""",
)  # fmt: skip
PASSED: Final = check(
    "table 633c.14(c)(3): bonus won by who passed the value", "633c.14(c)(3)", (BREACH, CANNOT_TELL),
    """An opened value was passed by a contribution of the round in which it was opened, and by none before: the meter
    does not run on past it. It never passes the maximum without an opening. Who won cannot be told where the order in
    which the system accepted the wagers, a part of a cent or the meter is not known and decides it. Then the payment of
    the bonus is not judged.""",
)  # fmt: skip
NEVER_SETTLED: Final = check(
    "table 7(q): every wager settled once", "633a.7(q) loss", (BREACH,),
    """If the table record has the settling of a round, each wager is settled once, and only wagers that were placed
    are.""",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------------ session
DECK_AGE: Final = check(
    "table 3(d): age of the decks", "633a.3(d) 24 h", (BREACH,),
    """Decks are replaced within 24 hours after they were opened at the table. In a game that is dealt from the hand
    they are replaced within 4 hours (reading 50).""",
    "633a.3(d) 4 h",
)  # fmt: skip
SPREAD: Final = check(
    "table 4(b): new decks spread face up", "633a.4(b)", (BREACH,),
    "New decks that did not come preshuffled are spread face up for the first player to inspect.",
)  # fmt: skip
OPENED: Final = check(
    "table 4(c): new decks spread, stacked, shuffled", "633a.4(c)", (BREACH,),
    """New decks that did not come preshuffled are spread for inspection, then mixed and stacked, then shuffled, by the
    order of the record.""",
)  # fmt: skip
APART: Final = check(
    "table 4(e): batches opened apart", "633a.4(e)", (BREACH,),
    """With an automatic shuffler that is not continuous each of the two batches is spread, mixed and stacked by itself,
    and with a double shoe each of its sides (633a.4(d)).""",
    "633a.4(d)",
)  # fmt: skip
IDLE: Final = check(
    "table 5(g): cards of an idle table", "633a.5(g)", (BREACH,),
    """The cards of an idle table leave the shoe and are spread face down, or face up if a player asks. Without an
    automatic shuffler they are stacked, shuffled and cut again, (g)(1); with one the batch in the shuffler is dealt,
    (g)(2). So the next round is the first of a shoe, and with a shuffler of the other batch. With a continuous shuffler
    nothing of this applies (633a.5(h)).""",
    "633a.5(g)(1)", "633a.5(g)(2)",
)  # fmt: skip
BATCHES: Final = check(
    "table 3(b)(4): batches alternate", "633a.3(b)(4)", (BREACH,),
    """With an automatic shuffler that is not continuous, two batches of different back colors alternate. One is dealt
    while the other is shuffled. The discard rack holds one of them.""",
)  # fmt: skip
SHUFFLED: Final = check(
    "table 5(a) when: shuffled before play", "633a.5(a) when", (BREACH,),
    """The cards are shuffled after the last shoe and before the first round of the next. Exceptions: they came
    preshuffled, or a continuous shuffler shuffles them (633a.4(f), .5(h)).""",
)  # fmt: skip
STACK_OFFERED: Final = check(
    "table 5(b): the stack offered for the cut", "633a.5(b)", (BREACH,),
    """The stack is offered for the cut with its backs facing away from the dealer. Who accepts cuts. If nobody does,
    the dealer cuts.""",
)  # fmt: skip
CUT_OFFER: Final = check(
    "table 5(c): who is offered the cut", "633a.5(c)(1)", (BREACH,),
    """The cut is offered to the first player at the start of play, or to the player at whose area the cover card came.
    Else it is offered counterclockwise from the player farthest to the dealer's right. The cover card counts for the
    player who was to get the next card (reading 33).""",
    "633a.5(c)(2)", "633a.5(c)(3)", "633a.5(c)(4)",
)  # fmt: skip
CUT_DEPTH: Final = check(
    "table 5(d) cut: depth of the cut", "633a.5(d) cut", (BREACH,),
    "A cut leaves 10 cards or more on either side (reading 34).",
)  # fmt: skip
COVER_TOLD: Final = check(
    "table 5(d) place: cover card where the shoe found it", "633a.5(d) place", (CANNOT_TELL,),
    """The number of cards behind the cover card is the same in the table record and by the shoe's count when the cover
    card came out. If not, one of the two is wrong. It is not known which one.""",
)  # fmt: skip
RECUT: Final = check(
    "table 5(e): recut before the load", "633a.5(e)", (BREACH,),
    "A recut that the floorperson ordered is made after the cut and before the cards are loaded.",
)  # fmt: skip
SHUFFLER: Final = check(
    "table 14(l): reshuffle after the shuffler failed", "633a.14(l)", (BREACH, HANDLED),
    "After the shuffler jams, stops or leaves its cycle, the cards are shuffled again before the next round.",
)  # fmt: skip
UNUSABLE: Final = check(
    "table 14(m): unusable shuffler covered", "633a.14(m)", (BREACH,),
    "A shuffler that cannot be used is covered or has a sign before the cards are shuffled in another way.",
)  # fmt: skip

TABLE_CHECKS: Final = tuple(name for name in CHECKS if name not in _BEFORE)
"""Names of the checks of this module."""
