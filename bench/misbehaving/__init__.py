"""Engines that misbehave on purpose, the ruling that each misbehaviour deserves, and a run that checks all of
them.
"""
