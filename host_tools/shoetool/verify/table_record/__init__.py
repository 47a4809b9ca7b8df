"""Checks of the whole procedure, from a history and the table record of its rounds: wagers, decisions, payments."""

from shoetool.verify.table_record.judge import TableJudge
from shoetool.verify.table_record.lines import Lines, TableFile

__all__ = ["Lines", "TableFile", "TableJudge"]
