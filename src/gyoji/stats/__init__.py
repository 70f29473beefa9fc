"""Strength from results: scores, tests that know when to stop, and joint ratings. Pure.

`scores` is about one player's results against another, `sprt` decides between two hypotheses about them
while games are being played, `ratings` is about a whole field. Strength is told in Elo; inside, in the terms
of the formulas: shares of points, or natural logarithms of odds (a nat is 400 / ln 10 = 173.7 Elo).
"""
