"""Pinned public keys: the key that a device signs with, after somebody compared fingerprints.

A folder holds one file a device (`<device>.json`). Beside it `<device>.seen` holds what was seen signed, one line each:
key, index, SHA-256 of the statement, and the statement. So a reused index or a missing history is noticed even when two
histories come a year apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from shoetool.model.errors import BadInput
from shoetool.model.file_kinds import PUBLIC_KEY, SEEN
from shoetool.model.input_file import read_own
from shoetool.model.notices import note
from shoetool.model.output_file import make_folder, open_growing, write_state
from shoetool.model.places import KEYS_VARIABLE, keys_folder
from shoetool.trust.keys import PublicKey
from shoetool.trust.statement import Statement


class PinStore:
    """The pins in one folder. The folder need not exist yet. BadInput names a file that cannot be used.

    `folder`: see `keys_folder`. A user without such a folder has no pins, and nothing is remembered.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = keys_folder(folder)
        self._seen: dict[bytes, dict[tuple[str, int], tuple[str, bytes]]] = {}

    def _path(self, device: bytes, ending: str) -> Path:
        if self.folder is None:
            raise BadInput(f"this user has no home folder for pinned keys: name one with --keys or ${KEYS_VARIABLE}")
        return self.folder / f"{device.hex()}.{ending}"

    def _files(self, ending: str) -> list[Path]:
        """Return the files in the folder with this ending, in order."""
        try:
            return [] if self.folder is None else sorted(self.folder.glob(f"*.{ending}"))
        except OSError as error:
            raise BadInput(f"{self.folder}: cannot be read: {error.strerror}") from None

    def get(self, device: bytes) -> PublicKey | None:
        """Return the key that is pinned for a device; None without one."""
        if self.folder is None:
            return None
        path = self._path(device, "json")
        content = read_own(path, "a pinned key")
        if content is None:
            return None
        try:
            document = json.loads(content)
            if document["device"] != device.hex():
                raise BadInput("it is the pin of another device")
            return PublicKey.from_hex(document["public"])
        except BadInput as error:
            raise BadInput(f"{path}: {error}; pin the key again") from None
        except (ValueError, KeyError, TypeError):
            raise BadInput(f"{path}: is no pinned key; pin the key again") from None

    def items(self) -> Iterator[tuple[bytes, PublicKey]]:
        """Yield (device, key) of every pin, in the order of the devices."""
        for path in self._files("json"):
            try:
                device = bytes.fromhex(path.stem)
            except ValueError:
                continue  # not a pin's file
            key = self.get(device)
            if key is not None:
                yield device, key

    def pinned(self) -> dict[bytes, bytes]:
        """Return the 56 bytes of the pinned key of each device."""
        return {device: key.raw for device, key in self.items()}

    def pin(self, device: bytes, key: PublicKey, replace: bool = False) -> bool:
        """Pin a key. False when it is already pinned. BadInput when another key is pinned, unless `replace`."""
        held = self.get(device) if not replace else None
        if held == key:
            return False
        if held is not None:
            raise BadInput(
                f"device {device.hex()} is pinned to {held.fingerprint}; the new key is {key.fingerprint}: find out "
                "why it has another key, then pin it with --replace"
            )
        document = {"device": device.hex(), **key.to_json()}
        write_state(self._path(device, "json"), json.dumps(document, indent=1) + "\n", PUBLIC_KEY)
        return True

    def remove(self, device: bytes) -> bool:
        """Remove a pin. What was seen stays. False when there is no pin."""
        try:
            self._path(device, "json").unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise BadInput(f"{self._path(device, 'json')}: cannot be removed: {error.strerror}") from None
        return True

    # ------------------------------------------------------------------------------------------------ memory
    def seen(self, device: bytes, key: PublicKey, index: int) -> str | None:
        """Return the SHA-256 (hexadecimal) of the statement that was seen with this index of this key; None: none."""
        found = self._memory(device).get((key.identifier.hex(), index))
        return None if found is None else found[0]

    def statements(self, device: bytes) -> Iterator[Statement]:
        """Yield every seen statement of a device, by key and index. Lines of an older shoetool have no statement."""
        for _, (digest, packed) in sorted(self._memory(device).items()):
            if sha256(packed).hexdigest() == digest:
                try:
                    yield Statement.unpack(packed)
                except BadInput:
                    continue  # no shoe signs this: somebody changed the file

    def devices(self) -> list[bytes]:
        """Return the devices with seen statements."""
        names = [path.stem for path in self._files("seen")]
        return [bytes.fromhex(name) for name in names if re.fullmatch("[0-9a-f]{16}", name)]

    def remember(self, device: bytes, key: PublicKey, index: int, statement: bytes) -> None:
        """Keep what was signed with this index. The first statement stays. A notice says when it cannot be kept."""
        memory = self._memory(device)
        place = (key.identifier.hex(), index)
        digest = sha256(statement).hexdigest()
        if place in memory and (memory[place][1] or memory[place][0] != digest):
            return
        memory[place] = (digest, statement)
        if self.folder is None:
            return
        path = self._path(device, "seen")
        try:
            make_folder(self.folder)
            with open_growing(path, SEEN, lines=True) as file:
                file.write(f"{place[0]} {index} {digest} {statement.hex()}\n".encode())
        except OSError as error:
            note(
                f"{self.folder}: what pinned keys signed is not remembered: {error.strerror}; name another folder with "
                f"--keys or ${KEYS_VARIABLE}"
            )

    def _memory(self, device: bytes) -> dict[tuple[str, int], tuple[str, bytes]]:
        held = self._seen.get(device)
        if held is not None:
            return held
        found: dict[tuple[str, int], tuple[str, bytes]] = {}
        try:
            path = None if self.folder is None else self._path(device, "seen")
            content = b"" if path is None else read_own(path, "a list of what was signed") or b""
        except BadInput:
            content = b""
        for line in content.decode("utf-8", "replace").splitlines():
            words = line.split()
            if len(words) not in (3, 4) or not words[1].isdigit():
                continue
            place = (words[0], int(words[1]))
            try:
                packed = bytes.fromhex(words[3]) if len(words) == 4 else b""
            except ValueError:
                packed = b""
            before = found.setdefault(place, (words[2], packed))
            if before[0] == words[2] and not before[1]:
                found[place] = (words[2], packed)
        self._seen[device] = found
        return found
