"""Playing strength from results: scores of two players, sequential tests, and joint ratings. Pure.

`scores` estimates the difference between two players. `sprt` decides between two hypotheses about that
difference while games are played. `ratings` rates all players of a field together. Results are in Elo.
Formulas use shares of points, or natural logarithms of odds ("nats"; a nat is 400 / ln 10 = 173.7 Elo).
"""
