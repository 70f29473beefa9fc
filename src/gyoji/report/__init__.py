"""Renderers of reports: plain text in gomill's layout, markdown, BBCode, CSV, and HTML pages.

Nothing here reads or writes files.
"""
