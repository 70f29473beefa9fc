"""The settings of a player that speaks the USENIX tournament's language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a program of the tournament is treated.

    forks  whether it may start other processes, as an adapter has to. They count on a clock of CPU time then.
           The tournament allows none: false, a second process loses the game. Threads are free either way.
    arguments  whether its command may have arguments. The tournament starts a program without any: argc is 1.
    """

    forks: bool = False
    arguments: bool = False
