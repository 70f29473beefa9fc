"""One game as a state machine: turns, clocks and blame. No I/O, no reading of clocks, no rules of any
game.
"""
