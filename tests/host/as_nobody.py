"""A program: run `shoetool` as a user whom permissions bind. `python as_nobody.py VAULT WORDS...`

As root it becomes nobody, who need not be able to read this Python. So it runs the command on a copy of VAULT first:
then all modules are loaded.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner
from shoetool.cli import build

NOBODY = 65534


def main(vault: str, *words: str) -> None:
    """Run the command, and end with its code."""
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(vault, Path(folder, "vault"))
            CliRunner().invoke(build(), [str(copy) if word == vault else word for word in words])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    with suppress(OSError):
        os.chdir("/")
    build().main(list(words))


if __name__ == "__main__":
    main(*sys.argv[1:])
