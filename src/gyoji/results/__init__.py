"""Results of games: counts by player and pair, standings, and the choice of stored games that count.

Pure: no input or output, no clock, no random numbers.
"""
