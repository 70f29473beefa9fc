"""Issue games, have them played in worker processes, store what comes back, until nothing is left to do."""
