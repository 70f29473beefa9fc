"""A competition as one page that needs no other file and no network: tables, plots, and every game to replay.

`page` fills the templates. The viewer is `page.css` and the scripts beside this; `games` is what it shows of
each game.
"""
