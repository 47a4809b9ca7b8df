"""`shoetool strip`: draw the printed code strips of cards, as text, SVG files or a PDF print sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from shoetool.cli.examples import examples
from shoetool.cli.output import console, emit, json_option
from shoetool.cli.outputs import OutputFile, OutputFolder, output_option
from shoetool.model import card_code
from shoetool.model.cards import COVER_CARD, TEST_CARDS, card_name, parse_card
from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PDF, SVG
from shoetool.model.output_file import write_whole
from shoetool.model.printable import clean

DECK: Final = (*range(52), COVER_CARD)
DARK: Final = "██"
BRIGHT: Final = "░░"
WIDTHS_MM: Final = {"poker": card_code.POKER_MM, "bridge": card_code.BRIDGE_MM}


@click.command(
    "strip",
    epilog=examples(
        ("strip 10H AS --batch 1", "code words and cells"),
        ("strip 10H --svg strips --batch 1", "one SVG file for each card"),
        ("strip --sheet deck.pdf --batch 1", "a print sheet of a deck"),
        ("strip --gauge gauge.pdf --batch 1", "to centre a head with"),
    ),
)
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@click.option(
    "--batch",
    type=click.IntRange(card_code.FIRST_BATCH, card_code.LAST_BATCH),
    default=1,
    show_default=True,
    help="Design and back color.",
)
@output_option("--svg", type=OutputFolder(SVG), metavar="FOLDER", help="Write one SVG file for each card.")
@output_option("--sheet", type=OutputFile(PDF), metavar="FILE", help="Write a print sheet as PDF.")
@click.option(
    "--size", type=click.Choice(list(WIDTHS_MM)), default="poker", show_default=True, help="Size of the cards."
)
@click.option("--zones", is_flag=True, help="Draw broken lines where indices and pictures may not use absorbing inks.")
@output_option("--gauge", type=OutputFile(PDF), metavar="FILE", help="Write a head's gauge as PDF.")
@json_option
def command(
    cards: tuple[str, ...],
    batch: int,
    svg: Path | None,
    sheet: Path | None,
    size: str,
    zones: bool,
    gauge: Path | None,
    as_json: bool,
) -> None:
    """Draw the code strips of CARDs, such as 10H, A♠, cover or T1. Without CARDs, draw a deck and its cover card.

    Print at 100 %. The geometry comes from the specification of the printed code, firmware/CARD_CODE.md. A bridge-size
    card has the same code; only the quiet zones before and behind it are shorter. firmware/CARD_PRINT.md says what the
    maker of the cards must do.

    The gauge is test card T1 nine times, with strips from 1.2 mm too near to 1.2 mm too far from the card's edges. A
    head is centred across the pull when it reads as many strips on one side as on the other.
    """
    chosen = [card_of(text) for text in cards] or list(DECK)
    files: list[Path] = []
    if svg is not None or sheet is not None or gauge is not None:
        from shoetool.report.card_strip import strip_svg  # the drawing libraries are slow to load
        from shoetool.report.strip_sheet import gauge_sheet, print_sheet

        if svg is not None:
            for card in chosen:
                path = svg / f"{file_stem(card)}-batch{batch}{'' if size == 'poker' else f'-{size}'}.svg"
                write_whole(path, strip_svg(card, batch, WIDTHS_MM[size], zones), SVG)
                files.append(path)
        if sheet is not None:
            print_sheet(sheet, [(card, batch) for card in chosen], WIDTHS_MM[size], zones)
            files.append(sheet)
        if gauge is not None:
            gauge_sheet(gauge, TEST_CARDS[0], batch, WIDTHS_MM[size])
            files.append(gauge)
    if as_json:
        names = [card_name(card) for card in chosen]
        emit("strip", {"batch": batch, "cards": names, "files": [str(path) for path in files]})
    elif files:
        for path in files:
            console().print(clean(str(path)))
    else:
        for card in chosen:
            click.echo(f"{card_name(card):<10} {card_code.encode(card, batch):06x} {cells_text(card, batch)}")


def cells_text(card: int, batch: int) -> str:
    """Return the data track of a card, start cell first, two columns a cell."""
    return "".join(DARK if cell else BRIGHT for cell in card_code.frame_cells(card, batch))


def card_of(text: str) -> int:
    """Return the card of a name: a playing card, `cover`, or T1 to T4. BadInput for any other name."""
    plain = text.strip().lower()
    if plain in ("cover", "cover card"):
        return COVER_CARD
    tests = {f"t{number}": card for number, card in enumerate(TEST_CARDS, 1)}
    if plain in tests:
        return tests[plain]
    try:
        return parse_card(text)
    except BadInput as error:
        raise BadInput(f"{error}, cover, or T1 to T4") from None


def file_stem(card: int) -> str:
    """Return a card's name in plain letters, for file names."""
    if card < 52:
        return card_name(card)[:-1] + "CDHS"[card // 13]
    return card_name(card).replace(" ", "-")
