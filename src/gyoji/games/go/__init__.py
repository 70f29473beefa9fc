"""Go: any of its rules, as bitboards.

Start with `board` (how a board is stored) and `rules` (the game as the referee sees it); `rulesets` lists
what there is to choose. Then by question: which plays stand (`rules`, `position`), how phases end and how
disputes are played out (`phases`), who lives (`life`), who won (`score`; by a judge's word `judging`), what
games begin with (`opening`), what can be set (`options`), how games are written (`sgf_writer`, `sgf_reader`,
`sgf_replay`), what they look like (`frames`), and what gyoji asks of it, files of openings included (`game`).
"""
