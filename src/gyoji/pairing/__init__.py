"""Who meets whom: schedules of pairs, rounds of matches, FIDE's Swiss system, and the games that formats
make.

Formats do not import each other; this room has what several of them need. Pure: no input or output, no
clock, no random numbers.
"""
