"""`shoetool flash` against a stand-in for a board: MicroPython, littlefs, the firmware; cut off at every step."""

from __future__ import annotations

import importlib
import json
import os
import pty
import random
import re
import select
import shutil
import struct
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from click.testing import CliRunner
from flash_memory import MemoryFlash, Power
from flash_stand_in import PAGE, PAGES, StandIn, bundle
from jsonschema import Draft202012Validator
from pico import root
from sampled import some
from shoe import wire_table as t
from shoe.app.gate import AUTHORITY_PAGE
from shoe.journal.durable_notes import Notes
from shoe.journal.fetched import Fetched
from shoe.journal.journal import Journal
from shoe.reading.head_margins import Margins
from shoe.trust.authority import ANNOUNCED, FIRMWARE, KEY
from shoetool.cli import build, settings
from shoetool.cli import flash as cli_flash
from shoetool.cli import update as cli_update
from shoetool.flash import repl as repl_module
from shoetool.flash import snippets
from shoetool.flash.board_file import read_board_file
from shoetool.flash.device_files import DeviceFiles
from shoetool.flash.flasher import Flasher, Outcome, Wish
from shoetool.flash.repl import Repl
from shoetool.model.errors import BadInput, DeviceError, LinkError
from shoetool.model.protocol_table import Game

CHANGED = ("shoe.config", "shoe.journal.fetched", "main")
PULLED = 200  # programs, of some 400 that make a new shoe


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> DeviceFiles:
    return bundle(tmp_path_factory.mktemp("firmware") / "pico")


@pytest.fixture(scope="session")
def newer(tmp_path_factory: pytest.TempPathFactory) -> DeviceFiles:
    """The same but for three modules."""

    def change(name: str, text: str) -> str:
        return text + ("\nNEWER = 'so that it differs'\n" if name in CHANGED else "")

    return bundle(tmp_path_factory.mktemp("newer") / "pico", change)


def flash(state: Path, wish: Wish, **how: Any) -> Outcome:
    with StandIn(state, **how) as board, Repl(board.port) as repl:
        return Flasher(repl, wish, lambda step, text: None, lambda done, total: None).run()


@pytest.fixture(scope="session")
def installed_once(firmware: DeviceFiles, newer: DeviceFiles, made_once: Any) -> Path:
    """A shoe with `newer` in slot a and `firmware`, which runs, in slot b."""

    def install(folder: Path) -> None:
        assert flash(folder / "flash.bin", Wish(newer)).slot == "a"
        assert flash(folder / "flash.bin", Wish(firmware)).slot == "b"

    return Path(made_once("installed", install) / "flash.bin")


@pytest.fixture
def installed(installed_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(installed_once, tmp_path / "flash.bin"))


def other_one(files: DeviceFiles, tmp_path: Path) -> DeviceFiles:
    """A third firmware: of `files` with two modules more that differ."""
    return bundle(
        tmp_path / "third" / "pico",
        lambda name, text: text + ("\nTHIRD = 'x'\n" if name in ("shoe.config", "pico.settings") else ""),
    )


def starts(state: Path) -> None:
    """The board that is switched on becomes a shoe by itself."""
    with StandIn(state) as board:
        board.wait_for(b"shoe ready")


# ------------------------------------------------------------------------------------------------ what it is for


def test_a_stock_micropython_becomes_a_shoe(firmware: DeviceFiles, tmp_path: Path) -> None:
    state = tmp_path / "flash.bin"
    done = flash(state, Wish(firmware, {"max_splits": 1, "table": 7}, b'{"heads": 2}\n'))
    assert done.new_shoe and done.slot == "a" and done.boot == 1
    assert len(done.copied) == len(firmware.slot) + len(firmware.root)
    assert done.failed == 0 and done.read_back == firmware.digest == done.digest
    assert {name: new for name, (_, new) in done.settings.items()} == {"max_splits": 1, "table": 7}
    again = flash(state, Wish(firmware, {"max_splits": 1, "table": 7}, b'{"heads": 2}\n'))
    assert again.copied == [] and again.settings == {} and again.slot == "a" and not again.new_shoe
    assert again.boot is not None and again.boot > 1


