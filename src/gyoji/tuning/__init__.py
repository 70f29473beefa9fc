"""Shared parts of tuners: scales and parameters, candidates and their games, chance, and the order of play.

A tuner is a competition that makes one side's player anew as it goes, from parameters, and looks for the ones
that win most. It is a fold over finished games like every other, with two things that set it apart:

* A game's pairing is the point its candidate stands at, as text. So a fold reads from the records what was
  played, and never has to find out again what was drawn when.
* The next draw depends on the results so far, so on the order of the records, and on nothing else.
"""
