"""The lines of a mystery bonus that was won: what each winner gets, from where, and the reset of its meter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shoetool.model.money import dollars
from shoetool.rules.odds import Odds
from shoetool.rules.round import Line, Note, Source, Stage
from shoetool.rules.submission.rules import MysteryOffer
from shoetool.rules.wagers.mystery import MYSTERIES, Mystery, configuration
from shoetool.settle.mystery import Hit

_ALL: Final = Odds.parse("100% of meter")


def bonus_lines(key: str, hit: Hit, offer: MysteryOffer) -> list[Line]:
    """Return a line for each winner, 633c.14(c)(5)(iii), and one for the meter, which is set back to the minimum.

    By the rules submission it is paid from the table inventory, or by a slip (633c.14(c)(6)). From the inventory the
    tray pays, and what the meter holds goes to the house. ValueError when it is not known who won, or what.
    """
    if hit.paid is None or not hit.winners:
        raise ValueError("who won the bonus, and what, must be known")
    mystery, minimum = MYSTERIES[key], configuration(key, offer.configuration).minimum
    source: Source = "tray" if offer.paid_from == "tray" else "meter"
    words = f"the contribution took the meter past the hidden value, pays {_ALL.text} ({mystery.pays})"
    notes = tuple(_notes(mystery, hit, offer))
    found = [
        Line(
            *(position, None, key, 0, "hit", words, mystery.hidden, _ALL, 0, hit.paid, source),
            *(Stage.ANY_TIME, notes),
        )
        for position in hit.winners
    ]
    put_in = minimum - (hit.paid * len(hit.winners) if source == "tray" else 0)
    words = f"the bonus was won: the meter is set back to ${dollars(minimum)}"
    reset = (None, None, key, 0, "meter_reset", words, mystery.resets, None, 0, put_in)
    return [*found, Line(*reset, source="house", stage=Stage.AFTER_ALL)]


def _notes(mystery: Mystery, hit: Hit, offer: MysteryOffer) -> Iterator[Note]:
    """What the clauses ask for beside the payout, and how it was shared or limited."""
    yield mystery.light, "the dealer verifies that the right light of the progressive system is lit"
    yield mystery.validates, "a floorperson or above validates the payout"
    where = "from the table inventory" if offer.paid_from == "tray" else "by a progressive jackpot slip"
    yield mystery.sources, f"paid {where}"
    if mystery.stay:
        yield mystery.stay, "the player's cards remain on the table until the documentation is complete"
    if len(hit.winners) > 1:
        yield mystery.pays, f"{len(hit.winners)} players whose wagers contributed in this round share the meter equally"
