"""The steps from a stock MicroPython to a shoe that runs this firmware. Each is safe to interrupt and to repeat.

The running firmware is not touched until its replacement is whole. Files go into the slot that is not running and are
read back by digest. Then a rename switches the slots. A step leaves finished work alone, so the next run goes on where
the last one ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from shoetool.flash.device_files import LIST, DeviceFiles, digest_of
from shoetool.flash.repl import BoardError, Repl
from shoetool.flash.snippets import BOARD, READ_BACK, SELF_TEST, STOP_WATCHDOG, STORAGE, TOOLS, WHO
from shoetool.flash.writing import Writing, plain
from shoetool.model.errors import BadInput
from shoetool.model.protocol_table import CONFIGS, BootCause
from shoetool.report.sentences import many
from shoetool.wire.answers import pack_pairs, unpack_pairs

OLDEST: Final = (1, 24)
MPY_VERSION: Final = 6
READY_S: Final = 60.0
"""How long a shoe may take from its restart to `ready`. An emulated shoe needs ten times as long as a real one."""
_READY: Final = re.compile(rb"shoe ready, boot (\d+)[^\n]*\n")
_GAVE_UP: Final = re.compile(rb"start: no firmware runs: ([^\r\n]*)[\r\n]")
SLOTS: Final = ("a", "b")
# Modules that the questions need in RAM, before the board has them as files: these, and all that they import.
_LAYOUT: Final = (
    "shoe/__init__.mpy", "shoe/compat.mpy", "pico/__init__.mpy", "pico/root.mpy", "pico/flash_log.mpy",
    "pico/partitions.mpy",
)  # fmt: skip
_JOURNAL: Final = (
    "shoe/wire_table.mpy", "shoe/journal/__init__.mpy", "shoe/journal/flash.mpy", "shoe/journal/page.mpy",
    "shoe/journal/cursor.mpy", "shoe/journal/journal.mpy", "shoe/journal/durable_notes.mpy",
    "shoe/journal/fetched.mpy", "shoe/app/__init__.mpy", "shoe/app/commission.mpy",
)  # fmt: skip
_OPEN, _PROVISIONED = 0, 1

Say = Callable[[str, str], None]
"""A function that is called with the name of a step and its result."""
Advance = Callable[[int, int | None], None]
CheckSettings = Callable[[Mapping[str, int]], None]


@dataclass(slots=True)
class Wish:
    """What the board must hold: `settings` as `shoetool configure` reads them, `board` the bytes of board.json."""

    files: DeviceFiles
    settings: Mapping[str, int] = field(default_factory=dict)
    board: bytes | None = None
    overwrite_unfetched: bool = False
    dry_run: bool = False
    check_settings: CheckSettings = lambda values: None


@dataclass(slots=True)
class Outcome:
    """What was found and done. `failed`: the mask of the self-test. A step that did not run leaves None or nothing."""

    port: str
    firmware: str
    digest: str
    micropython: str = ""
    machine: str = ""
    device: str = ""
    new_shoe: bool = False
    unfetched: list[int] = field(default_factory=list)
    slot: str = ""
    copied: list[str] = field(default_factory=list)
    copied_bytes: int = 0
    settings: dict[str, tuple[int | None, int]] = field(default_factory=dict)
    boot: int | None = None
    failed: int | None = None
    read_back: str = ""


class Flasher:
    """One run with the board at `repl`. `say` gets each step, `advance` how many of all bytes were copied."""

    def __init__(self, repl: Repl, wish: Wish, say: Say, advance: Advance) -> None:
        self.repl = repl
        self.wish = wish
        self.say = say
        self.advance = advance
        self.done = Outcome(repl.port, wish.files.version, wish.files.digest)
        self._running = ""  # the slot that a start would use now
        self._write = Writing(repl)

    def run(self) -> Outcome:
        """Do all steps. LinkError, DeviceError: one line. Finished steps stay, and the next run goes on from there."""
        self.repl.enter()
        self.who()
        self.repl.run(STOP_WATCHDOG)
        self.repl.run(TOOLS)
        self.keep("start.py", self.wish.files.root["start.py"])
        for name in _LAYOUT:
            self.keep(name, self.wish.files.slot[name])
        self.done.new_shoe = self.is_new()
        if not self.done.new_shoe:
            self.histories()
            self.authority()
        else:
            self.wish.check_settings(self.wish.settings)  # with the defaults
        if self.wish.dry_run:
            self.repl.restart()
            return self.done
        self.mount()
        self.copy()
        self.board_file()
        self.settings()
        self.test_and_start()
        return self.done

    def keep(self, name: str, content: bytes) -> None:
        """Put a module into the board's RAM, to be imported from there."""
        self.repl.run(f"keep({name!r})")
        self.repl.send("w.write", content)
        self.repl.run(f"kept({name!r})")

    # ------------------------------------------------------------------------------------------ what is there
    def who(self) -> None:
        """Raise DeviceError unless the firmware can run on this MicroPython and this chip."""
        self.repl.run("import sys")
        platform, name, version, machine, mpy = self.repl.ask(WHO)
        told = ".".join(map(str, version))
        if name != "micropython":
            raise self.repl.refuse(f"{name} answers, not MicroPython; the shoe needs MicroPython 1.24 or newer")
        if platform != "rp2" or "RP2350" in machine:
            raise self.repl.refuse(f"this is {machine or platform}; the firmware is for an RP2040")
        if tuple(version[:2]) < OLDEST:
            raise self.repl.refuse(f"MicroPython {told} is too old; the shoe needs 1.24 or newer: copy its UF2 first")
        if mpy & 0xFF != MPY_VERSION:
            raise self.repl.refuse(f"MicroPython {told} reads .mpy version {mpy & 0xFF}, the firmware is {MPY_VERSION}")
        self.done.micropython, self.done.machine = told, machine
        self.done.device = self.repl.ask("__import__('machine').unique_id()").hex()
        self.say("board", f"{machine}, MicroPython {told}, id {self.done.device}")

    def is_new(self) -> bool:
        """Whether the flash has no layout of a shoe yet. DeviceError when it holds data that nobody may overwrite."""
        self.repl.run("import rp2\nfrom pico import root\nflash = rp2.Flash()")
        try:
            new: bool = self.repl.ask("root.marked(flash, root.storage_of(flash))") is None
        except BoardError as error:
            if not (self.wish.overwrite_unfetched and "damaged" in str(error)):
                raise self.repl.refuse(plain(error)) from None
            new = True
        if new:
            self.say("flash", "no shoe is laid out here yet")
        return new

    def histories(self) -> None:
        """Raise DeviceError when the shoe holds a history that nobody fetched, unless the user allowed it."""
        for name in _JOURNAL:
            self.keep(name, self.wish.files.slot[name])
        self.repl.run(STORAGE)
        _, shoe, is_open, missing = self.repl.ask("commission.standing(Storage)")
        self.done.unfetched = list(missing)
        if is_open:
            told = f"shoe {shoe} is open"
        elif missing:
            told = f"the history of shoe {_some(missing)} was not fetched"
        else:
            told = "every history is fetched"
        self.say("journal", told)
        if missing and not self.wish.overwrite_unfetched:
            raise self.repl.refuse(
                f"{told}; nothing was changed. Fetch with `shoetool pull`, or go on with --overwrite-unfetched"
            )

    def authority(self) -> None:
        """Raise DeviceError when a provisioned shoe would refuse what is wanted."""
        state, belongs, announced = self.repl.ask("commission.provisioned(Storage)")
        if state == _OPEN:
            return
        digest = bytes.fromhex(self.wish.files.digest)
        if self.wish.settings:
            raise self.repl.refuse(
                "this shoe is provisioned: its settings change over its line and with its key alone; use "
                "`shoetool configure FILE --key KEYFILE`, and flash without --config"
            )
        if state == _PROVISIONED and digest not in (belongs, announced):
            raise self.repl.refuse(
                "this shoe is provisioned, and this firmware was not announced to it; it would stop with the fault "
                "`firmware`. Announce it over the shoe's line first: `shoetool update --key KEYFILE`"
            )

    # ------------------------------------------------------------------------------------------ files
    def mount(self) -> None:
        """Mount the root file system within its share before any file is written. Lay out the flash of a new shoe."""
        if not self.done.new_shoe:
            self.repl.run("root.remount()")
            return
        self.repl.run("from pico import partitions\nroot.format_root()")
        try:
            self.repl.run(f"partitions.lay_out({self.wish.overwrite_unfetched})")
        except BoardError as error:
            raise self.repl.refuse(
                f"{plain(error)}; it may be a shoe's journal. If it is not, go on with --overwrite-unfetched"
            ) from None
        self.say("flash", "laid out for a new shoe")

    def copy(self) -> None:
        """Copy the files that differ to slot and root, read each back by its digest, and switch."""
        files = self.wish.files
        self.repl.run("import start")
        named, whole = self.repl.ask("(start.named(), [s for s in start.SLOTS if not start.check(s)])")
        self._running = named if named in whole else next(iter(whole), "")
        listed = digest_of(files.listing)
        current = [s for s in whole if self.repl.ask(f"digest_or_none('/{s}/{LIST}')") == listed]
        target = self._running if self._running in current else next(iter(current), "") or other(self._running)
        jobs = [] if target in current else self._write.stale(target, files.slot)
        on_root = [
            name for name, content in files.root.items()
            if self.repl.ask(f"digest_or_none('/{name}')") != digest_of(content)
        ]  # fmt: skip
        total = sum(len(files.slot[name]) for name in jobs) + sum(len(files.root[name]) for name in on_root)
        moved = 0

        def advance(n: int) -> None:
            nonlocal moved
            moved += n
            self.advance(moved, total)

        sent = total
        if target not in current:
            sent -= self._write.files(target, self._running, {name: files.slot[name] for name in jobs}, advance)
            self._write.file(f"/{target}/{LIST}", files.listing, lambda n: None)
            wrong = self.repl.ask(f"start.check({target!r})")
            if wrong:
                raise self.repl.refuse(f"slot {target} is not complete after copying: {wrong}; run it again")
        for name in on_root:
            self._write.replace(f"/{name}", files.root[name], advance)
        if named != target:
            self._write.replace("/slot", target.encode() + b"\n", lambda n: None)
        self.done.slot = target
        self.done.copied = [*(f"{target}/{name}" for name in jobs), *on_root]
        self.done.copied_bytes = sent
        told = f"{len(self.done.copied)} of {many(len(files.slot) + len(files.root), 'file')}, {sent} bytes"
        self.say("copy", f"{told}; slot {target} starts" if self.done.copied else f"slot {target} is current")

    # ------------------------------------------------------------------------------------------ settings
    def board_file(self) -> None:
        """Write board.json when a different one is wanted."""
        wanted = self.wish.board
        if wanted is None:
            return
        if self.repl.ask("digest_or_none('/board.json')") == digest_of(wanted):
            self.say("board.json", "is current")
            return
        self._write.replace("/board.json", wanted, lambda n: None)
        self.say("board.json", wanted.decode().strip())

    def settings(self) -> None:
        """Write the game's configuration with the copied modules. DeviceError when they refuse it."""
        wanted = self.wish.settings
        if not wanted:
            return
        self.repl.run(f"forget()\nsys.path.append('/{self.done.slot}')")
        self.repl.run(STORAGE)
        written, pairs = self.repl.ask("commission.settings(Storage)")
        old = {_NAMES[number]: value for number, value in unpack_pairs(pairs).items() if number in _NAMES}
        self.wish.check_settings({**old, **wanted})
        self.done.settings = {
            name: (old.get(name), value) for name, value in wanted.items() if not written or old.get(name) != value
        }
        packed = pack_pairs({_NUMBERS[name]: value for name, value in wanted.items()})
        try:
            wrong = self.repl.ask(f"commission.configure(Storage, {packed!r})")
        except BoardError as error:
            raise self.repl.refuse(
                f"the settings were not taken ({plain(error)}); a shoe that is open or provisioned takes none here"
            ) from None
        if wrong:
            raise BadInput(f"{_NAMES.get(wrong, wrong)}: does not fit the other settings; nothing was set")
        self.say("settings", f"{len(self.done.settings)} of {many(len(wanted), 'setting')} changed")

    # ------------------------------------------------------------------------------------------ and does it run
    def test_and_start(self) -> None:
        """Run self-test and digest with the copied files, then start the shoe and leave it running. DeviceError."""
        slot = self.done.slot
        self.repl.enter()
        self.repl.run(STOP_WATCHDOG)
        try:
            self.repl.run(BOARD.format(slot=slot))
            version, digest = self.repl.ask(READ_BACK)
            self.done.failed = self.repl.ask(SELF_TEST)
            self.repl.run("board.close()")
        except BoardError as error:
            raise self.repl.refuse(f"the self-test did not run: {plain(error)}") from None
        self.done.read_back = digest.hex()
        if version != self.done.firmware or self.done.read_back != self.done.digest:
            raise self.repl.refuse(
                f"firmware {version} with the digest {digest.hex()} lies on the board, not {self.done.firmware} with "
                f"{self.done.digest}; a file that stands in for a module of MicroPython counts too: remove it"
            )
        self.say("firmware", f"{version}, digest {digest.hex()} as built")
        if self.done.copied:
            self.repl.run(f"from pico import chip\nchip.note_boot_cause({int(BootCause.UPDATE)})")
        self.repl.restart()
        said = self.repl.listen(lambda log: bool(_READY.search(log) or _GAVE_UP.search(log)), READY_S)
        lines = said.decode("utf-8", "replace").split("\n")
        started = [line.strip().removeprefix("start: ") for line in lines if line.startswith("start: ")]
        ready = _READY.search(said)
        if started:
            raise self.repl.refuse(f"the new firmware does not start: {started[-1]}")
        if ready is None:
            told = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
            raise self.repl.refuse(f"the shoe was started and did not become ready in {READY_S:.0f} s: {told}")
        self.done.boot = int(ready.group(1))
        self.say("start", f"ready, boot {self.done.boot}")


_NAMES: Final = {int(number): str(row["name"]) for number, row in CONFIGS.items()}
_NUMBERS: Final = {name: number for number, name in _NAMES.items()}


def other(slot: str) -> str:
    """Return the slot that is free while `slot` runs."""
    return SLOTS[1] if slot == SLOTS[0] else SLOTS[0]


def _some(shoes: list[int]) -> str:
    """Numbers of shoes, the first and the last when they are many."""
    return ", ".join(map(str, shoes)) if len(shoes) < 6 else f"{shoes[0]} to {shoes[-1]}"
