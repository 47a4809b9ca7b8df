"""Wagers and decisions of a round against the rules: it is played again, and what cannot be is named by its clause."""

from __future__ import annotations

from typing import Final

from shoetool.deal import RuleError, Stake
from shoetool.deal.stakes import nearest_stake, verify_stakes
from shoetool.judge import registry_table as reg
from shoetool.judge.finding import BREACH
from shoetool.model.cards import card_name
from shoetool.model.naming import many
from shoetool.round_file.dealt_play import play_input
from shoetool.round_file.play import selected_by, stakes_of
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.games import game
from shoetool.rules.round import Box, TableRound
from shoetool.rules.wagers import WAGERS
from shoetool.rules.wagers.pressing import PRESS_WORDS
from shoetool.verify.table_record.facts import Facts

SAME_KEY: Final = {"free_double": "double", "free_split": "split", "dead_hand": "late_card"}
"""Words of a record that the shoe does not tell from one another."""
_UNSEEN: Final = frozenset(PRESS_WORDS)


def check_seats(facts: Facts) -> bool:
    """633a.6(d): who is dealt cards has a wager, and the other way round; True when they agree."""
    dealt = facts.round.seat_list()
    placed = [seat.position for seat in facts.entry.seats]
    if placed == dealt:
        return True
    for position in dealt:
        if position not in placed:
            facts.add(reg.MAIN_WAGER, f"position {position} was dealt cards and has no main wager in the record.")
    for position in placed:
        if position not in dealt:
            text = f"position {position} has a main wager in the record and was not dealt cards."
            facts.add(reg.MAIN_WAGER, text)
    if sorted(set(placed)) == dealt and placed != dealt:
        facts.add(reg.MAIN_WAGER, "the record names a position twice, or its positions out of order.")
    return False


def check_antes(facts: Facts) -> bool:
    """633c.4(c), 633c.4(k): who has an ante in the record was dealt switch hands cards; True when they agree."""
    agreed = True
    for seat in facts.entry.seats:
        dealt = bool(facts.round.antes >> (seat.position - 1) & 1)
        if bool(seat.ante) == dealt:
            continue
        agreed = False
        if dealt:
            text = f"position {seat.position} was dealt with a switch hands ante and has none in the record."
        else:
            text = f"position {seat.position} has a switch hands ante in the record and was dealt without one."
        facts.add(reg.MAIN_WAGER, text, "633c.4(c)" if dealt else "633c.4(k)")
    return agreed


def check_selected(facts: Facts) -> None:
    """633c.5(l): the player position of each terminal in the record is the one that the shoe dealt it."""
    for seat in facts.entry.seats:
        told, dealt = seat.player_position, facts.round.selection(seat.position) or None
        if told is not None and told != dealt:
            shoe = f"player position {dealt}" if dealt else "none"
            text = f"position {seat.position} has player position {told} in the record; the shoe has {shoe}."
            facts.add(reg.MAIN_WAGER, text, "633c.5(l)")


def check_said(facts: Facts) -> bool:
    """633a.7(i)(2): what the record says that was chosen is what the history shows; True when it is."""
    by_box = facts.actions.by_box
    agreed = True
    for seat in facts.entry.seats:
        shown = by_box.get(seat.position)
        if shown is None:
            continue  # it was not dealt to: reported already
        if len(shown) == len(seat.decisions):
            for (word, _), seen in zip(seat.decisions, shown, strict=True):
                if word != seen and SAME_KEY.get(word) != seen:
                    break
            else:
                continue
        said = [SAME_KEY.get(word, word) for word, _ in seat.decisions if word not in _UNSEEN]
        if said == shown:
            continue
        agreed = False
        here, dealt = decision_words(said), decision_words(shown)
        text = f"position {seat.position}: the record has {here}, the shoe dealt {dealt}."
        facts.add(reg.DECISIONS, text)
    return agreed


def check_insured(facts: Facts) -> None:
    """633a.8(a): who insured by the record is who did by the shoe's own, if it has one."""
    insured = facts.round.insured
    if insured < 0:
        return
    for seat in facts.entry.seats:
        told = bool(insured >> (seat.position - 1) & 1)
        if bool(seat.insurance) != told:
            where = "in the shoe's records" if told else "in the table record"
            text = f"position {seat.position} has insurance {where} only."
            facts.add(reg.INSURANCE_TOLD, text)


def decision_words(words: list[str]) -> str:
    """Decisions as people read them, such as `split, double`."""
    return ", ".join(word.replace("_", " ") for word in words) or "no decision"


