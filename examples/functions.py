"""Two players of gomoku, for functions.toml: each is asked a question, and returns one of its legal moves."""

from random import choice


def anywhere(question):
    """Plays anywhere."""
    return choice(list(question.legal()))


def nearest(question):
    """Plays the first free point, row by row: five in a row, if nobody is in the way."""
    return next(iter(question.legal()))
