"""`shoetool audit`: honest shoes pass, planted defects are named, and what cannot be looked at is told."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audit_files import history, shoes
from click.testing import CliRunner, Result
from dealer_script import Table
from histories import Script, cut_pages
from sampled import SOAK
from shoetool.audit import first_hands
from shoetool.audit.book import Book
from shoetool.audit.deck import Deck
from shoetool.audit.first_hands import chances, member
from shoetool.audit.line import Line
from shoetool.audit.read import TWO_SIDES, _distrust, _Reading, read, read_all
from shoetool.audit.told import Cells, FirstHand, Load, Told
from shoetool.cli import build
from shoetool.history.store import ShoelogReader, ShoelogWriter
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import Game, Phase, Role, ShoeKind
from shoetool.odds.dealer import after_reader, dealer_results
from shoetool.odds.shoe import Shoe, without
from shoetool.odds.wager import WagerCounts
from shoetool.rules.paytable import paytables
from shoetool.rules.submission.rules import RulesSubmission, WagerOffer
from shoetool.rules.wagers import WAGERS
from shoetool.table.replay import rounds
from shoetool.transparency.note import NOTE, Note, signed_by
from shoetool.transparency.note_key import new_key, write_key
from signed_histories import write
from table_session import session
from test_cli_files import closed_shoe, validated


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(build(), ["audit", *map(str, words), "--jobs", "1"])


def audited(*words: str | Path, code: int = 0) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = validated("audit", result.stdout)
    return found


def wrong(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["test"]: one for one in document["tests"] if one["verdict"] == "not as expected"}


def composition(*told: Told) -> Line:
    """The line of what batches hold, of histories that were read."""
    return line_of("composition", *told)


def line_of(key: str, *told: Told) -> Line:
    book = Book()
    for one in told:
        book.add(one)
    return next(line for line in book.lines(0.001) if line.key == key)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("honest")
    shoes(folder, 6, b"DEVICE-1", seed=1)
    shoes(folder, 6, b"DEVICE-2", seed=2)
    return folder


def stacked_pairs(shoe: int, cards: list[int]) -> list[int]:
    """The first box's two cards are alike: with five positions and two burn cards they are the third and the ninth."""
    same = next(at for at in range(20, 312) if cards[at] == cards[2])
    cards[8], cards[same] = cards[same], cards[8]
    return cards


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    shoes(folder, 8, order=stacked_pairs)
    return folder


