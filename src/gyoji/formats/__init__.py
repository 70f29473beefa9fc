"""The formats of competitions. Each decides who plays whom, counts the results, and shows them as tables.

A format is a `gyoji.core.plugins.Format`. The entry points of the group `gyoji.formats` name all formats.
"""
