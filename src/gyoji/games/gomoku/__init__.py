"""Gomoku: five in a row, by any of the rules of Gomocup, on bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it). `rulesets` has
the rules to choose from, the rows that win, and the points that renju forbids. Then by question: how sides
are chosen (`position`), what can be set (`game_options`, `leagues`), what games begin with
(`opening_files`), how games are recorded (`record_parts`, `piskvork`, `sgf_records`, `samples`) and judged
again (`replaying`), what they look like (`frames`), and the object that gyoji registers (`game`).
"""
