"""`shoetool enter`: ask for a round hand by hand, settle it, and write its round file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from shoetool.cli.examples import examples
from shoetool.cli.exits import BAD_INPUT, FINDINGS, FINE, say
from shoetool.cli.options import table_option
from shoetool.cli.output import console
from shoetool.cli.outputs import OutputFile, output_option
from shoetool.cli.settle import heading
from shoetool.cli.settling import HistoryRounds, settle_entry
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import ROUND
from shoetool.model.output_file import write_whole
from shoetool.report.settlement import settlement_lines
from shoetool.round_file.fields import (
    CHOICES,
    MOST_POSITIONS,
    WITH_AMOUNT,
    Fault,
    decisions,
    hint,
    lying,
    money,
)
from shoetool.round_file.file import FORMAT, parse
from shoetool.round_file.tables import Rules
from shoetool.rules.games import game
from shoetool.rules.submission.rules import RulesSubmission

T = TypeVar("T")


@click.command(
    "enter",
    epilog=examples(
        ("enter --out dispute.json", "asks and writes"),
        ("enter --table table-7.toml --out r.json", "at this table"),
    ),
)
@table_option("The table's rules submission, or the name of an example. Without it the command asks.")
@output_option("--out", type=OutputFile(ROUND), required=True, metavar="FILE", help="The round file to write.")
def command(table: str | None, out: Path) -> int:
    """Ask for a round as it lay on the table, hand by hand, and write its round file.

    Each answer is checked when it is given. At the end the round is settled; where the rules do not allow it, the
    command says why and asks for that part again. Questions go to standard error. An empty answer leaves something
    out. Ctrl-C writes nothing. Exits with code 1 when a payment is not what was due,
    with code 2 when the file was written although the round could not be settled.
    """
    named, rules = _table(table)
    if game(rules.game).facts.community:
        raise BadInput(
            f"{named}: at a hybrid table cards are shared, so hands do not tell the round; write a round file"
        )
    document: dict[str, Any] = {"format": FORMAT, "table": named}
    if name := _asked("What tells this round from others", str.strip):
        document["name"] = name
    document["dealer"] = _wanted("Dealer's hand, up card first, such as 9♠ 7♦ K♣", _hand)
    document["positions"] = []
    while (number := _asked("Position, 1 to 7, empty when all are there", _position)) is not None:
        _replace(document, _seat(number, rules, document["dealer"]))
    if not document["positions"]:
        raise BadInput("a round needs at least one position with a main wager (633a.6(d)); nothing was written")
    code = _settled(document, rules, named)
    write_whole(out, _text(document), ROUND)
    console().print(f"written: {out}\nnext: shoetool settle {out}")
    return code


def _table(given: str | None) -> tuple[str, RulesSubmission]:
    """The name of the rules submission, and what it says."""
    if given is not None:
        return given, Rules(given, None).find(None, given)
    return _wanted("Table: a rules submission, or an example such as blackjack", _rules)


def _rules(text: str) -> tuple[str, RulesSubmission]:
    return text, Rules(text, None).find(None, text)


def _seat(number: int, rules: RulesSubmission, dealer: str) -> dict[str, Any]:
    """Ask for one position; insurance and even money are offered where the dealer shows an ace."""
    ace_up = lying(dealer, ())[0] % 13 == 0
    seat: dict[str, Any] = {"position": number}
    if player := _asked("  Player, any words", str.strip):
        seat["player"] = player
    seat["wager"] = _wanted("  Main wager, such as 25 or 12.50", _amount)
    if rules.wagers:
        offered = ", ".join(rules.wagers)
        side = _asked(f"  Optional wagers, such as lucky_ladies 5 ({offered})", lambda text: _side(text, rules))
        if side:
            seat["side"] = side
    hands = [_wanted("  Hand 1 from the left, such as K♥ 6♦", _hand)]
    while hand := _asked(f"  Hand {len(hands) + 1}, empty when all are there", _hand):
        hands.append(hand)
    seat["hands"] = hands[0] if len(hands) == 1 else hands
    if ace_up:
        if insurance := _asked("  Insurance", _amount):
            seat["insurance"] = insurance
        if rules.even_money and _asked("  Even money was taken for its Blackjack (yes or empty)", _yes):
            seat["even_money"] = True
    if chosen := _asked("  Decisions in order, such as split hit stand, or double:10", _decisions):
        seat["decisions"] = chosen
    paid = _asked("  Paid for the whole position, won +, lost -; empty when not known", _signed)
    if paid is not None:
        seat["paid"] = paid
    return seat


def _settled(document: dict[str, Any], rules: RulesSubmission, named: str) -> int:
    """Settle the round and show it; ask again for what the rules do not allow. Returns the exit code."""
    while True:
        try:
            (entry,) = parse(_text(document), "the round")
            settled = settle_entry(entry, Rules(named, None), HistoryRounds((), ()), "the round")
        except BadInput as error:
            say(str(error))
            part = _asked("Which part is to be entered again: dealer, or a position; empty writes it as it is", _part)
            if part is None:
                return BAD_INPUT
            if part == "dealer":
                document["dealer"] = _wanted("Dealer's hand, up card first", _hand)
            else:
                _replace(document, _seat(int(part), rules, document["dealer"]))
            continue
        out = console()
        lines = settlement_lines(
            heading(entry, "the round"), settled.round, settled.settlement, settled.differences, out.width
        )
        for line in lines:
            out.print(line)
        return FINDINGS if settled.differences else FINE


def _replace(document: dict[str, Any], seat: dict[str, Any]) -> None:
    """Put a position among the others in order, in the place of one of that number; what it was paid stands apart."""
    number = seat["position"]
    paid = seat.pop("paid", None)
    others = [one for one in document["positions"] if one["position"] != number]
    document["positions"] = sorted([*others, seat], key=lambda one: int(one["position"]))
    payments = [one for one in document.pop("paid", ()) if one["position"] != number]
    if paid is not None:
        payments.append({"position": number, "amount": paid})
    if payments:
        document["paid"] = sorted(payments, key=lambda one: int(one["position"]))


def _text(document: dict[str, Any]) -> str:
    """The round file, each position and each payment on a line."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list):
            inside = ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in value)
            lines.append(f'  "{key}": [\n{inside}\n  ]')
        else:
            lines.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


