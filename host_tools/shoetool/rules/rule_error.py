"""The error for a round, wager or decision that the regulation does not allow."""

from __future__ import annotations

from shoetool.model.errors import BadInput


class RuleError(BadInput):
    """Something that cannot have happened under the rules: one line with what and where, and the clause.

    `clause` is the catalogue's id, such as `633a.7(k)(1)`.
    """

    def __init__(self, clause: str, text: str) -> None:
        """Make the error: `text` names position, hand and card, `clause` is the broken clause."""
        super().__init__(f"{text} ({clause})")
        self.clause = clause
