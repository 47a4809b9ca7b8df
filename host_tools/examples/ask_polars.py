"""Four questions to the tables of `shoetool export`, asked with Polars.

    python ask_polars.py FOLDER

They are those of the files 01, 02, 03 and 05 in `queries/`, which ask them in SQL. The frames are lazy: Polars reads
only the columns that a question needs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl


def table(folder: Path, name: str) -> pl.LazyFrame:
    """One table: all its parts."""
    return pl.scan_parquet(folder / name / "*.parquet")


def week() -> pl.Expr:
    """The Monday of the week in which something began, UTC."""
    return pl.col("began").dt.truncate("1w").dt.date().alias("week")


def dealer_errors(folder: Path) -> pl.DataFrame:
    """How often does each dealer of each table err: breaches and irregularities for 100 rounds?"""
    rounds = table(folder, "rounds").with_columns(pl.col("path").cast(pl.String))
    found = (
        table(folder, "findings")
        .filter(pl.col("verdict").cast(pl.String).is_in(["breach", "irregularity handled"]))
        .select("path", first_record="round_record")
        .join(rounds.select("path", "table", "dealer", "first_record"), on=["path", "first_record"])
        .group_by("table", "dealer")
        .agg(errors=pl.len())
    )
    return (
        rounds.group_by("table", "dealer")
        .agg(rounds=pl.len())
        .join(found, on=["table", "dealer"], how="left", nulls_equal=True)
        .with_columns(pl.col("errors").fill_null(0))
        .with_columns(per_100=(100 * pl.col("errors") / pl.col("rounds")).round(2))
        .sort("per_100", "table", "dealer", descending=[True, False, False])
        .collect()
    )


def clause_by_week(folder: Path) -> pl.DataFrame:
    """How many findings under 633a.14 (irregularities) and its like in other chapters were there in each week?"""
    return (
        table(folder, "findings")
        .with_columns(pl.col("clause", "verdict").cast(pl.String))
        .filter(pl.col("clause").str.contains(r"^(633a\.14|590\.13|635a\.13)\("))
        .group_by(week(), "clause", "verdict")
        .agg(findings=pl.len())
        .sort("week", "clause", "verdict", nulls_last=True)
        .collect()
    )


def wear(folder: Path, card: str = "7♣") -> pl.DataFrame:
    """How does the printed code of a card wear: its margin by table, batch and week?"""
    return (
        table(folder, "margins")
        .filter(pl.col("source").cast(pl.String) == "cards", pl.col("card").cast(pl.String) == card)
        .group_by("table", "batch", week())
        .agg(
            pl.col("readings").sum(),
            pl.col("margin_least").min().alias("least"),
            (pl.col("margin_sum").sum() / pl.col("readings").sum()).round(1).alias("mean"),
        )
        .sort("table", "batch", "week")
        .collect()
    )


def payments_that_differ(folder: Path) -> pl.DataFrame:
    """Which payments differ from what was due, and by how much?"""
    return (
        table(folder, "settlements")
        .filter(pl.col("paid_cents") != pl.col("paid_for_cents"))
        .unique(["path", "first_record", "payment"])
        .select(
            pl.col("path").cast(pl.String), "round", "line", "position", "payment", "paid_cents",
            due_cents=pl.col("paid_for_cents"), over_cents=pl.col("paid_cents") - pl.col("paid_for_cents"),
        )
        .sort(pl.col("over_cents").abs(), "path", "round", "payment", descending=[True, False, False, False])
        .collect()
    )  # fmt: skip


def main() -> None:
    """Print the answers."""
    folder = Path(sys.argv[1])
    for question in (dealer_errors, clause_by_week, wear, payments_that_differ):
        print(question.__doc__)
        print(question(folder))


if __name__ == "__main__":
    main()
