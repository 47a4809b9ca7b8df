"""The window of KiCad beside another KiCad or a broken one: skipped with a reason, or a step that names itself.

Scripts stand in for KiCad, Xvfb and xdotool, so this runs where none of them is installed.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import kicad_window
import pytest
from kicad_window import Editor, StepFailed, end, version, why_not

Programs = Callable[..., None]
WAITS = "exec /bin/sleep 600"
NEEDED = {"Module", "Fuse"}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Programs]:
    """Makes programs of these names, each with a line of shell. There are no others."""
    folder = tmp_path / "bin"
    folder.mkdir()
    footprints = tmp_path / "footprints"
    for library in NEEDED:
        (footprints / f"{library}.pretty").mkdir(parents=True)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(kicad_window, "SYSTEM_PATH", str(folder))
    monkeypatch.setattr(kicad_window, "footprint_folders", lambda: [tmp_path / "none", footprints])

    def make(**scripts: str) -> None:
        for name, script in {"pcbnew": WAITS, "Xvfb": WAITS, "xdotool": "", **scripts}.items():
            file = folder / name.replace("_", "-")
            file.write_text(f"#!/bin/sh\n{script}\n")
            file.chmod(0o755)

    version.cache_clear()
    yield make
    version.cache_clear()


@pytest.mark.parametrize(
    ("scripts", "said"),
    [
        ({"kicad_cli": "echo 9.0.2"}, ""),
        ({"kicad_cli": "echo 9.0.2", "python3": "echo 5.1.9"}, ""),
        ({"python3": "echo 6.0.11+dfsg-1"}, ""),
        ({"python3": "echo 5.1.9"}, "this is KiCad 5.1"),
        ({"kicad_cli": "echo 10.0.0"}, "this is KiCad 10.0"),
        ({"kicad_cli": "echo 9.0.2; exit 1"}, "does not tell its version"),
        ({"kicad_cli": "echo it is broken"}, "does not tell its version"),
        ({"python3": "exit 1"}, "does not tell its version"),
        ({}, "does not tell its version"),
    ],
)
def test_the_version_is_asked_of_kicad_and_never_assumed(
    programs: Programs, scripts: dict[str, str], said: str
) -> None:
    """KiCad 5.1 has no kicad-cli either, so that there is none says nothing."""
    programs(**scripts)
    why = why_not(NEEDED)
    assert said in why and bool(why) == bool(said), why


def test_a_kicad_that_waits_for_ever_is_a_reason_to_skip(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kicad_window, "STEP_S", 0.1)
    programs(kicad_cli=WAITS)
    assert "does not tell its version" in why_not(NEEDED)


def test_each_library_of_footprints_must_be_there(programs: Programs) -> None:
    """Without one, KiCad leaves its parts out, and the test would blame the netlist."""
    programs(kicad_cli="echo 9.0.2")
    assert why_not(NEEDED) == ""
    assert "without the footprints Diode_SMD, LED_THT (" in why_not({"Module", "LED_THT", "Diode_SMD"})


@pytest.mark.parametrize("windows", ["", "[ $1 = search ] && echo 7 && exit 0"], ids=["at once", "at a name"])
def test_a_keyboard_that_hangs_is_a_step_that_failed(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: str
) -> None:
    programs(kicad_cli="echo 9.0.2", xdotool=f"{windows}\n{WAITS}")
    version()
    monkeypatch.setattr(kicad_window, "STEP_S", 0.5)
    (tmp_path / "Xvfb_screen0").write_bytes(b"a picture")
    editor = Editor(tmp_path, ":99", "", NEEDED)
    try:
        with pytest.raises(StepFailed, match=r"step 'open the board': xdotool \w+ did not end .* Windows: not known"):
            editor.import_netlist()
    finally:
        editor.close()
    assert (tmp_path / "screen.xwd").read_bytes() == b"a picture"


def test_when_kicad_ends_that_is_the_reason_also_where_nobody_tells_the_windows(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    programs(kicad_cli="echo 9.0.2", pcbnew="exit 7", xdotool=f'[ -e "{asked}" ] && {WAITS}\n: >"{asked}"')
    (tmp_path / "Xvfb_screen0").write_bytes(b"")
    editor = Editor(tmp_path, ":99", "", NEEDED)
    try:
        editor._editor.wait()
        monkeypatch.setattr(kicad_window, "STEP_S", 0.5)
        with pytest.raises(StepFailed, match=r"step 'open the board': KiCad ended with 7\. Windows: not known"):
            editor.import_netlist()
    finally:
        editor.close()


@pytest.mark.parametrize(("trap", "limit_s"), [("", 60), ("trap '' TERM;", 0.2)], ids=["goes", "stays"])
def test_a_screen_that_does_not_go_is_killed(trap: str, limit_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kicad_window, "STEP_S", limit_s)
    with subprocess.Popen(["/bin/sh", "-c", f"{trap} echo ready; exec /bin/sleep 600"], stdout=subprocess.PIPE) as one:
        assert one.stdout is not None and one.stdout.readline() == b"ready\n"
        end(one)
        assert one.returncode == (-9 if trap else -15)
