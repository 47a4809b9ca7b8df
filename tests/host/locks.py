"""The versions that the locks name, and what a list of parts (SBOM) lacks of them.

python tests/host/locks.py build/sbom.json
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKED = ROOT / "host_tools" / "locked"


def locked(name: str) -> dict[str, str]:
    """Return the version of each package of a lock. AssertionError when one has no hash."""
    versions = {}
    for entry in re.split(r"\n(?=\S)", (LOCKED / f"{name}.txt").read_text(encoding="utf-8")):
        if entry.startswith("#"):
            continue
        pin = re.match(r"([\w.-]+)==(\S+)", entry)
        assert pin is not None, entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), f"{pin[1]} has no hash"
        versions[canonicalize_name(pin[1])] = pin[2]
    return versions


def lacking(sbom: dict[str, Any]) -> list[str]:
    """Return how a CycloneDX document differs from the lock of an installed shoetool, a line each."""
    if sbom.get("bomFormat") != "CycloneDX" or sbom["metadata"]["component"]["name"] != "shoetool":
        return ["this is no CycloneDX list of shoetool's parts"]
    wanted = locked("user")
    listed = {canonicalize_name(one["name"]): one["version"] for one in sbom["components"]}
    found = [f"{name} {version} is locked and not listed" for name, version in wanted.items() if name not in listed]
    for name, version in listed.items():
        if name not in wanted:
            found.append(f"{name} {version} is listed and not locked")
        elif version != wanted[name]:
            found.append(f"{name} is {version}, locked is {wanted[name]}")
    return found


if __name__ == "__main__":
    sys.exit("\n".join(lacking(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))) or 0)
