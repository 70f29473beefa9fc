"""SamurAI Dig Here, the game of the programming contest SamurAI Coding 2019-20: four agents on one field.

Start with `rules` (a step as the referee sees it) and `position` (the state). Then by question: what a
plan means and how four of them are resolved (`plans`), what a field is and how one is drawn at random
(`fields`), how fields and logs are written (`files`), how games are recorded (`played`, `records`), what
they look like (`frames`), how fields are drawn on a page (`drawing`), what programs are told (`codec`),
and the object that gyoji registers (`game`).
"""
