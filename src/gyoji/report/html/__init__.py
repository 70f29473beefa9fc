"""A competition as one page that needs no other file and no network: tables, plots, and every game to replay.

Start with `page`, which puts it together. `tables` and `plots` are what people look at, `games` is the list
of games and what the viewer shows of each; the viewer itself is `page.css` and the scripts beside this.
"""
