"""KiCad's PCB editor in a window that nobody sees: it imports a netlist as a user would, and saves the board.

KiCad 6 and 9 read no netlist without it: kicad-cli and the Python module have nothing for that, and the IPC API needs
the running window. So Xvfb is the screen and xdotool the keyboard. Every step waits for what it must bring about, and
names itself when that does not come.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

PROGRAMS = {"pcbnew": "kicad", "Xvfb": "xvfb", "xdotool": "xdotool"}  # and the package of Debian that brings each
TRIED = ("6.0", "9.0")
FOOTPRINT_DIR = r"KICAD\w*_FOOTPRINT_DIR"
SYSTEM_PATH = "/usr/bin:/usr/local/bin"  # where the Python is that imports pcbnew
STEP_S = 120  # a step takes some seconds; a machine with much else to do may need longer

EMPTY_BOARD = """(kicad_pcb (version 20211014) (generator shoe)
  (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (36 "B.SilkS" user) (37 "F.SilkS" user)
    (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user) (46 "B.CrtYd" user) (47 "F.CrtYd" user)
    (48 "B.Fab" user) (49 "F.Fab" user)))
"""
KEY = "ctrl+shift+y"  # no action of KiCad has it
# A first start asks for these.
ANSWERED = ("data_collection_prompt", "env_var_overwrite_warning", "update_check_prompt")


class StepFailed(Exception):
    """What was waited for, and where the picture of the screen lies."""


def why_not(libraries: set[str]) -> str:
    """Why no netlist with footprints of these libraries can be imported on this machine, or ""."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        packages = " ".join(PROGRAMS[program] for program in missing)
        return f"no {' and no '.join(missing)} here (Debian: apt-get install {packages})"
    if not version():
        return "KiCad does not tell its version: kicad-cli version and pcbnew.Version() of the system's python3 fail"
    if version() not in TRIED:
        return f"this is KiCad {version()}: its window was driven in {' and '.join(TRIED)} only"
    folders = footprint_folders()
    without = sorted(name for name in libraries if not any((folder / f"{name}.pretty").is_dir() for folder in folders))
    if without:
        return f"KiCad is here without the footprints {', '.join(without)} (Debian: apt-get install kicad-footprints)"
    return ""


def footprint_folders() -> list[Path]:
    """Where KiCad's footprints may lie."""
    named = [value for name, value in os.environ.items() if re.fullmatch(FOOTPRINT_DIR, name)]
    return [Path(folder) for folder in (*named, "/usr/share/kicad/footprints", "/usr/local/share/kicad/footprints")]


@cache
def version() -> str:
    """KiCad's version as its folders have it: "9.0"; "" when it does not tell. KiCad 5 and 6 have no kicad-cli."""
    command = ["kicad-cli", "version"]
    if shutil.which("kicad-cli") is None:
        python = shutil.which("python3", path=SYSTEM_PATH)
        if python is None:
            return ""
        command = [python, "-c", "import pcbnew; print(pcbnew.Version())"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=STEP_S)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"^(\d+\.\d+)\b", done.stdout, re.MULTILINE)
    return found[1] if found and not done.returncode else ""


@contextmanager
def screen(folder: Path) -> Iterator[str]:
    """A screen of its own, as DISPLAY names it. Its picture is always in `folder`/Xvfb_screen0, in the form of xwd."""
    ends, begins = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(begins),
        "-screen",
        "0",
        "1400x900x24",
        "-nolisten",
        "tcp",
        "-fbdir",
        str(folder),
    ]
    with (folder / "xvfb.log").open("w") as log:
        server = subprocess.Popen(command, pass_fds=[begins], stdout=log, stderr=log)
    os.close(begins)
    try:
        # It writes the number when it is ready, and closes the pipe when it cannot be.
        number = os.read(ends, 16).decode().strip() if select.select([ends], [], [], STEP_S)[0] else ""
        if not number:
            raise StepFailed(f"Xvfb did not start: {folder / 'xvfb.log'}")
        yield f":{number}"
    finally:
        os.close(ends)
        end(server)


def end(program: subprocess.Popen[bytes]) -> None:
    """End a program, by force when it does not go in time."""
    program.terminate()
    try:
        program.wait(STEP_S)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


