"""Put the source's names into the tracebacks of a slot's log: `python firmware/tools/source_names.py [LOG]`.

A slot has short names for what is private (short_names.py). These are those of the sources that lie here: they fit a
log of this version.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from build_pico import slot_names

_IN_TRACEBACK = re.compile(r'(  File "([^"]+)", line \d+, in )(\w+)')


def restored(log: str, private: dict[str, dict[str, str]]) -> str:
    """A log with the names of the source. private: module -> name in its source -> short name."""
    full = {module: {short: name for name, short in own.items()} for module, own in private.items()}
    return _IN_TRACEBACK.sub(lambda found: found[1] + full.get(found[2], {}).get(found[3], found[3]), log)


def main(arguments: list[str]) -> int:
    """Print a log with the names of the source."""
    parser = argparse.ArgumentParser("source_names.py", description=(__doc__ or "").partition(":")[0] + ".")
    parser.add_argument("log", nargs="?", type=Path, help="default: standard input")
    path = parser.parse_args(arguments).log
    try:
        log = sys.stdin.read() if path is None else path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        parser.error(f"{path}: cannot be read: {error.strerror}")
    sys.stdout.write(restored(log, slot_names().private))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
