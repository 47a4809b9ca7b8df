"""The clause of each duty in the three chapters: a table with a row for each duty, and a column for each chapter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar, get_type_hints

CHAPTERS: Final = ("633a", "590", "635a")
"""The columns: Blackjack, Free Bet Blackjack, Spanish 21."""
_Clauses = TypeVar("_Clauses", "PlayClauses", "TableClauses")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayClauses:
    """The clause of each rule of play, by the catalogue's ids; "" where the chapter has none."""

    positions: Annotated[str, "633a.2(a)", "590.2(a)", "635a.2(a)"]
    composition: Annotated[str, "633a.3(a)", "590.3(a)", "635a.3(a) composition"]
    main_wager: Annotated[str, "633a.6(d)", "590.6(d)", "635a.6(d)"]
    side_wagers: Annotated[str, "633a.6(e)", "590.6(e)", "635a.6(e)"]
    adjacent: Annotated[str, "633a.6(f)", "590.6(f)", "635a.6(f)"]
    from_shoe: Annotated[str, "633a.7(a)", "590.7(a)", "635a.7(a)"]
    burn: Annotated[str, "633a.7(c) batch", "590.7(c)", "635a.7(c)"]
    reader: Annotated[str, "633a.7(h) eligibility", "590.7(g)", "635a.7(g)"]
    dealer_blackjack: Annotated[str, "633a.7(h) result", "590.7(g)", "635a.7(g)"]
    turn_order: Annotated[str, "633a.7(i)", "590.7(h)(2)", "635a.7(h)(2)"]
    choices: Annotated[str, "633a.7(i)(2)", "590.7(h)(2)", "635a.7(h)(2)"]
    draw: Annotated[str, "633a.7(k)", "590.7(j)", "635a.7(j)"]
    no_draw_21: Annotated[str, "633a.7(k)(1)", "590.7(j)(1)", "635a.7(j)(1)"]
    one_card_double: Annotated[str, "633a.7(k)(2)", "590.7(j)(2)", "635a.7(j)(2)"]
    double_card: Annotated[str, "633a.10(c)", "590.10(c)", "635a.10(a) one card"]
    reveal: Annotated[str, "633a.7(l)", "590.7(k)", "635a.7(k)"]
    dealer_draw: Annotated[str, "633a.7(m)", "590.7(l)", "635a.7(l)"]
    no_dealer_draw: Annotated[str, "633a.7(n)", "590.7(m)", "635a.7(m)"]
    insurance: Annotated[str, "633a.8(a)", "590.8(a)", "635a.8(a)"]
    insurance_amount: Annotated[str, "633a.8(b) amount", "590.8(b) amount", "635a.8(b) amount"]
    insurance_timing: Annotated[str, "633a.8(b) timing", "590.8(b) timing", "635a.8(b) timing"]
    even_money: Annotated[str, "633a.8(e)", "", ""]
    surrender: Annotated[str, "633a.9(a) option", "590.9(a)", "635a.9(a)"]
    surrender_early: Annotated[str, "633a.9(a)(2)(ii)", "590.9(a)(2)", "635a.9(a)(2)"]
    double: Annotated[str, "633a.10(a)", "590.10(a)", "635a.10(a) cards"]
    free_double: Annotated[str, "", "590.10(a)(1)", ""]
    paid_double: Annotated[str, "633a.10(a)", "590.10(a)(2)", "635a.10(a) amount"]
    split: Annotated[str, "633a.11(a)", "590.11(a)", "635a.11(a)"]
    free_split: Annotated[str, "", "590.11(b)(2)", ""]
    paid_split: Annotated[str, "633a.11(a)", "590.11(b)(1)", "635a.11(a)"]
    split_order: Annotated[str, "633a.11(b)", "590.11(c) order", "635a.11(b)"]
    split_limit: Annotated[str, "633a.11(c) resplits", "590.11(d) limit", "635a.11(c) resplits"]
    rescue: Annotated[str, "", "", "635a.10(d)"]
    switch: Annotated[str, "", "", ""]
    face_up_card: Annotated[str, "633a.14(a)", "590.13(a)", "635a.13(a) one"]
    second_face_up_card: Annotated[str, "", "", "635a.13(a) more"]
    ten_found: Annotated[str, "", "", "635a.13(b) one"]
    second_ten: Annotated[str, "", "", "635a.13(b) more"]
    unexposed_error: Annotated[str, "633a.14(b)", "590.13(b)", "635a.13(c)"]
    exposed_error: Annotated[str, "633a.14(c) use", "590.13(c)", "635a.13(d)"]
    refused: Annotated[str, "633a.14(c) refusal", "590.13(c)", "635a.13(d)"]
    discard: Annotated[str, "633a.14(c) discard", "590.13(c)", "635a.13(d)"]
    dealer_17: Annotated[str, "633a.14(d)", "590.13(d)", "635a.13(e)"]
    dealer_missed: Annotated[str, "633a.14(e)", "590.13(e)", "635a.13(f)"]
    too_few: Annotated[str, "633a.14(f) reshuffle", "590.13(f)", "635a.13(g)"]
    too_few_burn: Annotated[str, "633a.14(f) burn", "590.13(f)", "635a.13(g)"]
    no_cards: Annotated[str, "633a.14(g) none", "590.13(g)", "635a.13(h)"]
    one_card: Annotated[str, "633a.14(g) one", "590.13(g)", "635a.13(h)"]
    wrong_side: Annotated[str, "633a.14(h)", "", ""]
    missed_card: Annotated[str, "633a.14(i)", "590.13(h)", "635a.13(i)"]
    reader_misused: Annotated[str, "633a.14(j)(1)", "590.13(i)", "635a.13(j)(1)"]
    reader_failed: Annotated[str, "633a.14(k)", "590.13(j)", "635a.13(k)"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClauses:
    """The clause that requires each thing that a table of the game needs: section .2 of its chapter, cards by .3.

    main_area, optional_areas: areas for the wagers on the layout. stated: what the layout states, and `also` what it or
    a sign states beside it, as (where, what, clause). deck_hours: after how many hours the decks are changed, by
    `changed`.
    """

    main_area: Annotated[str, "633a.2(b)(2)", "590.2(b)(2)", "635a.2(b)(2)"]
    optional_areas: Annotated[str, "633a.2(b)(4)-(9), (11)-(14)", "590.2(b)(4)", "635a.2(b)(5)"]
    stated: Annotated[str, "633a.2(b)(3)", "590.2(b)(3)(i)-(iii)", "635a.2(b)(3)(i)-(iii)"]
    payouts: Annotated[str, "633a.2(b)(15)", "590.2(b)(5)", "635a.2(b)(6)"]
    reader: Annotated[str, "633a.2(f) first sentence", "590.2(d) first sentence", "635a.2(d) first sentence"]
    rack: Annotated[str, "633a.2(g)(1)-(2)", "590.2(e)(1)-(2)", "635a.2(e)(1)-(2)"]
    batches: Annotated[str, "633a.3(b)(1)", "590.3(b)(1)", "635a.3(d)(1)"]
    backs: Annotated[str, "633a.3(b)(2)", "590.3(b)(2)", "635a.3(d)(2)"]
    decks: Annotated[str, "633a.3(a)", "590.3(a)", "635a.3(a) count"]
    changed: Annotated[str, "633a.3(d) 24 h", "590.3(c)", "635a.3(b)"]
    deck_hours: int = 24
    also: tuple[tuple[str, str, str], ...] = ()


_DEAL: Final = (
    ("633a.7(f)(1)", "590.7(e)(1)-(4)", "635a.7(e)(1)-(4)"),
    ("633a.7(f)(2)", "590.7(e)(1)-(4)", "635a.7(e)(1)-(4)"),
    ("633a.7(f)(3)", "590.7(e)(1)-(4)", "635a.7(e)(1)-(4)"),
    ("633a.7(f)(4)", "590.7(e)(1)-(4)", "635a.7(e)(1)-(4)"),
)
"""Each pass of the opening deal."""
_OTHERS: Final = (
    ("633a.2(f) second sentence", "590.2(d) second sentence", "635a.2(d) second sentence"),
    ("633a.3(b)(3)", "590.3(b)(3)", "635a.3(d)(3)"),
    ("633a.3(b)(4)", "590.3(b)(4)", "635a.3(d)(4)"),
    ("633a.3(b)(5)", "590.3(b)(5)", "635a.3(d)(5)"),
    ("633a.3(c) backs", "590.3(b)(2)", "635a.3(d)(2)"),
    ("633a.3(c) cover cards", "590.3(a)", "635a.3(a) count"),
    ("633a.4(b)", "590.4(b)", "635a.4(c)"),
    ("633a.4(c)", "590.4(c)", "635a.4(d)"),
    ("633a.4(e)", "590.4(d)", "635a.4(f)"),
    ("633a.4(f)", "590.4(e)", "635a.4(e)"),
    ("633a.5(a) when", "590.5(a)", "635a.5(a)"),
    ("633a.5(b)", "590.5(b)", "635a.5(b)"),
    ("633a.5(c)(1)", "590.5(c)(1)", "635a.5(c)(1)"),
    ("633a.5(c)(2)", "590.5(c)(2)", "635a.5(c)(2)"),
    ("633a.5(c)(3)", "590.5(c)(3)", "635a.5(c)(3)"),
    ("633a.5(c)(4)", "590.5(c)(4)", "635a.5(c)(4)"),
    ("633a.5(d) cut", "590.5(d) cut", "635a.5(d) cut"),
    ("633a.5(d) place", "590.5(d) place", "635a.5(d) place"),
    ("633a.5(e)", "590.5(e)", "635a.5(e)"),
    ("633a.5(f)", "590.5(f)", "635a.5(f)"),
    ("633a.5(g)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)"),
    ("633a.5(g)(1)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)"),
    ("633a.5(g)(2)", "590.5(g)(1)-(2)", "635a.5(g)(1)-(2)"),
    ("633a.5(h)", "590.5(h)", "635a.5(h)"),
    ("633a.6(b)", "590.6(b)", "635a.6(b)"),
    ("633a.6(c) freeze", "590.6(c)", "635a.6(c)"),
    ("633a.6(c) timing", "590.6(c)", "635a.6(c)"),
    ("633a.7(b)", "590.7(b)", "635a.7(b)"),
    ("633a.7(c) dealer", "590.7(c)", "635a.7(c)"),
    ("633a.7(e)", "590.7(d)", "635a.7(d)"),
    ("633a.7(e)(1)", "590.7(d)(1)-(2)", "635a.7(d)"),
    ("633a.7(f)", "590.7(e)(1)-(4)", "635a.7(e)(1)-(4)"),
    ("633a.7(g)", "", "635a.7(f)"),
    ("633a.7(h) method", "590.7(g)", "635a.7(g)"),
    ("633a.7(j)", "590.7(i)", "635a.7(i)"),
    ("633a.7(o)", "590.7(n)(2)", ""),
    ("633a.7(r)(1)", "590.7(r)(1)-(2)", "635a.7(p)(1)-(2)"),
    ("633a.7(r)(2)", "590.7(r)(1)-(2)", "635a.7(p)(1)-(2)"),
    ("633a.7(s)", "590.7(s)", "635a.7(q)"),
    ("633a.8(d)", "590.8(d)", "635a.8(d)"),
    ("633a.13(a)", "590.12(a)", "635a.12(a)"),
    ("633a.14(j)", "590.13(i)", "635a.13(j)(2)"),
    ("633a.14(l)", "590.13(k)", "635a.13(l)"),
    ("633a.14(m)", "590.13(l)", "635a.13(m)"),
)
"""Duties that only checks of a history or of a table record name."""


def _rows(kind: type) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name and clauses of each row of the class, in the order of the columns."""
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if hasattr(hint, "__metadata__"):
            yield name, hint.__metadata__


def clauses_of(kind: type[_Clauses], chapter: str) -> _Clauses:
    """The column of a chapter."""
    column: dict[str, Any] = {name: row[CHAPTERS.index(chapter)] for name, row in _rows(kind)}
    return kind(**column)


def deal_clauses(chapter: str) -> tuple[str, ...]:
    """The clause of each pass of the chapter's opening deal."""
    return tuple(row[CHAPTERS.index(chapter)] for row in _DEAL)


def counterparts(chapter: str) -> dict[str, str]:
    """The clauses of ch. 633a, each with the one that the chapter has in its place.

    Where ch. 633a has one clause for several duties, the first row decides.
    """
    named = (row for kind in (PlayClauses, TableClauses) for _, row in _rows(kind))
    rows = [(row[0], row[CHAPTERS.index(chapter)]) for row in (*_DEAL, *named, *_OTHERS)]
    return {blackjack: other for blackjack, other in reversed(rows) if blackjack and other}


def in_chapters(clause: str) -> tuple[str, ...]:
    """A clause of ch. 633a with those that the other chapters have in its place."""
    return tuple(filter(None, (clause, *(counterparts(chapter).get(clause, "") for chapter in CHAPTERS[1:]))))