class Editor:
    """The PCB editor with an empty board beside a netlist, both named shoe, in `folder`."""

    def __init__(self, folder: Path, display: str, netlist: str, libraries: set[str]) -> None:
        self.folder = folder
        self.board = folder / "shoe.kicad_pcb"
        self.board.write_text(EMPTY_BOARD, encoding="utf-8")
        (folder / "shoe.net").write_text(netlist, encoding="utf-8")
        project = {
            "meta": {"filename": "shoe.kicad_pro", "version": 1},
            "pcbnew": {"last_paths": {"netlist": "shoe.net"}},
        }
        (folder / "shoe.kicad_pro").write_text(json.dumps(project), encoding="utf-8")
        self._settings(folder / "settings" / "kicad" / version(), libraries)
        # Nothing of the user's own settings, desktop and language.
        kept = {name: value for name, value in os.environ.items() if re.fullmatch(rf"PATH|{FOOTPRINT_DIR}", name)}
        home = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "settings")}
        self._environ = {**kept, **home, "DISPLAY": display, "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1"}
        self._step = "start"
        with (folder / "pcbnew.log").open("w") as log:
            self._editor = subprocess.Popen(["pcbnew", str(self.board)], env=self._environ, stdout=log, stderr=log)

    @staticmethod
    def _settings(folder: Path, libraries: set[str]) -> None:
        """What a user would have answered before, the libraries, and a key for the import."""
        folder.mkdir(parents=True)
        common = {
            "do_not_show_again": dict.fromkeys(ANSWERED, True),
            "meta": {"filename": "kicad_common.json", "version": 0},
        }
        (folder / "kicad_common.json").write_text(json.dumps(common), encoding="utf-8")
        keys = "+".join(key.capitalize() for key in KEY.split("+"))
        (folder / "user.hotkeys").write_text(f"pcbnew.EditorControl.importNetlist\t{keys}\n", encoding="utf-8")
        where = f"${{KICAD{folder.name.partition('.')[0]}_FOOTPRINT_DIR}}"  # KiCad knows it by itself
        table = (
            f'(lib (name "{name}")(type "KiCad")(uri "{where}/{name}.pretty")(options "")(descr ""))'
            for name in libraries
        )
        (folder / "fp-lib-table").write_text(f"(fp_lib_table {' '.join(table)})\n", encoding="utf-8")

    def close(self) -> None:
        """End it. What was not saved is lost."""
        self._editor.kill()
        self._editor.wait()

    def _failed(self, why: str, ask: bool = True) -> StepFailed:
        """`ask`: whether xdotool can be asked which windows there are."""
        picture = self.folder / "screen.xwd"
        shutil.copy(self.folder / "Xvfb_screen0", picture)
        windows = "not known"
        if ask:
            with suppress(StepFailed):  # what failed first is the reason
                windows = ", ".join(repr(name) for name in self._windows().values()) or "none"
        return StepFailed(
            f"step {self._step!r}: {why}. Windows: {windows}. Screen: {picture}; see also pcbnew.log beside it"
        )

    def _xdotool(self, *words: str) -> str:
        command = ["xdotool", *words]
        try:
            done = subprocess.run(command, env=self._environ, capture_output=True, text=True, timeout=STEP_S)
        except subprocess.TimeoutExpired:
            raise self._failed(f"xdotool {words[0]} did not end in {STEP_S} s", ask=False) from None
        return done.stdout.strip()

    def _windows(self) -> dict[str, str]:
        """The windows that are to be seen and have a name."""
        found = self._xdotool("search", "--onlyvisible", "--name", ".+").split()
        named = {window: self._xdotool("getwindowname", window) for window in found}
        return {window: name for window, name in named.items() if name}

    def _window(self, pattern: str) -> str:
        """The window whose name this is, or ""."""
        return next((window for window, name in self._windows().items() if re.fullmatch(pattern, name)), "")

    def _until(self, what: str, condition: Callable[[], object], limit_s: float = STEP_S) -> None:
        end = time.monotonic() + limit_s
        while not condition():
            if self._editor.poll() is not None:
                raise self._failed(f"KiCad ended with {self._editor.returncode}")
            if time.monotonic() > end:
                raise self._failed(f"{what} did not come in {limit_s:.0f} s")
            time.sleep(0.1)

    def _press(self, window: str, *keys: str) -> None:
        """Keys at a window, or none if it is gone."""
        if found := self._window(window):
            self._xdotool("windowfocus", "--sync", found)
            for key in keys:
                self._xdotool("key", "--delay", "50", key)

    def _press_until(self, window: str, keys: tuple[str, ...], what: str, condition: Callable[[], object]) -> None:
        """Keys, and the same again every 10 s: the first may come before KiCad listens."""
        pressed = -100.0

        def met() -> bool:
            nonlocal pressed
            if condition():
                return True
            if time.monotonic() - pressed > 10:
                self._press(window, *keys)
                pressed = time.monotonic()
            return False

        self._until(what, met)

    def _settle(self) -> None:
        """Wait until the picture stands still for a second: a new dialog takes the keyboard to one of its fields."""
        seen, since = b"", 0.0

        def still() -> bool:
            nonlocal seen, since
            now = (self.folder / "Xvfb_screen0").read_bytes()
            if now != seen:
                seen, since = now, time.monotonic()
            return time.monotonic() - since > 1

        self._until("a picture that stands still", still)

    def import_netlist(self) -> str:
        """The text of the board that KiCad saved. StepFailed says what did not come."""
        editor, changed, dialog = r"\*?shoe — PCB Editor", r"\*shoe — PCB Editor", "Import Netlist"
        self._step = "open the board"
        self._until("the editor", lambda: self._window(editor) and not self._window("Loading PCB"))
        self._step = "File, Import, Netlist"
        self._press_until(editor, (KEY,), "the dialog", lambda: self._window(dialog))
        self._step = "Update PCB"
        self._settle()
        # From the name of the file, which has the keyboard at first, back over Load and Close. The dialog stays open.
        self._press(dialog, "shift+Tab", "shift+Tab", "shift+Tab", "space")
        self._until("the changed board", lambda: self._window(changed))
        self._step = "Close"
        self._press_until(dialog, ("Escape",), "the end of the dialog", lambda: not self._window(dialog))
        self._step = "File, Save"
        before = self.board.stat().st_ino
        # KiCad writes another file and gives it the name when it is whole. Escape lets go of what hangs at the mouse.
        self._press_until(editor, ("Escape", "ctrl+s"), "the saved board", lambda: self.board.stat().st_ino != before)
        return self.board.read_text(encoding="utf-8")
