"""What a competition shows, as lines and as values."""

from gyoji.core.tables import json_ready, records_by_name
from gyoji.report.text import text_lines
from gyoji.results.cross import crosses_of as crosses
from gyoji.tables.digest import ResultsDigest
from gyoji.tables.event_tables import head, tables_of
from gyoji.tables.report_tables import counted_tables

__all__ = ["crosses", "history_lines", "report_lines", "screen_lines", "tables", "values"]


def tables(competition):
    return tables_of(competition.setup, competition)


def screen_lines(competition):
    return text_lines(tables(competition).screen())


def report_lines(competition):
    return list(text_lines(tables(competition).report()))


def values(competition):
    """Return what programs get of it."""
    own = tables(competition)
    rows = records_by_name(
        counted_tables(competition.setup, own.tables(), crosses(competition), ResultsDigest())
    )
    return {**head(competition.setup, competition), **json_ready(own.facts()), "tables": rows}


def history_lines(competition, result):
    return tables(competition).history(result)
