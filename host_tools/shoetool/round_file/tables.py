"""Find the rules submission for a round: a file, the name of an example, or settings in the round itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoetool.model.errors import BadInput
from shoetool.model.toml_text import parse_toml
from shoetool.rules.submission.file import example, example_names, from_values, parse, read_submission
from shoetool.rules.submission.rules import RulesSubmission


class Rules:
    """The rules submissions of one run. Each is read once. `given` is what --table names; it overrides all others.

    `used`: the text of each that was found by a name, by that name. Who wants those of one round file empties it.
    """

    def __init__(self, given: str | None, beside: Path | None, texts: Mapping[str, str] | None = None) -> None:
        """Keep the folder where relative paths begin: `beside` is the folder of the round file.

        `texts`: submissions that were kept, by their names; with these no file and no example is looked for.
        """
        self._given = given
        self._beside = beside
        self._texts = texts
        self._read: dict[str, tuple[RulesSubmission, str]] = {}
        self._inline: dict[str, RulesSubmission] = {}
        self.used: dict[str, str] = {}

    def find(self, named: str | Mapping[str, Any] | None, where: str) -> RulesSubmission:
        """Return the submission that a round names. BadInput when it does not exist or is rejected."""
        if self._given is not None:
            return self._named(self._given, None)
        if named is None:
            raise BadInput(f'{where}: names no rules submission; give one with --table, or write "table" in it')
        if isinstance(named, str):
            try:
                return self._named(named, self._beside)
            except BadInput as error:
                raise BadInput(f"{where}: $.table: {error}") from None
        try:
            key = json.dumps(named, sort_keys=True, default=str)
            if key not in self._inline:
                self._inline[key] = from_values(_exact(named), f"{where}: $.table")
        except RecursionError:  # `json` reads values that are nested too deeply for the code after it
            raise BadInput(f"{where}: $.table: nested too deeply") from None
        return self._inline[key]

    def values(self, named: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
        """Return the values of the submission that `find` accepted, as its file has them."""
        name = named if self._given is None else self._given
        if isinstance(name, str):
            return parse_toml(self._text(name, None if self._given is not None else self._beside)[0])
        values: Mapping[str, Any] = _exact(named)
        return values

    def _named(self, name: str, beside: Path | None) -> RulesSubmission:
        if name not in self._read:
            text, shown = self._text(name, beside)
            self._read[name] = parse(text, shown), text
        submission, self.used[name] = self._read[name]
        return submission

    def _text(self, name: str, beside: Path | None) -> tuple[str, str]:
        """Return the text of a submission, and what messages call it."""
        if self._texts is not None:
            if name not in self._texts:
                raise BadInput(f"no rules submission was kept under the name {name[:60]!r}")
            return self._texts[name], name
        path = Path(name) if beside is None else beside / name
        looks_like_file = name.endswith(".toml") or "/" in name
        if not looks_like_file and name.replace("_", "-") in example_names() and not _is_file(path):
            return example(name), f"example {name}"
        if looks_like_file or _is_file(path):
            return read_submission(path), str(path)
        names = ", ".join(example_names())
        raise BadInput(f"{name[:60]!r} is neither a file nor an example of a rules submission ({names})")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _exact(values: Any) -> Any:
    """Return the values with inexact JSON numbers as floats. The submission rejects these, as it does in TOML."""
    from shoetool.round_file.fields import Inexact

    if isinstance(values, Mapping):
        return {key: _exact(value) for key, value in values.items()}
    if isinstance(values, list):
        return [_exact(value) for value in values]
    return float(values) if isinstance(values, Inexact) else values
