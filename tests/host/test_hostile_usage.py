"""Real processes in hostile surroundings: closed streams, a closed pipe, numbers beyond every range."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from histories import Script
from pty_shoe import short_shoe
from shoetool.cli import build


def shell(line: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `tool` is shoetool; a path to it may have spaces."""
    line = 'tool() { "$python" -m shoetool "$@"; }\n' + line
    env = {
        "python": sys.executable,
        "SHOETOOL_CRASH_DIR": str(tmp_path / "crash"),
        "PATH": "/usr/bin:/bin",
    }
    return subprocess.run(["bash", "-c", line], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60)


def history(tmp_path: Path) -> Path:
    script: Script = short_shoe()
    return script.write(tmp_path / "a.shoelog")


@pytest.mark.parametrize("command", ["verify --json", "replay"])
@pytest.mark.parametrize("closed", [">&-", "2>&- >/dev/null"])
def test_a_closed_stream_changes_no_exit_code(command: str, closed: str, tmp_path: Path) -> None:
    path = history(tmp_path)
    before = path.read_bytes()
    expected = shell(f"tool {command} a.shoelog >/dev/null 2>&1; echo $?", tmp_path).stdout
    result = shell(f"(tool {command} a.shoelog {closed}); echo $?", tmp_path)
    assert result.stdout == expected and expected.strip() in ("0", "1") and "Traceback" not in result.stderr
    assert path.read_bytes() == before and not (tmp_path / "crash").exists()


def test_a_closed_pipe_is_never_taken_for_findings(tmp_path: Path) -> None:
    """Exit code 1 means findings; rich leaves with it when the reader of a table goes away."""
    result = shell("tool simulate --list | true; echo ${PIPESTATUS[0]}", tmp_path)
    assert result.stdout.strip() in ("0", "141") and result.stderr == ""


def test_a_record_number_beyond_the_protocol_is_bad_usage() -> None:
    result = CliRunner().invoke(build(), ["monitor", "--from", "99999999999", "--port", "/dev/no-such-port"])
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
