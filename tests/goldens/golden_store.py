"""The frozen goldens: digests in a text file a group, and the outputs beside them, as text or compressed.

`GROUP.digests` has the name of each case, and below it a line for each of its files and outputs. `GROUP.txt` and
`GROUP.txt.xz` have the outputs, so that a difference can be shown line by line; `GROUP.files.xz` has round files, table
records and rules submissions of the corpus. Long hexadecimal numbers (commitments, nonces) stand there as `(hex)`,
since nobody can read them and nothing makes them shorter; the digests are those of the outputs as they are.
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
_NO_END = "\\no end of line"
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
        plain = self.folder / f"{self.group.name}.txt"
        found = _split(plain.read_text(encoding="utf-8")) if plain.exists() else {}
        return found | _split(_unpacked(self.folder / f"{self.group.name}.txt.xz"))

    def kept(self) -> dict[str, dict[str, str]]:
        """The files of each case that are kept as they are, by name."""
        found: dict[str, dict[str, str]] = {}
        for (case, name), text in _split(_unpacked(self.folder / f"{self.group.name}.files.xz")).items():
            found.setdefault(case, {})[name] = text
        return found


def freeze(group: Group, goldens: Iterable[Golden], folder: Path = FROZEN) -> bool:
    """Write the goldens of a group; False when the folder has the same ones already."""
    folder.mkdir(exist_ok=True)
    made = list(goldens)
    digests = "".join(f"{one.case}\n" + "".join(f"{value}\t{what}\n" for what, value in rows(one)) for one in made)
    outputs = [(one.case, command, readable(text)) for one in made for command, text in one.outputs.items()]
    plain = [one for one in outputs if group.plain and "--json" not in one[1].split()]
    packed = [one for one in outputs if one not in plain]
    files = [(one.case, name, text) for one in made for name, text in one.texts.items()]
    path = folder / group.name
    changed = [
        _write(path.with_name(f"{group.name}.digests"), digests.encode()),
        _write(path.with_name(f"{group.name}.txt"), _joined(plain).encode()),
        _write_packed(path.with_name(f"{group.name}.txt.xz"), _joined(packed)),
        _write_packed(path.with_name(f"{group.name}.files.xz"), _joined(files)),
    ]
    return any(changed)


def rows(golden: Golden) -> Iterator[tuple[str, str]]:
    """(`file NAME` or command, digest) of everything of a case."""
    for name, value in golden.files.items():
        yield f"file {name}", value
    for command, text in golden.outputs.items():
        yield command, digest(text.encode())


def _write(path: Path, data: bytes) -> bool:
    """Write a file, or remove it when there is nothing to write; False when that changes nothing."""
    if (path.read_bytes() if path.exists() else b"") == data:
        return False
    path.unlink(missing_ok=True)
    if data:
        path.write_bytes(data)
    return True


def _write_packed(path: Path, text: str) -> bool:
    """The same, compressed: what another release of the compressor makes of the same text is no change."""
    if _unpacked(path) == text:
        return False
    return _write(path, lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME) if text else b"")


def _unpacked(path: Path) -> str:
    return lzma.decompress(path.read_bytes()).decode() if path.exists() else ""


def _joined(parts: list[tuple[str, str, str]]) -> str:
    """Texts behind a heading with the name of each, (case, name, text); a text without an end of line gets one."""
    out = []
    for case, name, text in parts:
        assert not text.startswith(_HEAD) and f"\n{_HEAD}" not in text, (case, name)
        out.append(f"{_HEAD}{case}\t{name}\n{text}" + ("" if text.endswith("\n") or not text else f"{_NO_END}\n"))
    return "".join(out)


def _split(text: str) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith(_HEAD):
            case, command = line.removeprefix(_HEAD).removesuffix("\n").split("\t")
            lines = found.setdefault((case, command), [])
        else:
            lines.append(line)
    return {key: "".join(value).removesuffix(f"{_NO_END}\n") for key, value in found.items()}