def test_the_outcomes_of_optional_wagers_are_compared_with_their_odds(
    honest: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two identical cards win Perfect Pairs 25 to 1 in 1 of 62 hands: eight in eight shuffles are none of chance's.

    Without a soak those that look at both of the dealer's cards are left out: to count all deals of them takes seconds.
    """
    wagers = [key for key in first_hands._wagers_of("blackjack") if SOAK or WAGERS[key].cards != "two_cards_and_dealer"]
    monkeypatch.setattr(first_hands, "_wagers_of", lambda game: wagers)
    assert "wagers" not in {one["test"] for one in audited(pairs)["tests"]}
    found = wrong(audited(pairs, "--wagers", code=1))
    assert set(found) == {"wagers"} and found["wagers"]["of"] == len(wagers) == (17 if SOAK else 11)
    perfect = {one["name"]: one for one in found["wagers"]["farthest"]}["Perfect Pairs"]
    assert (perfect["outcome"], perfect["observed"]) == ("perfect_pair", 8)
    assert perfect["expected"] == pytest.approx(8 * 5 / 311, rel=1e-5)
    document = audited(honest, "--wagers")
    assert not wrong(document)
    dealer = next(one for one in document["tests"] if one["test"] == "wagers on the dealer")
    names = {one["name"] for one in dealer["farthest"]}
    assert names == {"Hit and Run Progressive", "Buster Blackjack", "AxMan (ranks)", "AxMan (suits)"}
    assert dealer["verdict"] == "as expected"


def test_an_outcome_too_rare_for_chi_square_is_seen_by_itself() -> None:
    """Three where one in ten thousand comes: no more hands win than chance gives, and no cell of five has too many."""
    cells = Cells(4)
    cells.trial(3, np.array([0.0001, 0.06, 0.2, 0.7399]), 1000)
    cells.seen = np.array([3.0, 57.0, 200.0, 740.0])
    rare = member(WAGERS["push_22"], cells)
    assert rare.p < 0.01 and (rare.outcome, rare.observed, rare.title) == ("same_suit_22", 3, "Push 22, same suit 22")
    cells.seen = np.array([0.0, 60.0, 200.0, 740.0])
    assert member(WAGERS["push_22"], cells).p > 0.5


def test_one_hand_a_shuffle_is_looked_at_and_only_from_a_whole_batch(pairs: Path) -> None:
    """So that they do not depend on each other, and each has the odds of a full shoe."""
    for path in sorted(pairs.glob("*.shoelog")):
        told = read(path)
        (hand,) = told.dealt.first_hands
        assert hand.game == "blackjack" and hand.decks == 6 and hand.cards[0] == hand.cards[1]
        order = told.loads[0].faces
        assert hand.cards == (order[2], order[8]) and hand.dealer[0] == order[7]


def test_the_chances_of_a_first_hand_are_those_that_odds_tells() -> None:
    wagers = [(key, "blackjack") for key in ("perfect_pairs", "upcard_luck", "lucky_ladies")]
    for key, game in [*wagers, ("super_match", "switch")]:
        rules = RulesSubmission(game, 6, wagers={key: WagerOffer(paytables(key)[0].name, 100, 100)})
        told = WagerCounts().odds(rules, paytables(key)[0], 100, paytables(key)).chances
        assert chances(key, game, 6) == pytest.approx([float(one.chance) for one in told])


def test_super_match_is_tested_by_the_two_hands_of_a_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of four cards have one rank in 39 of 100 deals from six decks: twelve times of twelve is no chance."""
    records = session(Game.SWITCH, 1)
    path = tmp_path / "switch.shoelog"
    with ShoelogWriter(path, sync=False) as writer:
        for page in cut_pages(list(records)):
            writer.append_page(page)
    (hand,) = read(path).dealt.first_hands
    dealt = next(rounds(records))
    box = min(dealt.boxes)
    first = [
        [card.card.card for card in dealt.placed if (card.box, card.hand) == (box, number)][:2] for number in (0, 1)
    ]
    assert (hand.game, [list(hand.cards), list(hand.second)]) == ("switch", first)
    monkeypatch.setattr(first_hands, "_wagers_of", lambda game: ("super_match",))
    hands = first_hands.FirstHands()
    hands.add([hand._replace(cards=(0, 13), second=(26, 39))] * 12)
    (line,) = hands.lines()
    (member,) = line.members
    assert (member.title, member.observed) == ("Super Match, four of a kind", 12) and member.p < 0.0001
    place = [one.key for one in WAGERS["super_match"].outcomes].index("four_of_a_kind")
    assert member.expected == pytest.approx(12 * chances("super_match", "switch", 6)[place])


def test_wagers_on_what_is_drawn_in_play_are_named_and_not_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_hands, "_wagers_of", lambda game: ("perfect_pairs",))
    hands = first_hands.FirstHands()
    assert [line.key for line in hands.lines()] == ["wagers"]
    hands.add([FirstHand("free_bet", 6, (0, 14), (5, 9))])
    assert [line.key for line in hands.lines()] == ["wagers"], "Push 22 is the dealer's, and is tested by his hands"
    hands.add([FirstHand("blackjack", 6, (0, 14), (5, 9))])
    tested, other = hands.lines()
    assert tested.p is not None and other.key == "wagers in play" and other.p is None
    assert "depends on how the players play" in other.note
    for name in ("Blazing 7's Progressive", "Straight Jack", "Bad Beat Progressive"):
        assert name in other.note
    for name in ("Buster Blackjack", "Hit and Run", "Push 22", "AxMan"):
        assert name not in other.note


