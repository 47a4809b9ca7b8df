"""A sample of the reading campaign, and damaged edge streams: the read head never names a wrong card."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shoe.reading.read_head import ReadHead
from shoesim import hand, sensors
from shoesim.model import HARSH, Profile
from shoesim.pull import extent, overlapped, printed, pull
from stimuli import stimuli

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
import reading_campaign

BATCHES = reading_campaign.BATCHES
CARD, COVER, FOREIGN, UNREADABLE = 0, 1, 5, 6
WRAP = 1 << 30


@pytest.mark.parametrize(("model", "most_unread"), [("harsh", 9), ("nominal", 0), ("ideal", 0)])
def test_a_sample_of_the_campaign(model: str, most_unread: int) -> None:
    """Of 600 harsh passes two or three are unreadable on the average; more than 9 are less likely than 1 in 1,000."""
    tally = reading_campaign.Tally()
    tally.add(reading_campaign.run_chunk((model, 2024, 0, {"harsh": 600, "nominal": 500, "ideal": 1000}[model])))
    assert tally.wrong == []
    assert tally.misnamed == 0, tally.names
    assert tally.unread <= most_unread, tally.names
    kinds = {name.split(":")[0] for name in tally.names}
    assert kinds == set(reading_campaign.EXPECTED)
    if model == "harsh":
        assert tally.corrected["1"] > 12, "the damage never fired"


def test_dirty_cards_are_never_another_card() -> None:
    model = dataclasses.replace(HARSH, specks=4.0, speck_mm=(0.1, 2.5), scratches=1.0)
    names = Counter()
    head = ReadHead(0, BATCHES)
    for stimulus in stimuli(77, 0, 200, model, BATCHES):
        for ticks, lines in stimulus.edges:
            result = head.feed(ticks, lines)
            if result is not None:
                names[result.kind] += 1
                if result.kind in (CARD, FOREIGN):
                    assert (result.card, result.batch) == (stimulus.card, stimulus.batch)
    assert names[UNREADABLE] > 25, "the dirt never fired"
    assert names[CARD] > 80


def test_two_cards_nearly_on_top_of_each_other_are_never_a_third_card() -> None:
    rng = np.random.default_rng(15)
    read = refused = 0
    for number in range(250):
        cards = [int(card) for card in rng.integers(0, 52, 2)]
        front, back = (printed(card, BATCHES[0], rng, HARSH) for card in cards)
        on_top = bool(number % 2)
        sheets = overlapped(front, back, float(rng.uniform(0.0, 16.0)), on_top)
        motion = hand.Motion(-3.0, hand.draw_speed(rng, HARSH.profile))
        hand.pull_through(motion, extent(sheets) + 11.0, rng, HARSH.profile)
        head = ReadHead(0, BATCHES)
        for ticks, lines in sensors.edges(sheets, motion, 0, rng, sensors.draw_eyes(rng, HARSH)):
            result = head.feed(ticks, lines)
            if result is None:
                continue
            read += result.kind == CARD
            refused += result.kind != CARD
            if result.kind in (CARD, FOREIGN):
                assert (result.card, result.batch) == (cards[0 if on_top else 1], BATCHES[0])
    assert read + refused >= 250 and refused > 75


def test_the_campaign_notices_a_wrong_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can fail: with a decoder that turns one card into another the campaign counts wrong cards."""
    from shoe.reading import decode

    right = decode.named
    monkeypatch.setattr(decode, "named", lambda frame: right(frame) ^ 64 if right(frame) >= 0 else -1)
    found = reading_campaign.run_chunk(("ideal", 1, 0, 40))
    assert len(found["wrong"]) >= 35


def test_the_campaign_does_not_depend_on_the_number_of_jobs_and_goes_on_after_a_stop(tmp_path: Path) -> None:
    todo = reading_campaign.tasks(12_000, "ideal", 3, [])
    assert [task[3] for task in todo] == [5000, 5000, 2000]
    assert [task[2] for task in reading_campaign.tasks(12_000, "ideal", 3, [0, 2])] == [1]
    state = tmp_path / "state.jsonl"
    line = {"passes_asked": 9, "model": "ideal", "seed": 3, "code": reading_campaign.code_digest(), "chunk": 4}
    other = {**line, "code": "of another day", "chunk": 5}
    state.write_text(f'{json.dumps(line)}\n{json.dumps(other)}\n{{"passes_as')
    asked = {key: line[key] for key in ("passes_asked", "model", "seed", "code")}
    assert [chunk["chunk"] for chunk in reading_campaign.load(state, asked)] == [4]
    assert reading_campaign.load(state, {**asked, "seed": 4}) == []


@pytest.mark.parametrize(("events", "trials", "bound"), [(0, 1000, 0.0029912), (3, 1000, 0.0077367), (0, 0, 1.0)])
def test_the_upper_bound_is_clopper_and_pearsons(events: int, trials: int, bound: float) -> None:
    assert reading_campaign.upper_bound(events, trials) == pytest.approx(bound, rel=1e-3)


def mutate(
    edges: list[tuple[int, int]], kind: str, where: list[int], rng: np.random.Generator
) -> list[tuple[int, int]]:
    """Return edges after faults of the capture: dropped, doubled, swapped, bounced, late, or with a line flipped."""
    edges = list(edges)
    for number in where:
        place = number % len(edges)
        time, lines = edges[place]
        if kind == "drop":
            del edges[place]
        elif kind == "drop_run":
            del edges[place : place + int(rng.integers(2, 9))]
        elif kind == "double":
            edges.insert(place, edges[place])
        elif kind == "swap" and place + 1 < len(edges):
            other = edges[place + 1][1]
            edges[place : place + 2] = [(time, other), (edges[place + 1][0], lines)]
        elif kind == "bounce":
            before = edges[place - 1][1] if place else 0
            edges[place + 1 : place + 1] = [((time + 3) % WRAP, before), ((time + 7) % WRAP, lines)]
        elif kind == "late":
            edges[place] = ((time + int(rng.integers(1, 3000))) % WRAP, lines)
        elif kind == "flip":
            edges[place] = (time, lines ^ 1 << int(rng.integers(4)))
        if not edges:
            break
    return edges


@pytest.mark.parametrize("kind", ["drop", "drop_run", "double", "swap", "bounce", "late", "flip"])
@given(
    card=st.integers(0, 51),
    batch=st.sampled_from(BATCHES),
    seed=st.integers(0, 2**32 - 1),
    where=st.lists(st.integers(0, 10_000), min_size=1, max_size=12),
    speed=st.sampled_from([0.05, 0.3, 1.0, 3.0]),
)
def test_mutated_edges_never_make_a_wrong_card(
    kind: str, card: int, batch: int, seed: int, where: list[int], speed: float
) -> None:
    rng = np.random.default_rng(seed)
    edges, _ = pull(card, batch, 0, WRAP - 30_000, rng, HARSH, Profile(speed, speed, hesitation=0.2))
    head = ReadHead(0, BATCHES)
    for ticks, lines in mutate(edges, kind, where, rng):
        result = head.feed(ticks, lines)
        if result is not None and result.kind in (CARD, COVER, FOREIGN):
            assert (result.card, result.batch) == (card, batch)


def test_mutations_do_damage() -> None:
    rng = np.random.default_rng(6)
    for kind in ("drop", "drop_run", "swap", "bounce", "late", "flip"):
        edges, _ = pull(7, 1, 0, 0, rng, HARSH)
        assert mutate(edges, kind, [40, 70], rng) != edges
