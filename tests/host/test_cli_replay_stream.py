"""`replay --json` of a long history: the same document as ever, in the memory of a round."""

from __future__ import annotations

import contextlib
import os
import tracemalloc
from pathlib import Path

import pytest
from dealer_script import Dealer, Table
from histories import IDENTITY, Script, cut_pages
from shoetool.cli import build, output
from shoetool.history.chain import page_number
from shoetool.history.store import ShoelogWriter


def played(path: Path, shoes: int) -> Path:
    """A file of so many whole shoes of six decks."""
    made, page = 0, 0
    with ShoelogWriter(path, sync=False) as writer:
        writer.set_identity(IDENTITY)
        for shoe in range(1, shoes + 1):
            script = Script(first_record=made, boot=1 if made else 0)
            script = Dealer(Table(), shoe, "", script).play_shoe(boot=not made)
            pages = cut_pages(script.records, page, shoe)
            for data in pages:
                writer.append_page(data)
            page = page_number(pages[-1]) + 1
            made += len(script.records)
    return path


def most_memory(path: Path) -> int:
    """Bytes that printing the document takes at most."""
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.suppress(SystemExit):
        tracemalloc.start()
        try:
            build().main(["replay", str(path), "--json"])
        finally:
            most = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    return most


def test_the_memory_does_not_grow_with_the_history(tmp_path: Path) -> None:
    short, long = played(tmp_path / "1.shoelog", 1), played(tmp_path / "5.shoelog", 5)
    most_memory(short)  # what is imported and cached counts in neither
    assert most_memory(long) < most_memory(short) + 200_000


@pytest.mark.parametrize("values", [[], [1], [{"a": [1, 2], "b": {}}, {"c": "10♥\n"}, []]])
def test_a_list_is_printed_as_the_whole_document_would_be(
    values: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    output.emit("x", {"file": "f", "rounds": values})
    whole = capsys.readouterr().out
    output.emit_list("x", {"file": "f"}, "rounds", iter(values))
    assert capsys.readouterr().out == whole


@pytest.mark.parametrize("values", [[], [1], [{"a": {"b": {}}}]])
def test_what_is_known_after_the_list_stands_behind_it(
    values: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    output.emit("x", {"rounds": values, "keys": [{"key": "deal"}], "more": {}})
    whole = capsys.readouterr().out
    output.emit_list("x", {}, "rounds", iter(values), {"keys": [{"key": "deal"}], "more": {}})
    assert capsys.readouterr().out == whole
