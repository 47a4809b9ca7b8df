"""What tests of `shoetool log` share: a casino with a log, a lab that checks it, and a line to run a command."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from histories import DEVICE
from jsonschema import Draft202012Validator
from log_entries import ORIGIN
from shoe_row import Row
from shoetool.cli import build
from shoetool.trust.keys import PublicKey
from shoetool.trust.pins import PinStore
from signed_histories import key


def run(*words: str | Path) -> Result:
    """Run `shoetool log`."""
    return CliRunner().invoke(build(), ["log", *(str(word) for word in words)])


def one_line(result: Result) -> str:
    """What an error said: exactly one line on standard error."""
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("shoetool: "), result.stderr
    return result.stderr


def document(*words: str | Path, code: int = 0) -> dict[str, Any]:
    """The JSON document of a command, held against its schema."""
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    schema = json.loads((resources.files("shoetool") / "schemas" / "log.schema.json").read_text())
    Draft202012Validator(schema).validate(found)
    return found


class Casino:
    """A folder with the histories of a night, a log, and the pinned key of the shoe."""

    def __init__(self, folder: Path, shoes: int) -> None:
        self.folder = folder
        self.pins = folder / "pins"
        PinStore(self.pins).pin(DEVICE, PublicKey(key().public))
        self.row = Row(folder / "night")
        self.files = self.row.night(shoes)
        self.log = folder / "log"
        self.vkey = document("init", self.log, "--origin", ORIGIN)["vkey"]

    def append(self, *files: Path, log: Path | None = None) -> Result:
        return run("append", log or self.log, *files, "--keys", self.pins, "--key", self.folder / "log.logkey")

    def check(self, *words: str | Path, log: Path | None = None) -> Result:
        return run("check", log or self.log, *words, "--vkey", self.vkey, "--keys", self.pins)

    def findings(self, *words: str | Path, log: Path | None = None) -> list[tuple[str, int | None]]:
        """(what, shoe or entry) of each finding, from the JSON document."""
        result = run("check", log or self.log, *words, "--vkey", self.vkey, "--keys", self.pins, "--json")
        found = json.loads(result.stdout)["findings"]
        assert result.exit_code == (1 if found else 0), result.output
        assert all("\n" not in one["sentence"] for one in found)
        return [(one["what"], one["entry"] if one["entry"] is not None else one["shoe"]) for one in found]
