"""Gomoku, renju and other rules of five in a row, on bitboards.

Start with `board` (the representation of a board) and `rules` (the port `Rules`). `rulesets` has the rules by
name, winning rows, and the points that renju forbids. The others: swap2 and the state of a game (`position`),
settings (`game_options`) and those of Gomocup's leagues (`leagues`), openings (`opening_files`), records
(`record_parts`, `piskvork`, `sgf_records`, `samples`) and their judging again (`replaying`), pictures
(`frames`), the new-game form (`form`), and the registered object (`game`).
"""
