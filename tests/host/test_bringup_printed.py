"""What board/BRINGUP.md says that its commands print is what they print: its steps on a virtual shoe, in their order.

The shoe has light at its heads, and a hand that slides cards when a command asks for it. `flash` runs against the
stand-in for a Pico. Ids, ports, times and figures of light differ from run to run; words, order and lines do not.
With BRINGUP_WRITE=1 in the environment the outputs are written into the page again.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from bringup_page import PAGE, ROOT, Command, commands
from click.testing import CliRunner
from flash_stand_in import StandIn, bundle
from lit_rig import LitRig
from shoesim.piles import Item
from shoetool.cli import build, pulling
from shoetool.cli import calibrate as cli_calibrate
from shoetool.cli import flash as cli_flash
from shoetool.cli import selftest as cli_selftest
from shoetool.client import host_clock
from shoetool.client.live import Live
from shoetool.model.protocol_table import Head, Key
from shoetool.model.records import Record

T1 = 53
CARDS = (30, 1, 8, 2, 12)  # 5♥ 2♣ 9♣ 3♣ K♣
ID = "e6614103e7452d2f"
ANSWER = "y\n"
WRITE = "BRINGUP_WRITE"


def shoetool(line: str, env: dict[str, str]) -> str:
    """What a command line prints, both outputs as they came. The answer to each question is yes."""
    words = [str(one) for word in line.split()[1:] for one in (sorted(Path().glob(word)) if "*" in word else [word])]
    said = CliRunner().invoke(build(), words, input=4 * ANSWER, prog_name="shoetool", env=env)
    assert said.exit_code == 0, (line, said.output, said.exception)
    return said.output


class Desk:
    """A Pico with a stock MicroPython on the only USB port, plugged in for each command."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        firmware = bundle(folder / "pico")
        patch.setattr(cli_flash, "find", lambda: firmware)
        self._flash = folder / "flash.bin"

    def type(self, line: str) -> str:
        """`shoetool flash`, or the same as `make` calls it."""
        words = line.replace("make", "shoetool").replace("CONFIG=", "--config ").replace("BOARD=", "--board ")
        with StandIn(self._flash) as board, pytest.MonkeyPatch.context() as patch:
            port = SimpleNamespace(
                device=board.port, vid=0x2E8A, pid=5, serial_number=ID.upper(), location="1-2:1.0", manufacturer=None,
                description="",
            )  # fmt: skip
            patch.setattr("serial.tools.list_ports.comports", lambda: [port])
            return shoetool(words, {})


class Bench:
    """A shoe on the virtual board, with a hand at its heads and keys."""

    def __init__(self, rig: LitRig, patch: pytest.MonkeyPatch) -> None:
        self.rig = rig
        self._env = {"SHOETOOL_PORT": rig.link_path, "COLUMNS": "110"}
        self._watched = threading.Event()
        patch.setattr(Live, "poll", self.notes(Live.poll))
        for command in (cli_calibrate, cli_selftest):
            patch.setattr(command, "say", self.heeds(command.say))

    def type(self, line: str) -> str:
        hands = {
            "shoetool trace --last 1": self.pulls_test_card,
            "shoetool monitor --next --lines --until-closed": self.deals,
        }
        self.rig.wait(1.0)  # what the shoe does when nothing moves, such as the making of a key, needs time that passes
        with hands.get(line, nothing)():
            return shoetool(line, self._env)

    @contextmanager
    def pulls_test_card(self) -> Iterator[None]:
        self.rig.slide(Head.SIDE_A, T1, 1)
        self.rig.sync()
        self.rig.wait(1.0)
        yield

    def heeds(self, say: Callable[[str], None]) -> Callable[[str], None]:
        """Slide the test card that a command asks for, through the head that it names."""

        def said(text: str) -> None:
            say(text)
            if asked := re.search(r"(?i)(pull|slide) test card T(\d)", text):
                card = T1 - 1 + int(asked[2])
                if asked[1] == "pull":
                    self.rig.slide(Head.SIDE_A, card, 1)
                elif "slowly" in text:  # a calibration follows the levels on the way
                    self.rig.slide(Head.READER, card, 1, kind="peek")
                else:
                    self.rig.peek(Item(card, 1))
                self.rig.sync()
                self.rig.wait(0.3)

        return said

    def notes(self, poll: Callable[[Live, float], list[Record]]) -> Callable[[Live, float], list[Record]]:
        """Note that the monitor gets what comes from now on."""

        def polled(live: Live, timeout_s: float) -> list[Record]:
            found = poll(live, timeout_s)
            self._watched.set()
            return found

        return polled

    @contextmanager
    def deals(self) -> Iterator[None]:
        """The keys and cards of the page's last step, while the monitor watches."""
        self._watched.clear()  # the inspection of the reader listens too
        dealer = threading.Thread(target=self.deal)
        dealer.start()
        try:
            yield
        finally:
            dealer.join()

    def deal(self) -> None:
        assert self._watched.wait(30)
        burn, *hand = CARDS
        self.key(Key.LOAD)
        self.draw(burn)
        self.key(Key.SEATS, 1)
        self.key(Key.DEAL)
        for card in hand:
            self.draw(card)
        for key in (Key.NEXT_HAND, Key.REVEAL, Key.END_ROUND, Key.CLOSE_SHOE):
            self.key(key)

    def key(self, key: Key, argument: int = 0) -> None:
        self.rig.key(key, argument)
        self.rig.sync()
        self.rig.wait(0.3)

    def draw(self, card: int) -> None:
        self.rig.draw(0, Item(card, 1))
        self.rig.sync()
        self.rig.wait(0.3)


