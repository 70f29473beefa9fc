"""Chess by its usual rules, Chess960 and double Fischer random, with rules of our own.

Start with `position` (how a position is stored, and the rules of one move) and `rules` (the game as the
referee sees it). Then by question: positions as text (`fen`), moves as people write them (`san`), what can be
set (`game_options`), what games begin with (`books`, `polyglot`), how games are recorded and read (`pgn`,
`pgn_reader`, `records`), what they look like (`frames`), and the object that gyoji registers (`game`).
"""
