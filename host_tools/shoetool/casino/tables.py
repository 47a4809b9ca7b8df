"""The tables of a run, column by column: those of RESULTS_FORMAT.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

VERSION: Final = 2
"""Of the tables' schema. RESULTS_FORMAT.md tells what a newer one may change."""

_TIME: Final = pa.timestamp("ms", "UTC")
_WORD: Final = pa.dictionary(pa.int32(), pa.string())
_CARDS: Final = pa.list_(pa.string())


def _schema(columns: Mapping[str, Any], needed: Sequence[str]) -> pa.Schema:
    fields = [pa.field(name, kind, nullable=name not in needed) for name, kind in columns.items()]
    return pa.schema(fields, {"shoetool results": str(VERSION)})


RESULTS: Final[dict[str, pa.Schema]] = {
    "histories": _schema(
        {
            "path": pa.string(), "size": pa.int64(), "sha256": pa.string(), "verdict": _WORD, "headline": pa.string(),
            "error": pa.string(), "device": _WORD, "shoe": pa.int64(), "shoes": pa.int64(), "game": _WORD,
            "shoe_kind": _WORD, "decks": pa.int64(), "table": pa.int64(), "began": _TIME, "ended": _TIME,
            "time_basis": _WORD, "rounds": pa.int64(), "cards": pa.int64(), "records": pa.int64(),
            "first_record": pa.int64(),
            "last_record": pa.int64(), "boots": pa.int64(), "whole": pa.bool_(), "chain_ok": pa.bool_(),
            "face_down": pa.int64(), "findings": pa.int64(), "dropped": pa.int64(), "signed": pa.int64(),
            "signatures_good": pa.int64(), "signatures_pinned": pa.int64(), "table_record": pa.bool_(),
            "table_rounds": pa.int64(), "left_out": pa.list_(pa.string()), "notes": pa.list_(pa.string()),
        },
        ("path", "verdict", "headline"),
    ),
    "findings": _schema(
        {
            "path": pa.string(), "number": pa.int64(), "device": _WORD, "shoe": pa.int64(), "table": pa.int64(),
            "clause": _WORD, "check": _WORD, "verdict": _WORD, "round": pa.int64(), "round_record": pa.int64(),
            "began": _TIME, "ended": _TIME, "time_basis": _WORD, "records": pa.list_(pa.int64()),
            "cards": pa.list_(pa.string()), "sentence": pa.string(), "position": pa.int64(), "wager": _WORD,
            "hand": pa.int64(),
            "due_cents": pa.int64(), "paid_cents": pa.int64(),
        },
        ("path", "number", "clause", "check", "verdict", "sentence"),
    ),
    "signatures": _schema(
        {
            "path": pa.string(), "shoe": pa.int64(), "device": _WORD, "signed": pa.bool_(), "good": pa.bool_(),
            "fingerprint": _WORD, "pinned": pa.bool_(), "index": pa.int64(), "first_page": pa.int64(),
            "last_page": pa.int64(), "first_record": pa.int64(), "last_record": pa.int64(), "why": pa.string(),
            "found": pa.list_(pa.string()),
        },
        ("path", "shoe", "signed", "good"),
    ),
    "devices": _schema(
        {
            "device": pa.string(), "shoes": pa.int64(), "first_shoe": pa.int64(), "last_shoe": pa.int64(),
            "finding": pa.bool_(), "clause": pa.string(), "check": pa.string(), "sentence": pa.string(),
        },
        ("device", "shoes", "finding"),
    ),
}  # fmt: skip
"""What `verify --out` writes."""

_OF_SHOE: Final = {"path": _WORD, "device": _WORD, "shoe": pa.int64(), "table": pa.int64()}

PLAY: Final[dict[str, pa.Schema]] = {
    "events": _schema(
        {
            **_OF_SHOE, "record": pa.int64(), "boot": pa.int64(), "time": _TIME, "about_ms": pa.int64(), "kind": _WORD,
            "round": pa.int64(), "dealer": pa.int64(), "place": _WORD, "position": pa.int64(), "hand": pa.int64(),
            "head": _WORD, "role": _WORD, "card": _WORD, "batch": pa.int64(), "face_down": pa.bool_(),
            "of_record": pa.int64(), "duration_ms": pa.int64(), "margin": pa.int64(), "what": _WORD,
            "more": pa.string(),
        },
        ("path", "record", "boot", "kind"),
    ),
    "rounds": _schema(
        {
            **_OF_SHOE, "round": pa.int64(), "first_record": pa.int64(), "last_record": pa.int64(), "began": _TIME,
            "ended": _TIME, "time_basis": _WORD, "game": _WORD, "dealer": pa.int64(),
            "seats": pa.list_(pa.int64()), "hands": pa.int64(),
            "cards": pa.int64(), "side": _WORD, "dealer_cards": _CARDS, "dealer_total": pa.int64(),
            "revealed": pa.bool_(), "peek": _WORD, "insurance": pa.list_(pa.int64()), "cover_card": pa.bool_(),
            "outcome": _WORD, "irregularities": pa.list_(pa.string()), "settlement": _WORD, "line": pa.int64(),
        },
        ("path", "round", "first_record", "last_record", "settlement"),
    ),
    "hands": _schema(
        {
            **_OF_SHOE, "round": pa.int64(), "first_record": pa.int64(), "began": _TIME, "dealer": pa.int64(),
            "who": _WORD, "position": pa.int64(), "hand": pa.int64(), "hand_in_records": pa.int64(), "cards": _CARDS,
            "face_down": pa.int64(), "unknown": pa.int64(), "total": pa.int64(), "soft": pa.bool_(),
            "doubled": pa.bool_(), "from_split": pa.bool_(), "switched": pa.bool_(), "ended": _WORD,
        },
        ("path", "round", "first_record", "who"),
    ),
    "settlements": _schema(
        {
            **_OF_SHOE, "round": pa.int64(), "first_record": pa.int64(), "began": _TIME, "dealer": pa.int64(),
            "line": pa.int64(), "position": pa.int64(), "hand": pa.int64(), "wager": _WORD,
            "staked_cents": pa.int64(), "due_cents": pa.int64(), "odds": _WORD, "clause": _WORD, "outcome": _WORD,
            "source": _WORD, "stage": _WORD, "meter": _WORD, "payment": pa.int64(), "paid_cents": pa.int64(),
            "paid_for_cents": pa.int64(), "missing": _WORD,
        },
        ("path", "round", "first_record", "line"),
    ),
    "margins": _schema(
        {
            **_OF_SHOE, "head": _WORD, "source": _WORD, "card": _WORD, "batch": pa.int64(), "began": _TIME,
            "readings": pa.int64(), "margin_least": pa.int64(), "margin_sum": pa.int64(), "ms_least": pa.int64(),
            "ms_sum": pa.int64(),
        },
        ("path", "source", "readings"),
    ),
}  # fmt: skip
"""What `export` writes beside them."""

SCHEMAS: Final = RESULTS | PLAY
