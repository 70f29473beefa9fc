"""Playing strength from results: scores of two players, sequential tests, and joint ratings. Pure.

`scores` measures one player's results against another's, `sprt` decides between two hypotheses about them
while games are played, and `ratings` rates a whole field. Callers get Elo; formulas use shares of points,
or natural logarithms of odds ("nats"; a nat is 400 / ln 10 = 173.7 Elo).
"""
