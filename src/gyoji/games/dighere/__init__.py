"""SamurAI Dig Here, the game of the programming contest SamurAI Coding 2019-20: four agents on one field.

Start with `rules` (the port `Rules`) and `position` (the state). The others: plans, which are the moves of
agents, and their resolution (`plans`), fields and random fields (`fields`), files of fields and logs
(`files`), records (`played`, `records`), pictures (`frames`), the field editor (`drawing`), the protocol
(`codec`), the command `gyoji field` (`commands`), settings (`game_options`), the form for a new game on the
page (`form`), and the registered object (`game`).
"""
