"""Host tool of the smart shoe. What programs use of it can be imported from here: see host_tools/README.md.

A name is loaded when it is first asked for: the program `shoetool`, and Ctrl-C in its first moments, wait for none.
"""

TYPE_CHECKING = False  # as type checkers know it; importing `typing` for it would cost each start some milliseconds
if TYPE_CHECKING:
    from shoetool.case.write import case_of as case_of
    from shoetool.case.write import nights_of as nights_of
    from shoetool.case.write import write_case as write_case
    from shoetool.case.write import write_report as write_report
    from shoetool.history.store import ShoelogReader as ShoelogReader
    from shoetool.judge.about_clause import about_clauses as clauses
    from shoetool.model.cards import card_name as card_name
    from shoetool.model.errors import BadInput as BadInput
    from shoetool.model.money import dollars as dollars
    from shoetool.round_file.file import parse as parse_rounds
    from shoetool.round_file.paid import differences as differences
    from shoetool.round_file.play import settle_round as settle_round
    from shoetool.rules.submission.file import load as load_rules
    from shoetool.table.replay import rounds as rounds
    from shoetool.verify import Finding as Finding
    from shoetool.verify import Report as Report
    from shoetool.verify import verify as verify_history

_PUBLIC = {
    "BadInput": ("model.errors", "BadInput"),
    "Finding": ("verify", "Finding"),
    "Report": ("verify", "Report"),
    "ShoelogReader": ("history.store", "ShoelogReader"),
    "card_name": ("model.cards", "card_name"),
    "case_of": ("case.write", "case_of"),
    "clauses": ("judge.about_clause", "about_clauses"),
    "differences": ("round_file.paid", "differences"),
    "dollars": ("model.money", "dollars"),
    "load_rules": ("rules.submission.file", "load"),
    "nights_of": ("case.write", "nights_of"),
    "parse_rounds": ("round_file.file", "parse"),
    "rounds": ("table.replay", "rounds"),
    "settle_round": ("round_file.play", "settle_round"),
    "verify_history": ("verify", "verify"),
    "write_case": ("case.write", "write_case"),
    "write_report": ("case.write", "write_report"),
}
"""Where each public name lies: the module below this package, and its name there."""

__all__ = [
    "BadInput",
    "Finding",
    "Report",
    "ShoelogReader",
    "card_name",
    "case_of",
    "clauses",
    "differences",
    "dollars",
    "load_rules",
    "nights_of",
    "parse_rounds",
    "rounds",
    "settle_round",
    "verify_history",
    "write_case",
    "write_report",
]


def __getattr__(name: str) -> object:
    """Load a public name; AttributeError for any other."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'shoetool' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _PUBLIC[name]
    found = getattr(import_module(f"shoetool.{module}"), attribute)
    globals()[name] = found
    return found
