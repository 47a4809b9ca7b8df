"""Letters in place of signs that a terminal cannot show: on one without Unicode the king of hearts is `KH`."""

from __future__ import annotations

import codecs
from typing import Final

ERRORS: Final = "shoetool-letters"
"""Name of the way in which a stream encodes what its encoding lacks."""
_SIGNS: Final = dict(zip("♣♦♥♠·µ±─│╭╰╮╯┬┴├┤░█▔▁●○…", "CDHS-u~-|++++++++##-_*o.", strict=True))
"""One sign each, so that columns stay. The suits are as round files may write them."""


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_SIGNS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error(ERRORS, _in_letters)
