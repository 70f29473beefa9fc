"""`gyoji-fastchess`: a program with fastchess's options and output whose matches gyoji plays.

`options` parses the command line, `settings` converts it to a competition, `statistics` formats results,
`output` prints a run as fastchess does, `files` and `warnings` write its files and warnings, and `command` is
the program. `books` and `llr` reproduce fastchess's order of openings and its arithmetic.
"""
