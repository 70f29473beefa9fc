"""A competition as one HTML page that loads nothing from elsewhere: tables, charts, and games to replay.

`page` fills the templates. `games` makes the JSON of games, which the scripts of this folder show.
"""
