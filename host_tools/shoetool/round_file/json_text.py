"""JSON text to values, with numbers kept as they are written. An error is one line with the place."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from shoetool.model.errors import BadInput
from shoetool.round_file.fields import Inexact

_ESCAPED: Final = re.compile("[\udc80-\udcff]")
"""What stands for a byte that is no UTF-8."""


class RoundFileError(BadInput):
    """The text is no round file: one line with the place. others: what else is wrong with it, a line each."""

    def __init__(self, message: str, others: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.others = others


def load(text: str, where: str, above: int) -> Any:
    """The values of a JSON text; `above` is the number of lines before it."""
    if not text.isascii() and (found := _ESCAPED.search(text)):
        raise RoundFileError(f"{where}: line {above + 1 + text.count(chr(10), 0, found.start())}: not UTF-8 text")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_float=Inexact, parse_constant=Inexact)
    except json.JSONDecodeError as error:
        what = "nothing to read" if not text.strip() else error.msg[:1].lower() + error.msg[1:]
        raise RoundFileError(f"{where}: line {above + error.lineno}, column {error.colno}: not JSON: {what}") from None
    except RecursionError:
        raise RoundFileError(f"{where}: line {above + 1}: not a round: nested too deeply") from None
    except _Doubled as doubled:
        raise RoundFileError(f"{where}: line {above + 1}: the key {doubled} stands twice in one object") from None
    except ValueError:
        raise RoundFileError(f"{where}: line {above + 1}: not a round: a number of too many digits") from None


class _Doubled(Exception):
    """A key that appears twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Doubled(next(repr(name[:60]) for name in names if names.count(name) > 1))
    return found
