"""Renderers of reports: plain text in gomill's layout, markdown, BBCode, CSV, and HTML pages.

They return text, and do not read or write files.
"""
