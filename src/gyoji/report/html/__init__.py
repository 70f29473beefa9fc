"""The HTML report, one page that loads no other files: tables, charts, and games to replay.

`page` fills the templates. `games` makes the JSON of games, which the scripts in this folder show.
"""
