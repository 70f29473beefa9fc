"""One game as a state machine: turns, clocks, blame. No I/O, no clock of its own, no rules of a game."""
