"""What a hybrid gaming table and its electronic wagering terminals must have and say, 633c.5(a)-(g), (w)."""

from __future__ import annotations

from collections.abc import Iterator

from shoetool.model.naming import many
from shoetool.rules.games import Game
from shoetool.rules.submission.need import Need
from shoetool.rules.submission.rules import RulesSubmission

_ICON = "633c.5(c)(2)"
_COUNTDOWN = "at the end of the countdown a hand without a choice"


def hybrid_areas(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    """The boxes of the layout, which the version without a hole card does not ask for (633c.5(w)), and the layout of
    each terminal."""
    yield Need("device", f"{many(rules.positions, 'electronic wagering terminal')} by ch. 605a", "633c.5(a)")
    if not game.no_hole:
        count = game.facts.player_positions
        yield Need("layout", f"{count} boxes for the players' cards", "633c.5(b)(2)")
        yield Need("layout", "a box for the dealer's cards", "633c.5(b)(3)")
        yield Need("layout", "a community box for the cards that the dealer draws", "633c.5(b)(4)")
    yield Need("terminal", f"on each an electronic area for the {game.wager_name}", "633c.5(k)")


def hybrid_inscriptions(rules: RulesSubmission, game: Game) -> Iterator[Need]:
    """What the rules icon of each terminal says."""
    for what in ("Blackjack pays 3 to 2", "the dealer stands on all soft 17s", "Insurance pays 2 to 1"):
        yield Need("terminal", f"the rules icon: {what}", _ICON)
    most = rules.countdown_draws_to
    does = f"draws up to {most} and stands above" if most else "stands"
    yield Need("terminal", f"the rules icon: {_COUNTDOWN} {does}", _ICON)


def hybrid_devices() -> Iterator[Need]:
    """A device that reads and one that shuffles."""
    yield Need("device", "a card shuffling device", "633c.5(f)")
    yield Need("device", "a dealing shoe that reads the cards, in its approved place", "633c.5(j)")
