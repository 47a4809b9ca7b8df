"""The rounds of the worked examples as they are settled from their histories, with $10 on each position in play.

`test_dealt_worked` holds them against dealt_worked.txt: what each position chose by the history, the round as the rules
of play take it (cards, what went wrong), and each wager's line; or why the round cannot be settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shoetool.deal import RuleError, play
from shoetool.model.cards import card_name
from shoetool.model.protocol_table import Game
from shoetool.model.records import Record
from shoetool.round_file.dealt_play import play_input
from shoetool.round_file.dealt_round import Actions, Missing, table_round
from shoetool.round_file.seats import BettingPosition
from shoetool.rules.submission.rules import RulesSubmission
from shoetool.settle.engine import settle
from shoetool.table.round import Round
from shoetool.table.stream import Stream

STAKE = 10_00


def rounds(history: Iterable[Record]) -> Iterator[tuple[Round, str, int, str]]:
    """Each round that was closed, with its game, decks and kind of shoe."""
    replay = Stream()
    for record in history:
        state = replay.feed(record)
        if state.closed_round is not None:
            yield state.closed_round, Game(state.game).name.lower(), state.decks, "double" if state.double else "single"


def told(one: Round, game: str, decks: int, shoe: str) -> Iterator[str]:
    """A round in lines."""
    rules = RulesSubmission.default(game, decks, **({"shoe": shoe, "red_side": "A"} if shoe == "double" else {}))
    actions = Actions(one)
    yield f"round {one.number}: {', '.join(f'{box} {words}' for box, words in sorted(actions.by_box.items()))}"
    seats = tuple(
        BettingPosition(box, STAKE, decisions=tuple((word, None) for word in actions.by_box.get(box, ())))
        for box in one.seat_list()
    )
    plain = play_input(one, seats, 1 if game == "from_the_hand" else 0)
    if plain is None:
        yield "  the rules have no word for it"
    else:
        yield f"  {' '.join(map(card_name, plain.cards))} {plain.determinant_from or ''}"
        yield from (f"  {note}" for note in plain.irregularities)
        try:
            play(
                *(rules, plain.stakes, plain.cards, plain.decisions, plain.irregularities),
                determinant_from=plain.determinant_from,
            )
        except RuleError as error:
            yield f"  refused: {error}"
    found = table_round(one, seats, RulesSubmission.default(game, decks), actions=actions)
    if isinstance(found, Missing):
        yield f"  not settled: {found}"
        return
    # What only a hybrid table has is told where there is some of it.
    yield f"  {found}".replace(", dealer=())", ")").replace(", community=())", ")")
    try:
        settlement = settle(found, rules)
        for line in settlement.lines:
            yield f"  {line.position}.{line.hand} {line.wager} {line.staked} {line.outcome} {line.clause} {line.net}"
        yield f"  net {list(settlement.nets)}, tray {settlement.tray}, house {settlement.house}"
    except RuleError as error:
        yield f"  refused: {error}"


def answers(name: str, history: Iterable[Record]) -> Iterator[str]:
    """All rounds of an example."""
    yield f"## {name}"
    for one, game, decks, shoe in rounds(history):
        yield from told(one, game, decks, shoe)