def test_an_update_goes_into_the_other_slot_and_copies_what_differs(
    installed: Path, newer: DeviceFiles, firmware: DeviceFiles, tmp_path: Path
) -> None:
    third = other_one(firmware, tmp_path)
    done = flash(installed, Wish(third))
    assert done.slot == "a", "b runs"
    differ = {name for name in third.slot if third.slot[name] != firmware.slot[name]}
    assert differ == {"shoe/config.mpy", "pico/settings.mpy"}
    older = {"main.mpy", "shoe/config.mpy", "shoe/journal/fetched.mpy"}  # in slot a
    assert set(done.copied) == {f"a/{name}" for name in differ | older}
    assert done.copied_bytes == sum(len(third.slot[name]) for name in differ), "the rest b has too"
    back = flash(installed, Wish(firmware))
    assert back.slot == "b" and back.copied == [], "it is whole there still"
    starts(installed)


def test_a_slot_that_was_damaged_is_made_whole_and_strangers_in_it_go(installed: Path, firmware: DeviceFiles) -> None:
    with StandIn(installed) as board, Repl(board.port) as repl:
        repl.enter()
        repl.run(
            "import os\nos.remove('/b/shoe/app/app.mpy')\nos.remove('/a/files.json')\nopen('/a/json.py', 'w').close()\n"
            "os.mkdir('/a/shoe/line/link')\nopen('/a/shoe/line/link.mpy', 'w').close()"
        )
    done = flash(installed, Wish(firmware))
    assert done.slot == "a" and "a/shoe/line/link.mpy" in done.copied and done.read_back == firmware.digest
    assert inside(installed, "/a") == ["files.json", "main.mpy", "pico", "shoe"]
    line = sorted(name.rpartition("/")[2] for name in firmware.slot if name.startswith("shoe/line/"))
    assert inside(installed, "/a/shoe/line") == line


def inside(state: Path, folder: str) -> list[str]:
    """Names in a folder of the board."""
    with StandIn(state) as board, Repl(board.port) as repl:
        repl.enter()
        names: list[str] = repl.ask(f"__import__('os').listdir({folder!r})")
        return sorted(names)


def test_what_was_sent_before_the_cable_was_pulled_is_not_sent_again(firmware: DeviceFiles, tmp_path: Path) -> None:
    """A new shoe, which has no slot to take modules from."""
    state = tmp_path / "flash.bin"
    heard: list[int] = []
    with StandIn(state, unplugged_at=PULLED) as board, pytest.raises(LinkError), Repl(board.port) as repl:
        Flasher(repl, Wish(firmware), lambda step, text: None, lambda done, total: heard.append(done)).run()
    whole = sum(map(len, (*firmware.slot.values(), *firmware.root.values())))
    assert whole // 4 < heard[-1] < whole, "it was pulled while the modules were copied"
    again = flash(state, Wish(firmware))
    assert again.read_back == firmware.digest
    longest = max(map(len, firmware.slot.values()))  # the one that was under way
    assert again.copied_bytes <= whole - heard[-1] + longest


# ------------------------------------------------------------------------------------------------ cut off anywhere

CUTS = int(os.environ.get("FLASH_CUTS", "1"))  # `make soak` takes more
SEED = 20261121


