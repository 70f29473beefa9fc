"""`gyoji-fastchess`: fastchess's options and output for matches that gyoji plays.

`options` reads the command line, `settings` makes a competition of it, `statistics` writes the lines of
figures, `output` prints a run as fastchess does, and `command` is the program.
"""
