"""Chess: standard chess, Chess960 and double Fischer random. gyoji has its own implementation of the rules.

Start with `position` (the representation of a position, and the rules of a move) and `rules` (the port
`Rules`). The others: positions as text (`fen`), moves as people write them (`san`), settings
(`game_options`), opening books and our own openings (`books`, `polyglot`), writing and reading of games
(`pgn`, `pgn_reader`, `records`), checks of principal variations (`variations`), pictures (`frames`), the
new-game form (`form`), and the registered object (`game`).
"""
