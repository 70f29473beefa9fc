"""SamurAI Dig Here, the game of the programming contest SamurAI Coding 2019-20: four agents, one field.

Start with `rules` (a step as the referee sees it) and `position` (what there is to know). Then by question:
what a plan means and what becomes of four of them (`plans`), what a field is and how one is drawn at random
(`fields`), how fields and logs are written (`files`), how games are recorded (`played`, `records`), what they
look like (`frames`), and what gyoji asks of it (`game`).
"""
