"""Finished games counted: results of players and pairs, standings, and the choice of stored games that count.

Pure: no input or output, no clock, no random numbers.
"""