def check_rules(facts: Facts) -> None:
    """Play the round again; the first clause that it does not keep is named, and every wager that is not allowed."""
    seats = facts.entry.seats
    given = play_input(facts.round, seats, game(facts.rules.game).deal.burns)
    try:
        if given is None:
            verify_stakes(facts.rules, stakes_of(seats, facts.round))
            return
        played = given.play(facts.rules)
    except RuleError as error:
        # A dealer's Blackjack that no reader told: the checks of the reader name that.
        unread = facts.actions.read is None and error.clause == game(facts.rules.game).clauses.dealer_blackjack
        if not _wagers_refused(facts) and not unread and not _known(facts, error.clause):
            facts.add(reg.BY_THE_RULES, f"{_sentence(error)}.", error.clause)
        return
    # A round that the rules allow, but with other cards or wagers in its hands than the shoe dealt.
    if facts.table_round is not None and (found := differs(played, facts.table_round)):
        facts.add(reg.BY_THE_RULES, *found)


def _wagers_refused(facts: Facts) -> bool:
    """Name each wager that the table does not take; True when there is one."""
    refused = False
    clauses = game(facts.rules.game).clauses
    for seat in facts.entry.seats:
        for stake in _one_by_one(facts, seat):
            try:
                verify_stakes(facts.rules, [stake])
            except RuleError as error:
                refused = True
                check = reg.SIDE_WAGER if stake.side else reg.MAIN_WAGER
                facts.add(check, f"{_sentence(error)}.", error.clause)
    if refused:
        return True
    try:
        verify_stakes(facts.rules, stakes_of(facts.entry.seats, facts.round))
    except RuleError as error:
        check = reg.ADJACENT if error.clause == clauses.adjacent else reg.MAIN_WAGER
        facts.add(check, f"{_sentence(error)}.", error.clause)
        return True
    return False


def _one_by_one(facts: Facts, seat: BettingPosition) -> list[Stake]:
    """The main wager alone, then each optional wager beside wagers that are allowed: main wager, and what it needs."""
    allowed = min(max(seat.wager, facts.rules.minimum), facts.rules.maximum)
    allowed, ante = nearest_stake(facts.rules, allowed, seat.ante)
    at, selected = (seat.position,), selected_by(facts.round, seat)
    sides = []
    for key, amount in seat.side.items():
        needs = WAGERS[key].beside if key in WAGERS else None
        offer = facts.rules.wagers.get(needs.wager) if needs is not None and needs.wager in seat.side else None
        beside = {needs.wager: offer.minimum} if needs is not None and offer is not None else {}
        sides.append(Stake(*at, allowed, {**beside, key: amount}, ante=ante, player_position=selected))
    return [Stake(*at, seat.wager, ante=seat.ante, player_position=selected), *sides]


def _sentence(error: RuleError) -> str:
    """What the refusal says, without its clause."""
    return str(error).removesuffix(f" ({error.clause})")


def _known(facts: Facts, clause: str) -> bool:
    """Whether the shoe's own checks named this clause for the round already."""
    number = facts.round.number
    for finding in reversed(facts.ctx.findings):
        if finding.round != number:
            return False
        if finding.clause == clause and finding.verdict == BREACH:
            return True
    return False


def differs(played: TableRound, dealt: TableRound) -> tuple[str, str | None] | None:
    """Where the round by the rules has other cards than were dealt: a sentence and its clause; None when nowhere."""
    for mine, other in zip(played.boxes, dealt.boxes, strict=False):
        text = _difference(mine, other)
        if text:
            return text, None
    for mine, other in zip(played.boxes, dealt.boxes, strict=False):
        if mine.dealer != other.dealer:
            due, seen = (" ".join(map(card_name, box.dealer)) for box in (mine, other))
            text = f"position {mine.position}: the dealer's hand by the rules is {due}; the shoe dealt {seen}."
            return text, "633c.5(bb)"
    if played.dealer != dealt.dealer:
        due, seen = (" ".join(map(card_name, cards)) for cards in (played.dealer, dealt.dealer))
        return f"the dealer's hand by the rules is {due}; the shoe dealt {seen}.", "633a.7(m)"
    return None


def _difference(played: Box, dealt: Box) -> str:
    if len(played.hands) != len(dealt.hands):
        hands = many(len(played.hands), "hand")
        return f"position {played.position} has {hands} in the record, and the shoe dealt {len(dealt.hands)}."
    for mine, other in zip(played.hands, dealt.hands, strict=True):
        if mine.cards != other.cards:
            due, seen = (" ".join(map(card_name, hand.cards)) for hand in (mine, other))
            return f"position {played.position}, hand {mine.number}: the record gives it {due}, the shoe dealt {seen}."
    alone = played.hands and played.hands[0].end == "dealer_blackjack"  # a card of a wager's own, 633c.9(d)(4)
    if alone and played.third != dealt.third:
        due, seen = ("no card" if card is None else card_name(card) for card in (played.third, dealt.third))
        return f"position {played.position} is due {due} after the dealer's Blackjack, and the shoe dealt it {seen}."
    return ""
