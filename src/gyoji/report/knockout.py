"""A knockout's reports: the bracket and, in the report, all matches. See `gyoji.report.rounds`."""

from gyoji.report.rounds import crosses, report_lines, screen_lines, standing_sheets, values

__all__ = ["crosses", "report_lines", "screen_lines", "standing_sheets", "values"]