def test_honest_shoes_are_as_expected(honest: Path) -> None:
    found = audited(honest)
    assert found["as_expected"] and found["histories"] == found["orders"] == 12 and found["devices"] == 2
    assert found["pairs"] == 10 and found["gaps"] == 0 and not found["left_out"]
    keys = [one["test"] for one in found["tests"]]
    assert len(keys) == len(set(keys))
    tested = {one["test"] for one in found["tests"] if one["verdict"] == "as expected"}
    assert {"faces", "ranks", "places", "equal ranks", "runs forward", "near backward", "displacement"} <= tested
    assert {"naturals", "busts", "dealer's hand", "up cards", "cover card", "irregular by device"} <= tested
    assert found["tests_done"] == len(tested)
    cut = next(one for one in found["tests"] if one["test"] == "cut")
    assert cut["verdict"] == "not tested" and cut["p"] is None and "no table record tells" in cut["note"]


def test_the_text_has_a_line_for_each_test_and_states_the_family(honest: Path) -> None:
    result = run(honest, "--alpha", "0.01")
    assert result.exit_code == 0
    said = result.stdout.splitlines()
    assert said[0].startswith("12 histories of 2 devices: 12 batches")
    assert "tests of 12 shoes are as expected. Honest shoes fail any of them in about 0.01 of all audits" in said[-1]
    tests = audited(honest)["tests"]
    assert sum(line.startswith(one["what"] + ": ") for one in tests for line in said) >= len(tests)


def test_a_segment_that_was_not_shuffled_is_found(tmp_path: Path) -> None:
    """Eight cards of shoe 2 lie in shoe 3 as they lay."""
    kept: dict[int, list[int]] = {}

    def order(shoe: int, cards: list[int]) -> list[int]:
        if shoe == 3:
            for card in kept[2][40:48]:
                cards.remove(card)
            cards[100:100] = kept[2][40:48]
        kept[shoe] = list(cards)
        return cards

    shoes(tmp_path, 5, order=order)
    found = wrong(audited(tmp_path, code=1))
    assert set(found) == {"longest run forward"}
    assert found["longest run forward"]["farthest"][0]["name"].endswith("shoe 3")
    assert found["longest run forward"]["observed"] >= 8
    text = run(tmp_path)
    assert text.exit_code == 1 and "NOT AS EXPECTED" in text.stdout and "1 of " in text.stdout


def test_a_sorted_deck_is_found(tmp_path: Path) -> None:
    def order(shoe: int, cards: list[int]) -> list[int]:
        if shoe == 2:
            for card in range(26):
                cards.remove(card)
            cards[60:60] = range(26)
        return cards

    shoes(tmp_path, 4, order=order)
    found = wrong(audited(tmp_path, code=1))
    for test in ("ascending in a shoe", "longest ascending sequence"):
        assert found[test]["farthest"][0]["name"].endswith("shoe 2")
    assert found["longest ascending sequence"]["observed"] == 13


def test_a_missing_ten_is_found_when_the_batch_is_counted(tmp_path: Path) -> None:
    def order(shoe: int, cards: list[int]) -> list[int]:
        if shoe == 1:
            cards.remove(9)
        return cards

    shoes(tmp_path, 2, order=order, count=True)
    found = wrong(audited(tmp_path, code=1))
    assert set(found) == {"composition"} and found["composition"]["observed"] == 1


def test_a_stacked_dealer_is_found(tmp_path: Path) -> None:
    """With five positions his first up card is the eighth card: two burn cards and five players' come before it."""

    def order(shoe: int, cards: list[int]) -> list[int]:
        ace = next(at for at in range(20, 312) if cards[at] % 13 == 0)
        cards[7], cards[ace] = cards[ace], cards[7]
        return cards

    shoes(tmp_path, 40, order=order)
    found = wrong(audited(tmp_path, code=1))
    assert "up card aces" in found


