"""Gomoku: five in a row, by any of the rules of Gomocup, as bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it); `rulesets` lists
what there is to choose, which rows win, and what renju forbids. Then by question: how sides are chosen
(`position`), what can be set and where openings come from (`options`), how games are recorded (`played`,
`account`, `piskvork`, `text_records`, `sgf`), what games look like (`frames`), and what
gyoji asks of it (`game`).
"""
