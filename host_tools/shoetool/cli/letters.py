"""Letters for signs that a terminal cannot show: without Unicode the king of hearts is `KH`."""

from __future__ import annotations

import codecs
from typing import Final

ERRORS: Final = "shoetool-letters"
"""The name of the error handler of a stream: it encodes the signs that the stream's encoding lacks."""
_SIGNS: Final = dict(zip("♣♦♥♠·µ±─│╭╰╮╯┬┴├┤░█▔▁●○…§", "CDHS-u~-|++++++++##-_*o.S", strict=True))
"""One letter for each sign, so that columns keep their width. Round files may write the suits so too."""


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_SIGNS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error(ERRORS, _in_letters)
