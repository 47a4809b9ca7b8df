"""The unix port of MicroPython is a pinned package: another one that the mirror hands out is not unpacked."""

from __future__ import annotations

import os
import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "board" / "virtual" / "fetch_micropython.sh"
PACKAGE = b"not what was pinned"
APT = """#!/bin/sh
case "$*" in
indextargets*) echo "https://mirror.example/debian" ;;
*download*)
    echo "$*" >>"$TOLD/asked"
    printf '%s' "not what was pinned" >micropython_1_i386.deb
    ;;
esac
"""
DPKG = """#!/bin/sh
echo "$*" >>"$TOLD/unpacked"
"""


def fetched(tmp_path: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run the script where apt-get hands out PACKAGE, and dpkg only says that it was asked."""
    (tmp_path / "bin").mkdir()
    for name, text in (("apt-get", APT), ("dpkg", DPKG)):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "fetch.sh").write_text(script)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    words = ["sh", "fetch.sh", "i386", "out"]
    return subprocess.run(
        words, cwd=tmp_path, env={"PATH": path, "TOLD": str(tmp_path)}, capture_output=True, text=True, check=False
    )


def test_a_package_with_another_hash_is_refused_and_not_unpacked(tmp_path: Path) -> None:
    done = fetched(tmp_path, SCRIPT.read_text(encoding="utf-8"))
    assert done.returncode == 2 and "is not the package that fetch.sh names" in done.stderr
    assert not (tmp_path / "unpacked").exists()
    asked = re.findall(r"micropython=\S+", (tmp_path / "asked").read_text())
    assert asked == ["micropython=1.25.0+ds-1"]


def test_the_package_that_was_pinned_is_unpacked(tmp_path: Path) -> None:
    """So it was the hash that the other test is about."""
    text = re.sub(r"(i386\) sha256=)[0-9a-f]{64}", rf"\g<1>{sha256(PACKAGE).hexdigest()}", SCRIPT.read_text("utf-8"))
    fetched(tmp_path, text)
    assert (tmp_path / "unpacked").exists()


@pytest.mark.parametrize("arch", ["amd64", "i386"])
def test_each_word_size_has_its_own_hash(arch: str) -> None:
    found = re.findall(r"(\w+)\) sha256=([0-9a-f]{64}) ;;", SCRIPT.read_text(encoding="utf-8"))
    assert arch in dict(found) and len({digest for _, digest in found}) == len(found) == 2
