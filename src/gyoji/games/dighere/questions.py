"""What an agent is told at each step: 13 lines, "Game State Information" of the rules of December 2019."""

from functools import lru_cache
from itertools import chain

from gyoji.games.dighere.position import View

_AGENTS = "%d %d %d %d %d %d %d %d\n"
_QUESTION = "%s%d%s%s%s%s" + _AGENTS + "%d %d %d %d\n" * 2 + "%d %d\n" + "%d\n" * 2


def ends(seat: int, size: int, steps: int) -> tuple[str, str]:
    """What comes before the number of the step and after it, the same in a whole game."""
    return f"{seat}\n{size}\n", f"\n{steps}\n"


def question(view: View, left: int, *, head: str, steps: str) -> bytes:
    """The message about a view. left: ms; head, steps: as `ends` makes them."""
    _, public, sensed = view
    step, holes, known, (a, b, c, d), plans, actions, scores, buried = public
    words = head, step, steps, _line(holes), _line(known), _line(sensed)
    numbers = *a, *b, *c, *d, *plans, *actions, *scores, buried, left
    return (_QUESTION % (*words, *numbers)).encode()


@lru_cache(maxsize=64)
def _line(rows: tuple[tuple[int, ...], ...]) -> str:
    """A list as the protocol writes it: how many there are, then the numbers of each.

    All four are told the same lists, most of them again in the next step: what is known is looked up.

    >>> _line(((1, 2), (3, 4)))
    '2 1 2 3 4\\n'
    """
    return " ".join(map(str, (len(rows), *chain.from_iterable(rows)))) + "\n"