def spread(most: int, offset: int) -> list[int]:
    """`CUTS` numbers up to `most`, one from each piece of it, by the seed."""
    chance = random.Random(SEED + offset)
    return [chance.randrange(most * i // CUTS, most * (i + 1) // CUTS) for i in range(CUTS)]


@pytest.fixture(scope="session")
def third(firmware: DeviceFiles, tmp_path_factory: pytest.TempPathFactory) -> DeviceFiles:
    return other_one(firmware, tmp_path_factory.mktemp("third"))


@pytest.fixture(scope="session")
def steps(installed_once: Path, third: DeviceFiles, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, int]:
    """Programs that an update sends, and flash operations from switching on to its end."""
    state = Path(shutil.copy(installed_once, tmp_path_factory.mktemp("steps") / "flash.bin"))
    many = 1_000_000
    with StandIn(state, fails_at=many) as board, Repl(board.port) as repl:
        Flasher(repl, wish_of(third), lambda step, text: None, lambda done, total: None).run()
        return board.programs, many - board.fails_at


def wish_of(files: DeviceFiles) -> Wish:
    return Wish(files, {"table": 9}, b'{"heads": 2}\n')


def finishes(state: Path, third: DeviceFiles, why: str) -> None:
    """What is there starts by itself, and the next run ends as if nothing had been."""
    try:
        starts(state)
        done = flash(state, wish_of(third))
    except Exception as error:
        raise AssertionError(f"after {why}: {error}") from error
    assert done.read_back == third.digest and done.slot == "a" and done.failed == 0, why


@pytest.mark.parametrize("piece", range(CUTS))
def test_the_power_fails_during_an_update(
    installed: Path, third: DeviceFiles, steps: tuple[int, int], piece: int
) -> None:
    at = spread(steps[1], 0)[piece]
    with StandIn(installed, fails_at=at) as board, pytest.raises(LinkError), Repl(board.port) as repl:
        Flasher(repl, wish_of(third), lambda step, text: None, lambda done, total: None).run()
    assert board.power_failed, f"no power cut at operation {at} of {steps[1]} (seed {SEED})"
    finishes(installed, third, f"a power cut at flash operation {at} (seed {SEED})")


@pytest.mark.parametrize("piece", range(CUTS))
def test_the_cable_is_pulled_during_an_update(
    installed: Path, third: DeviceFiles, steps: tuple[int, int], piece: int
) -> None:
    at = spread(steps[0], 1)[piece] + 1
    with StandIn(installed, unplugged_at=at) as board, pytest.raises(LinkError), Repl(board.port) as repl:
        Flasher(repl, wish_of(third), lambda step, text: None, lambda done, total: None).run()
    assert board.programs >= at, f"not unplugged at program {at} of {steps[0]} (seed {SEED})"
    finishes(installed, third, f"the cable pulled at program {at} (seed {SEED})")


@pytest.mark.parametrize("piece", range(CUTS))
def test_ctrl_c_during_an_update_leaves_a_shoe_that_runs(
    installed: Path, third: DeviceFiles, steps: tuple[int, int], piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = spread(steps[0] - 10, 2)[piece]
    follow = repl_module.SerialTransport.follow
    sent = 0

    def interrupted(self: Any, *arguments: Any, **named: Any) -> Any:
        nonlocal sent
        sent += 1
        if sent == at + 1:
            raise KeyboardInterrupt
        return follow(self, *arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(repl_module.SerialTransport, "follow", interrupted)
        with StandIn(installed) as board:
            with pytest.raises(KeyboardInterrupt):
                cli_flash.flash(board.port, wish_of(third), quiet=True)
            before = board.log.count(b"shoe ready")
            board.wait_for(b"shoe ready") if not before else None
    assert sent == at + 1
    finishes(installed, third, f"Ctrl-C at program {at} (seed {SEED})")


@pytest.mark.parametrize("at", some([3, 7, 12, 60], 3))
def test_the_power_fails_while_a_new_shoe_is_made(firmware: DeviceFiles, tmp_path: Path, at: int) -> None:
    """The first operations lay the flash out: it must begin again, and never take the remains for a shoe's journal."""
    state = tmp_path / "flash.bin"
    with StandIn(state, fails_at=at) as board, pytest.raises(LinkError), Repl(board.port) as repl:
        Flasher(repl, Wish(firmware), lambda step, text: None, lambda done, total: None).run()
    assert board.power_failed
    done = flash(state, Wish(firmware))
    assert done.read_back == firmware.digest and done.failed == 0


# ------------------------------------------------------------------------------------------------ histories


def partition(state: Path, name: str) -> tuple[MemoryFlash, Callable[[], None]]:
    """A partition of a storage that is laid out, and how to put it back into the file."""
    pages = root.plan(PAGES)
    first = sum(pages[: root.NAMES.index(name)])
    count = pages[root.NAMES.index(name)]
    whole = bytearray(state.read_bytes())
    data = whole[first * PAGE : (first + count) * PAGE]
    device = MemoryFlash(count, Power(), data=data)

    def save() -> None:
        whole[first * PAGE : (first + count) * PAGE] = device.data
        state.write_bytes(whole)

    return device, save


def deal(state: Path, *, closed: bool) -> int:
    """Open a shoe in the journal and, maybe, close it; its number."""
    device, save = partition(state, "journal")
    journal = Journal(device, b"STAND IN", lambda shoe, last: False)
    journal.start()
    for kind in (t.REC_SHOE_OPENED, t.REC_SHOE_CLOSED)[: 2 if closed else 1]:
        form = t.RECORD_FORMATS[kind]
        values = struct.unpack(form, bytes(struct.calcsize(form)))
        if kind == t.REC_SHOE_OPENED:
            values = (0, 0, 6, 1, 2, 0, 7, 0, 12)[: len(values)] + values[9:]
        journal.append((kind, *values), 0)
    save()
    return journal.shoe


def mark(state: Path, shoe: int) -> None:
    """The shoe's history was fetched."""
    journal_device, _ = partition(state, "journal")
    journal = Journal(journal_device, b"STAND IN", lambda shoe, last: False)
    journal.start()
    store, save = partition(state, "store")
    fetched = Fetched(store, 4)
    fetched.start()
    for number, _, _, record, records, _ in journal.shoes():
        if number == shoe:
            fetched.mark(shoe, record + records - 1, journal.shoe, 0)
    save()


def files_of(state: Path) -> bytes:
    return state.read_bytes()[: root.plan(PAGES)[0] * PAGE]


@pytest.mark.parametrize(
    ("closed", "told"), [(False, "shoe 1 is open"), (True, "the history of shoe 1 was not fetched")]
)
def test_a_history_that_nobody_fetched_stops_it(installed: Path, newer: DeviceFiles, closed: bool, told: str) -> None:
    assert deal(installed, closed=closed) == 1
    before = files_of(installed)
    with pytest.raises(DeviceError, match=f"{told}; nothing was changed.*--overwrite-unfetched"):
        flash(installed, Wish(newer))
    assert files_of(installed) == before
    assert flash(installed, Wish(newer, overwrite_unfetched=True)).unfetched == [1]


def test_a_history_that_was_fetched_stays_fetched_when_the_shoe_restarts(installed: Path, newer: DeviceFiles) -> None:
    """Each start writes a record behind the end of the last history."""
    mark(installed, deal(installed, closed=True))
    starts(installed)
    assert flash(installed, Wish(newer)).unfetched == []
    assert flash(installed, Wish(newer)).unfetched == []


def test_data_that_no_marker_explains_stops_it(firmware: DeviceFiles, tmp_path: Path) -> None:
    state = tmp_path / "flash.bin"
    behind = (root.plan(PAGES)[0] + 60) * PAGE
    content = bytearray(b"\xff" * PAGES * PAGE)
    content[behind : behind + 4] = b"data"
    state.write_bytes(content)
    with pytest.raises(DeviceError, match=r"holds data, but no marker says whose.*--overwrite-unfetched"):
        flash(state, Wish(firmware))
    assert state.read_bytes()[behind : behind + 4] == b"data"
    assert flash(state, Wish(firmware, overwrite_unfetched=True)).new_shoe


# ------------------------------------------------------------------------------------------------ provisioned


def provision(state: Path, belongs: str, announced: str = "") -> None:
    store, save = partition(state, "store")

    def live() -> Iterator[tuple[int, bytes]]:
        yield KEY, bytes(range(32))
        yield FIRMWARE, bytes.fromhex(belongs)
        if announced:
            yield ANNOUNCED, bytes.fromhex(announced)

    Notes(store, AUTHORITY_PAGE, live).rewrite()
    save()


def test_a_provisioned_shoe_takes_announced_firmware_and_no_settings(
    installed: Path, firmware: DeviceFiles, newer: DeviceFiles
) -> None:
    provision(installed, firmware.digest)
    before = files_of(installed)
    with pytest.raises(DeviceError, match=r"provisioned.*`shoetool configure FILE --key KEYFILE`"):
        flash(installed, Wish(firmware, {"table": 3}))
    with pytest.raises(DeviceError, match=r"not announced.*shoetool update"):
        flash(installed, Wish(newer))
    assert files_of(installed) == before
    assert flash(installed, Wish(firmware)).copied == []
    provision(installed, firmware.digest, newer.digest)
    assert flash(installed, Wish(newer)).slot == "a"


# ------------------------------------------------------------------------------------------------ what people read


def test_what_is_no_board_for_it_is_named(
    firmware: DeviceFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repl_module, "ENTER_S", 0.3)
    with pytest.raises(LinkError, match=r"no MicroPython prompt answers.*repl = false.*BOOTSEL"):
        flash(tmp_path / "deaf.bin", Wish(firmware), deaf=True)
    monkeypatch.undo()
    with pytest.raises(DeviceError, match=r"MicroPython 1\.23\.0 is too old; the shoe needs 1\.24 or newer"):
        flash(tmp_path / "old.bin", Wish(firmware), version="1.23.0")
    with pytest.raises(DeviceError, match="the firmware is for an RP2040"):
        flash(tmp_path / "chip.bin", Wish(firmware), platform="esp32")
    with pytest.raises(LinkError, match=r"no such port.*BOOTSEL"):
        Repl(str(tmp_path / "nothing"))


def test_a_port_that_is_in_use_is_said_to_be_busy(tmp_path: Path) -> None:
    with (
        StandIn(tmp_path / "flash.bin") as board,
        serial.Serial(board.port, exclusive=True),
        pytest.raises(LinkError, match="the port is busy: this program itself has it open"),
    ):
        Repl(board.port)


@pytest.fixture
def talker(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A port on which something says a line again and again, and never shows a prompt."""
    device, port = pty.openpty()
    tty.setraw(port)
    over = threading.Event()

    def talk() -> None:
        while not over.wait(0.05):
            os.write(device, b"still here\r\n")
            os.read(device, 4096) if select.select([device], [], [], 0)[0] else None

    talking = threading.Thread(target=talk)
    talking.start()
    monkeypatch.setattr(repl_module, "ENTER_S", 0.2)
    try:
        yield os.ttyname(port)
    finally:
        over.set()
        talking.join()
        os.close(device)
        os.close(port)


def test_a_port_that_keeps_talking_without_a_prompt_is_given_up(
    talker: str, firmware: DeviceFiles, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(LinkError, match="no MicroPython prompt answers"):
        cli_flash.flash(talker, Wish(firmware), quiet=True)
    assert "what ran before" not in capsys.readouterr().err


def test_ctrl_c_before_a_board_answered_promises_nothing_about_it(
    talker: str, firmware: DeviceFiles, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: Any, **named: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(repl_module.SerialTransport, "read_until", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cli_flash.flash(talker, Wish(firmware), quiet=True)
    assert "interrupted; no board has answered yet, and nothing was written" in capsys.readouterr().err


FILL = """\
import os
os.remove('/a/shoe/app/app.mpy')
number = 0
for pages in 64, 8, 1:
    while True:
        try:
            with open('/own%d' % number, 'wb') as file:
                for page in range(pages):
                    file.write(bytes(4096))
        except OSError:
            os.remove('/own%d' % number)
            break
        number += 1
for free in range({free}):
    os.remove('/own%d' % (number - 1 - free))
"""


@pytest.mark.parametrize("free", [0, 1])
def test_a_full_board_says_so(installed: Path, third: DeviceFiles, free: int) -> None:
    """With no page of 4 KiB left littlefs has no room for a name, which is another error."""
    with StandIn(installed) as board, Repl(board.port) as repl:
        repl.enter()
        repl.run(FILL.format(free=free))
    with pytest.raises(DeviceError, match=r"no room (to clear slot a|for /a/[\w/.]+): remove files of your own"):
        flash(installed, Wish(third))
    starts(installed)


def test_a_dry_run_writes_nothing(installed: Path, newer: DeviceFiles) -> None:
    before = files_of(installed)
    assert flash(installed, Wish(newer, dry_run=True)).device == b"STAND IN".hex()
    assert files_of(installed) == before


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "no JSON file"),
        ("[]", "not an object"),
        ('{"speed": 1}', "there is no setting 'speed'"),
        ('{"link": "usb"}', "link takes uart or cdc"),
        ('{"heads": 4}', "heads takes 1, 2 or 3, not 4"),
        ('{"heads": true}', "heads takes 1, 2 or 3, not true"),
        ('{"cards": "tarot"}', "cards takes poker or bridge"),
        ('{"repl": 0}', "repl takes true or false"),
        ('{"repl": true, "repl": false}', "stands twice"),
    ],
)
def test_a_board_file_that_is_wrong_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "board.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=re.escape(told)):
        read_board_file(path)


def test_the_device_takes_every_board_file_that_is_taken_here(tmp_path: Path) -> None:
    from pico import settings as device_settings
    from shoetool.flash.board_file import TAKES

    values = {"link": "cdc", "rs485": True, "heads": 2, "cards": "bridge", "panel": False, "repl": False}
    assert set(values) == set(TAKES)
    path = tmp_path / "board.json"
    path.write_text(json.dumps(values))
    path.write_bytes(read_board_file(path))
    loaded = device_settings.load(str(path))
    assert loaded.wrong == "" and {name: getattr(loaded, name) for name in values} == values


def document(text: str, name: str) -> Any:
    found = json.loads(text)
    schema = json.loads((resources.files("shoetool") / "schemas" / f"{name}.schema.json").read_text())
    Draft202012Validator(schema).validate(found)
    return found


def test_the_command_tells_what_it_did(
    installed: Path, newer: DeviceFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli_flash, "find", lambda: newer)
    config, board_file = tmp_path / "table.toml", tmp_path / "board.json"
    config.write_text("table = 5\n")
    board_file.write_text('{"heads": 2}')
    with StandIn(installed) as board:
        line = ["flash", board.port, "--config", str(config), "--board", str(board_file), "--json"]
        said = CliRunner().invoke(build(), line)
        assert said.exit_code == 0, said.output
        told = document(said.output, "flash")
        assert told["read_back"] == newer.digest and told["self_test"] == {"passed": True, "failed": []}
        assert set(told["settings"]) == {"table"}
        plain = CliRunner().invoke(build(), ["flash", board.port])
    assert plain.exit_code == 0
    assert re.search(r"^flashed: shoe \w{16} runs [\d.]+ from slot a; self-test passed$", plain.output, re.M)
    listed = document(CliRunner().invoke(build(), ["flash", "--list", "--json"]).output, "firmware")
    assert listed["digest"] == newer.digest
    assert len(listed["files"]) == len(newer.slot) + len(newer.root) + 1


def test_a_part_that_fails_the_self_test_is_a_finding(
    installed: Path, firmware: DeviceFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entropy source that repeats: the firmware runs all the same, and the exit code says 1."""
    weak = bundle(
        tmp_path / "weak" / "pico",
        lambda name, text: text.replace("first != second", "first == second") if name == "shoe.app.self_test" else text,
    )
    assert weak.digest != firmware.digest
    monkeypatch.setattr(cli_flash, "find", lambda: weak)
    with StandIn(installed) as board:
        said = CliRunner().invoke(build(), ["flash", board.port])
    assert said.exit_code == 1, said.output
    assert "the self-test FAILED: entropy" in said.output


def test_the_self_test_sees_the_heads_with_the_thresholds_of_their_calibration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A head whose bright lies above the middle looks covered until its own threshold has settled."""
    log: list[str] = []
    power = Power()
    store = MemoryFlash(12, power)

    class Board:
        heads = 2

        def __init__(self, settings: Any) -> None:
            self.store = store
            log.append("board")

        def threshold(self, head: int, value: int) -> None:
            log.append(f"threshold {head} {value}")

    Margins(Board(None), Notes).keep_threshold(1, 45000, (35000,) * 4, (60000,) * 4)
    log.clear()
    importlib.import_module("shoe.app.commission")  # the snippet looks into its slot alone
    stood_for = {
        "main": SimpleNamespace(),
        "time": SimpleNamespace(sleep_ms=lambda ms: log.append(f"sleep {ms}")),
        "pico.settings": SimpleNamespace(load=SimpleNamespace),
        "pico.board": SimpleNamespace(PicoBoard=Board),
    }
    for name, module in stood_for.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr("pico.settings", stood_for["pico.settings"], raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))
    exec(snippets.BOARD.format(slot="a"), {})
    assert log[-3:] == ["threshold 0 32768", "threshold 1 45000", "sleep 50"]


def test_settings_that_do_not_fit_together_are_refused(installed: Path, firmware: DeviceFiles) -> None:
    spanish = {"game": int(Game.SPANISH_21), "decks": 5}
    with pytest.raises(BadInput, match="6 or 8 decks"):
        flash(installed, Wish(firmware, spanish, check_settings=settings.check_together))
    with pytest.raises(BadInput, match=r"^decks: does not fit"):  # the device says so itself
        flash(installed, Wish(firmware, spanish))
    starts(installed)


def test_update_announces_by_itself_what_flash_copies(newer: DeviceFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_update, "find", lambda: newer)
    said = CliRunner().invoke(build(), ["update", "--dry-run", "--json"])
    assert said.exit_code == 0
    told = document(said.output, "update")
    assert told["digest"] == newer.digest and told["firmware"] == newer.version
