"""Renderers of reports: plain text in gomill's layout, markdown, CSV, and HTML pages. They do no input or
output.
"""
