"""The common parts of tuners: scales and parameters, candidates and their games, random draws, the estimate.

A tuner is a competition that searches for the parameters with which a player wins most. A candidate is a
player with the parameters of one point of parameter space. Like every competition a tuner is a fold over
finished games: the pairing id of a game is the candidate's point as text, so the records have everything that
was played. The next candidate depends only on the results so far, in the order of the records.
"""