@contextmanager
def nothing() -> Iterator[None]:
    yield


def play(folder: Path, patch: pytest.MonkeyPatch) -> list[tuple[Command, str]]:
    """Type the commands of the page in its order, as far as a computer can; return each with what it printed."""
    for name in ("DATA", "STATE", "CONFIG"):
        patch.setenv(f"XDG_{name}_HOME", str(folder / "home"))
    (folder / "work").mkdir()
    (folder / "work" / "board").symlink_to(ROOT / "board")
    patch.chdir(folder / "work")
    desk = Desk(folder, patch)
    played = []
    with LitRig(folder / "shoe", interpreter="python", seed=7) as rig:
        bench = Bench(rig, patch)
        for command in commands():
            line = command.line
            if line.startswith("cp "):
                shutil.copy(*line.split()[1:])
            elif re.match(r"(make|shoetool) flash", line):
                played.append((command, desk.type(line)))
            elif line.startswith("shoetool "):
                played.append((command, bench.type(line)))
    return played


def as_printed(text: str) -> str:
    """How an output stands in the page: a port and an id as the reader has them.

    The signature comes after the end, at which `monitor --until-closed` ends: it may be quick enough to be seen.
    """
    text = re.sub(r"\n.* was signed with index \d+\.(?=\n|$)", "", text)
    text = re.sub(r"/dev/pts/\d+", "/dev/ttyACM0", text)
    return re.sub(r"\b[0-9a-f]{16}\b", ID, text).rstrip() + "\n"


# What differs from run to run: ids, digests, fingerprints, times, figures of light, the drawn lines.
DIFFERS = re.compile(
    r"\b[0-9a-f]{16,64}\b|\b[0-9a-f]{4}(?: [0-9a-f]{4}){3,}\b|\(CRC \w+\)|epoch \d+|\d+ bytes|\d+ of \d+ files"
    r"|\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d, \w+|[▁▔█]+|\d+ edges|\d+\.\d ms|\d\.\d\d|\d+ %",
)


def compared(text: str) -> str:
    """An output without what differs from run to run."""
    return re.sub(" +", " ", DIFFERS.sub("#", as_printed(text)))


@pytest.mark.begins_first
def test_the_outputs_of_the_page_are_what_the_commands_print(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The simulated clock does not keep pace with this computer's: which record gets the time differs from run to run.
    for module in (host_clock, pulling):
        monkeypatch.setattr(module, "record_reading", lambda client, point: None)
    told = [(command, said) for command, said in play(tmp_path, monkeypatch) if command.text is not None]
    assert len(told) > 10
    if os.environ.get(WRITE):
        write(told)
        return
    for command, said in told:
        assert compared(str(command.text)) == compared(said), f"{command.line}; {WRITE}=1 writes the page again"


def write(told: list[tuple[Command, str]]) -> None:
    """Put into the page what the commands print now, where that is something else."""
    text = PAGE.read_text(encoding="utf-8")
    for command, said in reversed(told):
        if compared(str(command.text)) != compared(said):
            text = text[: command.at[0]] + as_printed(said) + text[command.at[1] :]
    PAGE.write_text(text, encoding="utf-8")
