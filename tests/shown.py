"""What a competition shows, as lines and as values."""

from gyoji.pairing.cross import crosses_of as crosses
from gyoji.report.text import text_lines
from gyoji.tables.event import tables_of

__all__ = ["crosses", "history_lines", "report_lines", "screen_lines", "tables", "values"]


def tables(competition):
    return tables_of(competition.setup, competition)


def screen_lines(competition):
    return text_lines(tables(competition).screen())


def report_lines(competition):
    return list(text_lines(tables(competition).report()))


def values(competition, endings):
    return tables(competition).values(endings)


def history_lines(competition, result):
    return tables(competition).history(result)
