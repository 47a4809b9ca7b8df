"""Machine code of MicroPython holds no constant that an image reads wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rig.files import compiled

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    path
    for folder in ("firmware/shoe", "board/pico")
    for path in (ROOT / folder).rglob("*.py")
    if re.search(r"^@micropython\.(viper|native)", path.read_text(), re.MULTILINE)
)
# ldr rN, [pc, #0]; b over it; the constant. The processor reads it at a multiple of 4. Where an image's linker puts the
# function 2 bytes behind one, it reads the `b` and the lower half instead.
_CONSTANT = re.compile(rb"\x00[\x48-\x4f]\x01\xe0(.{4})", re.DOTALL)


def constants(code: bytes) -> list[int]:
    """What machine code for the RP2040 in `code`, a .mpy file, reads from beside its instructions.

    Left out is the number of arguments, twice, which is read only to word the error for a wrong number of them.
    """
    found = [int.from_bytes(value, "little") for value in _CONSTANT.findall(code)]
    return [value for value in found if value >> 17 != value >> 1 & 0xFF or value & 0x1FE00]


def test_a_constant_beside_the_code_is_found(tmp_path: Path) -> None:
    source = "@micropython.viper\ndef f(n: int) -> int:\n    return n & {}\n"
    assert constants(compiled(source.format("0x3FFFFFFF"), tmp_path)) == [0x3FFFFFFF]
    assert constants(compiled(source.format("100000"), tmp_path)) == [100_000]
    assert constants(compiled(source.format("0x20000000"), tmp_path)) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_machine_code_holds_a_constant_that_an_image_may_read_wrong(path: Path, tmp_path: Path) -> None:
    assert len(MODULES) >= 9
    assert constants(compiled(path.read_text(), tmp_path)) == []
