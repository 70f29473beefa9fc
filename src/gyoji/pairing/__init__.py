"""What formats of two against two share: whose game is next, what it is, how it is counted, who is ahead.

Formats do not know each other; what several of them need is here, below them. Pure.
"""
