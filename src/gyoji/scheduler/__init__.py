"""The run of a competition: start its games, have them played in worker processes, and store the results."""