@pytest.mark.parametrize("seed", range(1, 9))
def test_the_first_round_is_compared_with_all_cards_that_were_still_to_come(tmp_path: Path, seed: int) -> None:
    """Each expectation is written here anew, from the records alone."""
    path = history(tmp_path, b"DEVICE-1", 1, seed, rounds=1)
    with ShoelogReader(path) as reader:
        records = [record for record in reader.records() if record.name == "card"]
    up_at = next(at for at, record in enumerate(records) if record.role == Role.DEALER_UP)
    assert up_at == 5
    dealt = read_all([path])[0].dealt
    chance = 2 * 24 * 96 / (312 * 311)
    assert dealt.naturals.trials == 5 and dealt.naturals.mean == pytest.approx(5 * chance)
    assert dealt.dealer_naturals.mean == pytest.approx(chance)
    ranks = [24 - sum(record.card % 13 == rank for record in records[:up_at]) for rank in range(13)]
    assert dealt.up_cards.mean == pytest.approx([one / 307 for one in ranks])
    assert dealt.up_cards.seen[records[up_at].card % 13] == 1
    left = Shoe.of("blackjack", 6).counts
    for record in records:
        if record.role != Role.DEALER_DRAW:
            left = without(left, (min(record.card % 13, 9),))
    up = min(records[up_at].card % 13, 9)
    exact = after_reader(dealer_results(left, up))
    law = [float(exact.get(total, 0)) for total in range(17, 22)]
    if dealt.busts.trials:
        assert dealt.finals[up].mean == pytest.approx([*law, 1 - sum(law)])
        assert dealt.busts.mean == pytest.approx(1 - sum(law))
        assert dealt.finals[up].seen.sum() == 1 and dealt.finals[up].seen[-1] == dealt.busts.seen
    else:  # nobody was left whom he could meet, or he had a Blackjack
        assert not any(record.role == Role.DEALER_DRAW for record in records)


@pytest.mark.parametrize("game", [Game.SPANISH_21, Game.FREE_BET], ids=lambda game: game.name)
def test_other_games_are_looked_at_with_their_own_decks(tmp_path: Path, game: Game) -> None:
    shoes(tmp_path, 4, seed=3, table=Table(game, decks=6, seats=0b111), count=True)
    found = audited(tmp_path)
    assert found["orders"] == 4 and found["pairs"] == 3 and not found["left_out"] and not found["rounds_left_out"]
    assert found["cards"] == 4 * 6 * (48 if game == Game.SPANISH_21 else 52)


def test_the_order_of_a_double_shoe_is_left_out_and_its_deal_is_not(tmp_path: Path) -> None:
    shoes(tmp_path, 3, table=Table(decks=8, kind=ShoeKind.DOUBLE))
    found = audited(tmp_path)
    assert found["orders"] == 0 and found["batches"] == 6
    assert [one["batches"] for one in found["left_out"]] == [6] and "double shoe" in found["left_out"][0]["why"]
    tested = {one["test"]: one for one in found["tests"] if one["verdict"] == "as expected"}
    assert {"naturals", "busts", "dealer naturals", "composition", "cover card"} <= set(tested)
    assert found["rounds_left_out"] == 0 and found["rounds"] > 20


def test_a_card_too_many_in_a_double_shoe_is_found(tmp_path: Path) -> None:
    def order(shoe: int, cards: list[int]) -> list[int]:
        cards[3:3] = [0, 0, 0, 0, 0]  # a side of four decks has four
        return cards

    shoes(tmp_path, 1, order=order, table=Table(decks=8, kind=ShoeKind.DOUBLE))
    assert "composition" in wrong(audited(tmp_path, code=1))


def test_a_shoe_that_is_missing_ends_the_comparison_and_is_told(honest: Path, tmp_path: Path) -> None:
    for path in honest.glob("DEVICE-1-*"):
        if "00003" not in path.name:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    found = audited(tmp_path)
    assert found["gaps"] == 1 and found["pairs"] == 3


def test_a_shoe_that_comes_twice_counts_once(honest: Path) -> None:
    assert audited(honest, next(honest.glob("*-00002.shoelog")))["named_again"] == 1


