"""Shared parts of formats with two players a game: the next game, its conditions, its counting, the ranking.

Formats do not know each other; what several of them need is here, below them. Pure.
"""
