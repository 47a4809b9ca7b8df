"""The frozen goldens: digests in a text file a group, and the outputs beside them, as text or compressed.

`GROUP.digests` has the name of each case, and below it a line for each of its files and outputs. `GROUP.txt`, or
`GROUP.txt.xz`, has the outputs, so that a difference can be shown line by line. Long hexadecimal numbers (commitments,
nonces) stand there as `(hex)`, since nobody can read them and nothing makes them shorter; the digests are those of the
outputs as they are.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from golden_case import Golden, Group
from golden_outputs import digest

FROZEN = Path(__file__).resolve().parent / "frozen"
_HEAD = "=== "
_HEX = re.compile(r"\b[0-9a-f]{32,}\b")


def readable(text: str) -> str:
    """An output as it is kept beside its digest."""
    return _HEX.sub("(hex)", text)


@dataclass(slots=True)
class Frozen:
    """The goldens of a group as they are frozen; the texts are read when they are asked for."""

    group: Group
    folder: Path
    digests: dict[str, dict[str, str]]
    """Case, then `file NAME` or the command: the digest."""

    @classmethod
    def read(cls, group: Group, folder: Path = FROZEN) -> Frozen:
        """What lies in the folder; empty when the group was never frozen."""
        found: dict[str, dict[str, str]] = {}
        path = folder / f"{group.name}.digests"
        if path.exists():
            case: dict[str, str] = {}
            for line in path.read_text(encoding="utf-8").splitlines():
                value, tab, what = line.partition("\t")
                if tab:
                    case[what] = value
                else:
                    case = found.setdefault(line, {})
        return cls(group, folder, found)

    def texts(self) -> dict[tuple[str, str], str]:
        """The output of each (case, command)."""
        path = self.folder / _text_name(self.group)
        if not path.exists():
            return {}
        data = path.read_bytes()
        return _split((data if self.group.plain else lzma.decompress(data)).decode())


def freeze(group: Group, goldens: Iterable[Golden], folder: Path = FROZEN) -> bool:
    """Write the goldens of a group; False when the folder has the same ones already."""
    folder.mkdir(exist_ok=True)
    made = list(goldens)
    digests = "".join(f"{one.case}\n" + "".join(f"{value}\t{what}\n" for what, value in rows(one)) for one in made)
    text = "".join(_joined(made))
    changed = _write(folder / f"{group.name}.digests", digests.encode())
    path = folder / _text_name(group)
    if group.plain:
        return _write(path, text.encode()) or changed
    # What another release of the compressor makes of the same text is no change.
    if path.exists() and lzma.decompress(path.read_bytes()).decode() == text:
        return changed
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return True


def rows(golden: Golden) -> Iterator[tuple[str, str]]:
    """(`file NAME` or command, digest) of everything of a case."""
    for name, value in golden.files.items():
        yield f"file {name}", value
    for command, text in golden.outputs.items():
        yield command, digest(text.encode())


def _text_name(group: Group) -> str:
    return f"{group.name}.txt" if group.plain else f"{group.name}.txt.xz"


def _write(path: Path, data: bytes) -> bool:
    if path.exists() and path.read_bytes() == data:
        return False
    path.write_bytes(data)
    return True


def _joined(goldens: list[Golden]) -> Iterator[str]:
    for golden in goldens:
        for command, text in golden.outputs.items():
            assert not text.startswith(_HEAD) and f"\n{_HEAD}" not in text, (golden.case, command)
            assert text.endswith("\n") or not text, (golden.case, command)
            yield f"{_HEAD}{golden.case}\t{command}\n"
            yield readable(text)


def _split(text: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith(_HEAD):
            case, command = line.removeprefix(_HEAD).removesuffix("\n").split("\t")
            lines = found.setdefault((case, command), [])
        else:
            lines.append(line)
    return {key: "".join(value) for key, value in found.items()}
