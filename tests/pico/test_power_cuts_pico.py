"""A sample of `tests/bench/power_cut_campaign.py --flash pico`: power cuts under the RP2040's flash layer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[0:0] = [str(ROOT / "tests" / "bench"), str(ROOT / "tests" / "firmware")]

import power_cut_campaign  # noqa: E402
import power_cuts  # noqa: E402
from pico.flash_log import FlashLog  # noqa: E402


@pytest.mark.parametrize("seed", range(20))
def test_power_cuts_lose_nothing_acknowledged(seed: int) -> None:
    size, pages = (4096, 12) if seed % 10 == 0 else (power_cuts.PAGE, power_cuts.PAGES)
    cuts = power_cuts.run(seed, page_size=size, pages=pages, flash=power_cut_campaign.pico_flash)
    assert cuts >= 6, f"seed {seed}: only {cuts} of 10 power cuts fired"


@pytest.mark.parametrize("fault", ["padded with zeros", "program answers before it has written"])
def test_the_campaign_finds_a_flash_layer_that_does_wrong(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = FlashLog.program
    waiting: list[tuple[FlashLog, int, int, bytes]] = []

    def zeros(device: FlashLog, page: int, offset: int, buf: bytes) -> None:
        end = offset | 255
        right(device, page, offset, bytes(buf) + bytes(min(end - offset - len(buf) + 1, 8)))

    def late(device: FlashLog, page: int, offset: int, buf: bytes) -> None:
        if waiting:
            right(*waiting.pop())
        waiting.append((device, page, offset, bytes(buf)))

    monkeypatch.setattr(FlashLog, "program", zeros if fault.startswith("padded") else late)
    with pytest.raises(AssertionError, match="seed"):
        for seed in range(5):
            waiting.clear()
            power_cuts.run(seed, flash=power_cut_campaign.pico_flash)
