"""Playing strength from results: scores of two players, sequential tests, and joint ratings. Pure.

`scores` estimates the difference of two players, `sprt` decides between two hypotheses about it while games
are played, and `ratings` rates all players of a field together. Callers get Elo. Formulas use shares of
points, or natural logarithms of odds ("nats"; a nat is 400 / ln 10 = 173.7 Elo).
"""
