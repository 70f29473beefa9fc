"""The conformance kit for opening editors (port `gyoji.core.drawing.Drawing`): `check_drawing`."""

# People edit step by step, so an unfinished opening may break the rules. It must be shown and saved
# nevertheless. Places and amounts slightly outside their ranges are tried, because a browser may send any
# number.

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from gyoji.core.drawing import Change, Drawing
from gyoji.testing import demand


def check_drawing(drawing: Drawing, *, rounds: int = 20, changes: int = 30, seed: int = 0) -> None:
    """Edit openings at random, and raise AssertionError for a violation of the port.

    Each change must return an opening or raise ValueError. Every opening must be showable, writable and
    readable again, even if the rules refuse it.

    Args:
        drawing: The opening editor of a game.
        rounds: Number of openings.
        changes: Number of changes to each opening.
        seed: Seed of the changes.
    """
    chance = Random(seed)
    for _ in range(rounds):
        opening = drawing.blank()
        _check_opening(drawing, opening)
        for change in _random_changes(drawing, opening, chance, changes):
            try:
                opening = drawing.change(opening, change)
            except ValueError as error:
                demand(str(error), f"{change}: refused without a reason")
            _check_opening(drawing, opening)
    opening = drawing.blank()
    outside = len(drawing.shown(opening).places)
    for change in (
        Change(do="nothing of the kind"),
        Change(do=drawing.tools[0].name, place=outside, amount=2),
        Change(do=drawing.tools[0].name, place=-1, amount=2),
        Change(do=drawing.tools[0].name, symmetry="nothing of the kind", amount=2),
    ):
        try:
            drawing.change(opening, change)
        except ValueError:
            continue
        raise AssertionError(f"{change}: expected a ValueError")


def _check_opening(drawing: Drawing, opening: Mapping[str, Any]) -> None:
    drawn = drawing.shown(opening)
    count = len(drawn.scene.columns) * len(drawn.scene.rows)
    places = [place for place, _ in drawn.frame.changes]
    demand(len(set(places)) == len(places), "a place is drawn twice")
    demand(all(0 <= place < count for place in (*places, *drawn.singles.values())), "outside the board")
    demand(len(drawn.places) == count, f"places: expected {count} texts, got {len(drawn.places)}")
    demand({place for place, text in enumerate(drawn.places) if text} == set(places), "drawn, but not told")
    demand(
        set(drawn.singles) <= {tool.name for tool in drawing.tools if tool.single}, "singles: no such tool"
    )
    demand(
        set(drawn.numbers) == {number.name for number in drawing.numbers}, "numbers: not those of the game"
    )
    demand(drawing.read(drawing.write(opening)) == opening, "read again, it is another opening")


def _random_changes(
    drawing: Drawing, opening: Mapping[str, Any], chance: Random, count: int
) -> Iterator[Change]:
    """Yield random changes of an opening, some of them with places or amounts out of range."""
    size = len(drawing.shown(opening).places)
    names = [tool.name for tool in drawing.tools] * 2
    names += [command.name for command in drawing.commands] + [number.name for number in drawing.numbers]
    ranges = {number.name: (number.least - 1, number.most + 1) for number in drawing.numbers}
    symmetries = ["", *(each.name for each in drawing.symmetries)]
    for _ in range(count):
        do = chance.choice(names)
        yield Change(
            do=do,
            place=chance.randrange(-1, size + 1),
            amount=chance.randint(*ranges.get(do, (-1, 40))),
            stays=chance.random() < 0.5,
            symmetry=chance.choice(symmetries),
            seed=chance.randrange(1 << 31),
        )
