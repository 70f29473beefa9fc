"""One game as a state machine: turns, clocks, blame. No I/O, no clock of its own, no rules of a game."""

from gyoji.referee.actions import Action, Closing, Dismiss, Say, Wait
from gyoji.referee.referee import Referee

__all__ = ["Action", "Closing", "Dismiss", "Referee", "Say", "Wait"]
