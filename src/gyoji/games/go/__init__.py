"""Go by any of its common rules, on bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it). `rulesets` has
the rules to choose from. Then by question: why a play is illegal (`rules`, `position`), how phases end and
disputes are played out (`phases`), which stones live (`life`), who won (`score`, and `judging` for a
judge), what games begin with (`opening`, `opening_files`), what can be set (`game_options`), how games are
recorded (`sgf_writer`, `sgf_reader`, `sgf_replay`), what they look like (`frames`), and the object that
gyoji registers (`game`).
"""