def test_what_cannot_be_looked_at_is_told_and_not_as_expected(tmp_path: Path) -> None:
    closed_shoe().write(tmp_path / "one.shoelog")
    found = audited(tmp_path)
    assert found["orders"] == 0 and found["left_out"]
    faces = next(one for one in found["tests"] if one["test"] == "faces")
    assert faces["verdict"] == "not tested" and faces["note"]
    said = run(tmp_path).stdout
    assert "left out of what looks at their order" in said and "not tested" in said


def test_unreadable_files_end_with_2_and_the_others_are_audited(honest: Path, tmp_path: Path) -> None:
    none = tmp_path / "none.shoelog"
    none.write_bytes(b"PK\x03\x04")
    result = run(honest, none, tmp_path / "missing.shoelog", "--json")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["unreadable"] == 2 and found["histories"] == 12
    assert len(result.stderr.splitlines()) == 2
    assert run().exit_code == 2 and run(tmp_path / "nothing").exit_code == 2


def test_a_list_of_names_gives_the_same(honest: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("".join(f"{path}\n" for path in sorted(honest.glob("*.shoelog"))))
    assert audited("--files-from", names) == audited(honest)


def test_several_processes_give_the_same(honest: Path) -> None:
    result = CliRunner().invoke(build(), ["audit", str(honest), "--json", "--jobs", "2"])
    assert json.loads(result.stdout) == audited(honest)


@pytest.mark.parametrize(
    ("plant", "why"),
    [("refill_without_burn", "it was refilled"), ("too_few_cards", "it was refilled")],
)
def test_an_order_that_is_not_known_to_its_places_is_left_out(tmp_path: Path, plant: str, why: str) -> None:
    told = read(history(tmp_path, b"DEVICE-1", 1, 5, plant=plant))
    assert [load.why_not for load in told.loads] == [why] and told.loads[0].fixed == 0
    found = composition(told)
    assert found.verdict == "not tested" and found.note.startswith("1 left out: refilled"), "discards came back"


def test_a_history_with_a_hole_is_left_out(honest: Path, tmp_path: Path) -> None:
    whole = next(honest.glob("*-00001.shoelog"))
    data = bytearray(whole.read_bytes())
    data[3000] ^= 1
    damaged = tmp_path / whole.name
    damaged.write_bytes(data)
    assert read(whole).loads[0].fixed > 150
    told = read(damaged)
    assert told.why_not and not told.dealt.naturals.trials and all(not load.fixed for load in told.loads)


def test_records_that_are_missing_give_no_certain_alarm() -> None:
    """A refill whose record is lost would look like cards that came twice, and like a cover card too deep."""
    load = Load(1, 0, 1, Deck(6, False), bytes(7), 7, behind=5)
    told = Told("", device=b"D", shoes=(1,), loads=[load])
    assert {composition(told).verdict, line_of("cover card", told).verdict} == {"not as expected"}
    _distrust(told)
    assert {composition(told).verdict, line_of("cover card", told).verdict} == {"not tested"}


def behind(*records: tuple[str, *tuple[int | bytes, ...]], decks: int = 8) -> int:
    """How many cards the audit counts behind the cover card that comes last, on side B of a double shoe."""
    script, reading = Script(), _Reading(Told(""))
    script.add("shoe_opened", 0, 1, decks, 1, 2, 0, 7, 0, 1)
    for record in (*records, ("cover_card", 1, Phase.PLAYERS, 0, 0)):
        script.add(*record)
    for one in script.records:
        reading.feed(one)
    reading.end()
    return reading.told.loads[-1].behind


def test_the_cards_behind_a_cover_card_are_those_that_verify_counts() -> None:
    """A batch that was carried over had dealt cards before, and a refill brings cards back."""
    cards = [("card", Role.DRAW, 1, 0, 1, card, 2, 0, 0) for card in range(20)]
    assert behind(("loaded", 1, 208), *cards) == 188
    assert behind(("carried", 1, 2, bytes([0x11] * 25) + bytes(1)), *cards) == 208 - 52 - 20
    assert behind(("loaded", 1, 208), *cards, ("refilled", 1, 15), *cards) == 208 - 20 + 15 - 20


@pytest.mark.parametrize("sort", ["whole", "double"])
def test_a_card_too_often_is_still_certain_where_each_card_comes_once(sort: str) -> None:
    why = TWO_SIDES if sort == "double" else ""
    load = Load(1, 0, 1, Deck(4, False), bytes(5), 5, why_not=why)
    assert composition(Told("", device=b"D", shoes=(1,), loads=[load])).verdict == "not as expected"


def test_a_batch_of_which_nothing_is_known_is_not_as_expected_by_being_empty() -> None:
    deck, empty = Deck(6, False), b""
    for faces in (empty, bytes((255, 255))):
        load = Load(1, 0, 1, deck, faces, 0, why_not="no cover card came, and the batch was not counted")
        found = composition(Told("", device=b"D", shoes=(1,), loads=[load]))
        assert found.verdict == "not tested" and found.note == "no cards"
    counted = Load(1, 0, 1, deck, empty, 0, whole=True, why_not="x")
    assert composition(Told("", device=b"D", shoes=(1,), loads=[counted])).verdict == "not as expected"


def test_how_often_each_face_came_is_no_test_where_all_cards_were_counted(tmp_path: Path) -> None:
    shoes(tmp_path, 2, count=True)
    found = {one["test"]: one for one in audited(tmp_path)["tests"]}
    for test in ("faces", "faces by batch"):
        assert found[test]["verdict"] == "not tested" and "all of every batch was counted" in found[test]["note"]
    assert found["composition"]["verdict"] == "as expected"


def test_one_shoe_is_not_tested_twice_as_the_farthest_of_one(tmp_path: Path) -> None:
    history(tmp_path, b"DEVICE-1", 1, 5)
    found = audited(tmp_path)
    assert "equal ranks" in {one["test"] for one in found["tests"]}
    assert not [one["test"] for one in found["tests"] if one["test"].endswith("in a shoe")]
    said = run(tmp_path).stdout.splitlines()
    assert "tests of 1 shoe are as expected" in said[-1]
    assert any("longest ascending sequence" in line and ": under 4 cards, under 4 expected" in line for line in said)


def test_where_nothing_could_be_tested_nothing_is_as_expected(tmp_path: Path) -> None:
    folder = tmp_path / "one"
    folder.mkdir()
    script = Script(0, 0)
    script.add("configured", 1)
    write(folder / "one.shoelog", cut_pages(script.records, 0, 1), [])
    found = audited(folder, "--daily", tmp_path / "out")
    assert found["tests_done"] == 0 and found["as_expected"] is None
    assert [one["as_expected"] for one in found["reports"]] == [None]
    result = run(folder, "--daily", tmp_path / "out")
    said = result.stdout.splitlines()
    assert said[-2:] == ["nothing could be tested", f"{tmp_path / 'out' / 'table-0-day-unknown.txt'}: {said[-2]}"]
    assert "Honest shoes" not in result.stdout


def test_histories_that_do_not_tell_their_device_are_not_taken_for_each_other() -> None:
    """Two devices may both have dealt a shoe 1. The same file again is the same history."""
    book = Book()
    cards = bytes(range(52)) * 3
    for digest in ("aa", "bb", "aa"):
        load = Load(1, 0, 1, Deck(6, False), cards, len(cards))
        taken = book.add(Told("", sha256=digest, shoes=(1,), rounds=3, loads=[load]))
        assert taken == (book.again == 0)
    assert (book.files, book.rounds, book.again, book.gaps, book.between.pairs) == (2, 6, 1, 0, 0)


def test_a_report_lists_no_history_that_came_already(two_days: Path, tmp_path: Path) -> None:
    first = two_days / "DEVICE-1-00001.shoelog"
    (two_days / "DEVICE-1-00001-again.shoelog").write_bytes(first.read_bytes())
    audited(two_days, "--daily", tmp_path / "out")
    said = (tmp_path / "out" / "table-9-2026-09-21.txt").read_text()
    assert said.count("\nhistory ") == 2 and "1 history left out: the same shoe came already" in said


def test_unread_cards_keep_their_place_in_the_order(tmp_path: Path) -> None:
    told = read(history(tmp_path, b"DEVICE-1", 1, 5, plant="unreadable_card"))
    (load,) = told.loads
    assert load.faces.count(255) == 1 and load.fixed + load.behind == 312
    assert told.heads[0, 1, "unreadable"] == 1 and told.heads[-1, 0, "cleared"] == 1


# ---------------------------------------------------------------------------------------------------- a report a day
DAY_MS = 86_400_000
NOON_MS = 1_790_000_000_000 // DAY_MS * DAY_MS + DAY_MS // 2


@pytest.fixture
def two_days(tmp_path: Path) -> Path:
    folder = tmp_path / "week"
    folder.mkdir()
    for shoe in range(1, 5):
        history(folder, b"DEVICE-1", shoe, shoe, at_ms=NOON_MS + shoe // 3 * DAY_MS)
    return folder


def test_each_table_and_day_has_a_report_of_its_own_histories(two_days: Path, tmp_path: Path) -> None:
    out = tmp_path / "reports"
    found = audited(two_days, "--daily", out)
    first, second = sorted(out.iterdir())
    assert [Path(one["file"]) for one in found["reports"]] == [first, second]
    assert (first.name, second.name) == ("table-9-2026-09-21.txt", "table-9-2026-09-22.txt")
    said = first.read_text().splitlines()
    assert said[:3] == ["shoetool-audit-daily/1", "table 9", "day 2026-09-21 UTC"]
    assert [line.split()[-1] for line in said if line.startswith("history ")] == [
        "DEVICE-1-00001.shoelog",
        "DEVICE-1-00002.shoelog",
    ]
    digest = hashlib.sha256((two_days / "DEVICE-1-00002.shoelog").read_bytes()).hexdigest()
    assert f"history {digest} DEVICE-1-00002.shoelog" in said
    assert "2 histories of 1 devices" in first.read_text() and "in about 0.0005 of all audits at most" in said[-1]
    before = first.read_bytes()
    audited(two_days, "--daily", out)
    assert first.read_bytes() == before


def test_a_history_without_a_clock_has_no_day(honest: Path, tmp_path: Path) -> None:
    audited(honest, "--daily", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["table-9-day-unknown.txt"]


def test_a_signed_report_is_a_note_that_anybody_can_check(two_days: Path, tmp_path: Path) -> None:
    key = new_key("casino.example/audit", NOTE)
    write_key(tmp_path / "key", key)
    audited(two_days, "--daily", tmp_path / "out", "--sign", tmp_path / "key")
    data = (tmp_path / "out" / "table-9-2026-09-21.txt").read_bytes()
    note = Note.parse(data, "it")
    assert signed_by(note, key.verifier) is not None and note.text.startswith("shoetool-audit-daily/1\ntable 9\n")
    with pytest.raises(BadInput, match="does not verify"):
        signed_by(Note.parse(data.replace(b"table 9", b"table 8"), "it"), key.verifier)


def test_signing_needs_a_daily_report_and_a_key(two_days: Path, tmp_path: Path) -> None:
    assert "--sign goes with --daily" in run(two_days, "--sign", "key").stderr
    (tmp_path / "key").write_text("{}")
    result = run(two_days, "--daily", tmp_path / "out", "--sign", tmp_path / "key")
    assert result.exit_code == 2 and "no key of a log" in result.stderr


def test_a_report_that_is_not_as_expected_ends_with_1(tmp_path: Path) -> None:
    folder = tmp_path / "week"
    shoes(folder, 2, order=lambda shoe, cards: cards[1:] if shoe == 1 else cards, count=True)
    found = audited(folder, "--daily", tmp_path / "out", code=1)
    assert [one["as_expected"] for one in found["reports"]] == [False]
    assert "NOT AS EXPECTED" in (tmp_path / "out" / "table-9-day-unknown.txt").read_text()


def test_a_cut_too_near_an_end_is_found_in_the_table_record(tmp_path: Path) -> None:
    shoes(tmp_path, 3)
    for shoe, depth in ((1, 10), (2, 302), (3, 303)):
        events = [{"event": "cut", "cards": depth, "position": 1}, {"event": "cover_card_placed", "cards": 90}]
        line = json.dumps({"history": {"shoe": shoe, "round": 1}, "positions": [], "events": events})
        (tmp_path / f"DEVICE-1-{shoe:05}.jsonl").write_text(
            f'{line}\n{{"events": [{{"event": "cut", "cards": "x"}}]}}\n'
        )
    assert next(one for one in audited(tmp_path)["tests"] if one["test"] == "cut")["verdict"] == "not tested"
    found = wrong(audited(tmp_path, "--table-records", code=1))
    assert set(found) == {"cut"}
    assert found["cut"]["of"] == 3 and found["cut"]["observed"] == 1
    assert found["cut"]["farthest"][0]["name"].endswith("shoe 3") and found["cut"]["farthest"][0]["observed"] == 9
    assert "3 lines of table records could not be read" in found["cut"]["note"]


# ---------------------------------------------------------------------------------------------------- devices and cards
def test_one_weak_head_is_found_by_its_name() -> None:
    book = Book()
    for device in range(6):
        for shoe in range(1, 11):
            told = Told("", device=b"DEVICE-%d" % device, tables=(device,), shoes=(shoe,), rounds=40)
            told.heads[0, 1, "cards"] = 250
            told.heads[0, 1, "unreadable"] = 2 if device == 4 else shoe == 1
            book.add(told)
    lines = {line.key: line for line in book.lines(0.001)}
    assert lines["unreadable by head"].verdict == lines["unreadable by device"].verdict == "not as expected"
    assert lines["unreadable by head"].members[0].name == f"head A of {b'DEVICE-4'.hex()}"
    assert lines["unreadable by head"].members[0].observed == 8
    assert lines["irregular by table"].verdict == "as expected"


def test_findings_of_verify_are_compared_when_asked_for(tmp_path: Path) -> None:
    shoes(tmp_path, 4, b"DEVICE-1", seed=1)
    shoes(tmp_path, 4, b"DEVICE-2", seed=2, order=lambda shoe, cards: [*cards[:60], cards[0], *cards[60:]], count=True)
    assert not [one for one in audited(tmp_path, code=1)["tests"] if one["test"].startswith("findings")]
    tests = {one["test"]: one for one in audited(tmp_path, "--findings", code=1)["tests"]}
    found = tests["findings by device"]
    assert found["unit"] == "per 100 rounds" and " rounds in all" in found["note"]
    assert {one["name"] for one in found["farthest"]} == {b"DEVICE-1".hex(), b"DEVICE-2".hex()}
    rates = {one["name"]: one["observed"] for one in found["farthest"]}
    assert rates[b"DEVICE-2".hex()] > rates[b"DEVICE-1".hex()] >= 0


def worn(unread: list[int], unopened: int = 0) -> Line:
    """The line of worn cards over batches that were counted, in each of which one card was not read."""
    book = Book()
    for shoe, face in enumerate(unread, 1):
        cards = [card for card in range(52) for _ in range(6)]
        cards[cards.index(face)] = 255
        load = Load(shoe, 0, 1, Deck(6, False), bytes(cards), 312, -1, True, unopened=unopened)
        book.add(Told("", device=b"DEVICE-1", shoes=(shoe,), loads=[load]))
    return next(line for line in book.lines(0.001) if line.key == "worn cards")


def test_a_worn_card_is_named_and_chance_is_not() -> None:
    found = worn([7, 7, 12, 7, 40, 7, 7])
    assert found.verdict == "not as expected" and found.members[0].name == "8♣" and found.members[0].observed == 5
    assert worn([7, 12, 40, 22]).verdict == "as expected"


def test_no_face_of_a_card_that_was_never_opened_is_told() -> None:
    assert worn([7, 7, 7, 7, 7, 7], unopened=1).verdict == "not tested"
