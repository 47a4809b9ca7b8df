"""Write FAULTS.md and package.json; `--check` only says whether they are current (exit code 2 when not)."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tomllib
from pathlib import Path

from build_pico import file_name, slot_sources, version

FIRMWARE = Path(__file__).resolve().parents[1]
HEAD = """# Faults

Each way the shoe can fail has a named fault. It is recorded, latched over a restart and shown; one that stops the game
lights the stop lamp and engages the card stop. The supervisor key clears it once its cause is gone; what the key's
argument says is in the last column. `shoetool info` names the fault that is latched. Made from `protocol.toml` by
`python firmware/tools/faults_table.py`.

| code | name | stops the game | what it means | what to do |
|---|---|---|---|---|
"""


def faults() -> str:
    """Text of FAULTS.md."""
    source = tomllib.loads((FIRMWARE / "protocol.toml").read_text())
    rows = [
        f"| {entry['id']} | {name} | {'yes' if entry['stop'] else 'no'} | {entry['means']} | {entry['act']} |"
        for name, entry in source["fault"].items()
    ]
    return HEAD + "\n".join(rows) + "\n"


def package() -> str:
    """Text of package.json, for mip: a slot's modules of shoe and pico, without its `main`, which starts a shoe."""
    urls = []
    for name, path in slot_sources().items():
        if path.parent != FIRMWARE:
            urls.append([file_name(name, ".py"), os.path.relpath(path, FIRMWARE)])
    return json.dumps({"urls": sorted(urls), "deps": [], "version": version()}, indent=2) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check both files."""
    parser = argparse.ArgumentParser("faults_table.py", description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 2 when something is stale")
    check = parser.parse_args(arguments).check
    stale = 0
    for name, text in (("FAULTS.md", faults()), ("package.json", package())):
        path = FIRMWARE / name
        if path.exists() and path.read_text() == text:
            continue
        if check:
            print(f"{name} is stale: run python firmware/tools/faults_table.py", file=sys.stderr)
            stale = 2
        else:
            path.write_text(text)
            print(f"wrote {name}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
