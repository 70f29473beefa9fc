"""A competition as one HTML page that loads nothing: tables, charts, and every game to replay.

`page` fills the templates. `games` converts games for the viewer, which is `page.css` and the scripts of
this folder.
"""
