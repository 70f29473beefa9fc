"""One game as a state machine: turns, clocks, blame. No I/O, no clock of its own, no rules of a game."""

from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Closing, Dismiss, Say, Wait

__all__ = ["Action", "Closing", "Dismiss", "Referee", "Say", "Wait"]
