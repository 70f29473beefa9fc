"""Go by any of its common rulesets, on bitboards.

Start with `board` (the representation of a board) and `rules` (the port `Rules`: legal moves, ko, captures).
The others: the memory of a position for superko (`position`), the rulesets and their texts (`rulesets`,
`ruleset_text`), passes, clean-up phases and dead stones (`phases`), life and territory (`life`), scoring
(`score`) and scoring by a human judge (`judging`), openings and handicap (`opening`, `opening_files`),
settings (`game_options`), records (`sgf_writer`, `sgf_reader`, `sgf_replay`), pictures (`frames`), the
new-game form (`form`), the command `gyoji adapt` (`commands`), and the registered object (`game`).
"""
