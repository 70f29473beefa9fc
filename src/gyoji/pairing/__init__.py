"""Pairing: schedules of pairs, rounds of matches, FIDE's Swiss system, and the making of their games.

Formats do not import each other: this package has the parts that several of them need. It is pure: no input
or output, no clock, no random numbers.
"""
