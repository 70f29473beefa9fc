"""A ladder's reports: who stands where and, in the report, all challenges. See `gyoji.report.rounds`."""

from gyoji.report.rounds import crosses, report_lines, screen_lines, standing_sheets, values

__all__ = ["crosses", "report_lines", "screen_lines", "standing_sheets", "values"]