# ------------------------------------------------------------------------------------------------------- the answers
def _asked(question: str, read: Callable[[str], T]) -> T | None:
    """Ask until the answer can be read, and return it; None for an empty one."""
    while True:
        answer = click.prompt(question, default="", show_default=False, err=True).strip()
        if not answer:
            return None
        try:
            return read(answer)
        except Fault as fault:
            say(fault.what)
        except BadInput as error:
            say(str(error))


def _wanted(question: str, read: Callable[[str], T]) -> T:
    """As `_asked`, until there is an answer."""
    while (found := _asked(question, read)) is None:
        say("this cannot be left out; Ctrl-C ends, and nothing is written")
    return found


def _hand(text: str) -> str:
    lying(text, ())
    return " ".join(text.split())


def _amount(text: str) -> str:
    money(text, ())
    return text


def _signed(text: str) -> str:
    money(text, (), signed=True)
    return text


def _position(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_POSITIONS):
        raise BadInput(f"{text[:20]!r} is no position; write 1, at the dealer's far left, to {MOST_POSITIONS}")
    return int(text)


def _part(text: str) -> str:
    return text if text == "dealer" else str(_position(text))


def _yes(text: str) -> bool:
    if text.lower() not in ("y", "yes", "n", "no"):
        raise BadInput(f"{text[:20]!r}: write yes or no")
    return text.lower().startswith("y")


def _side(text: str, rules: RulesSubmission) -> dict[str, str]:
    words = text.replace(",", " ").split()
    if len(words) % 2:
        raise BadInput("write each wager with its amount, such as lucky_ladies 5")
    found = {}
    for key, amount in zip(words[::2], words[1::2], strict=True):
        if key not in rules.wagers:
            raise BadInput(f"{key[:40]!r} is no wager of this table{hint(key, list(rules.wagers))}")
        found[key] = _amount(amount)
    return found


def _decisions(text: str) -> list[str | dict[str, str]]:
    found: list[str | dict[str, str]] = []
    for word in text.replace(",", " ").split():
        name, colon, amount = word.partition(":")
        if colon and name not in WITH_AMOUNT:
            raise BadInput(f"{word[:30]!r}: only {' and '.join(WITH_AMOUNT)} take an amount")
        if name not in CHOICES:
            raise BadInput(f"{word[:30]!r} is not a decision{hint(name, CHOICES)}")
        found.append({name: _amount(amount)} if colon else name)
    decisions(found, ())
    return found
