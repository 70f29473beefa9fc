"""Parts that tuners share: scales and parameters, candidates and their games, random draws, the estimate.

A tuner is a competition that makes one side's player anew for each game, from parameters, and searches for
the parameters that win most. Like every competition it is a fold over finished games. A game's pairing is
the point where its candidate stands, as text, so a fold reads from the records what was played. The next
draw depends only on the results so far, in the order of the records.
"""
