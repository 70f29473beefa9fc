"""Pictures of Dig Here games. They show all treasure, hidden or not, and every agent's plan."""

from collections.abc import Iterator, Sequence

from gyoji.core.game import Choice, Frame, Offered, Scene
from gyoji.core.record import GameRecord
from gyoji.games.dighere.plans import FIRST_DIG, FIRST_PLUG, PLANS, STAY, VALID, Cell, Treasure, target, verb
from gyoji.games.dighere.played import asked
from gyoji.games.dighere.position import Position, Public, View
from gyoji.games.dighere.rules import DigHereRules

_AGENTS = ("S0", "S1", "D0", "D1")
"""The signs of the four agents, without their directions."""


def scene(rules: DigHereRules) -> Scene:
    """Return the parts of a game's pictures that do not change (`Pictures.scene`): the field and its legend.

    The number beside each team (`Scene.tally`) is the treasure that it has dug out.
    """
    names = tuple(map(str, range(rules.size)))
    return Scene(
        kind="cells",
        columns=names,
        rows=names,
        tally="treasure",
        legend=(
            ("S06", "samurai, looking right"),
            ("D06", "dog"),
            ("T8", "treasure that all know of"),
            ("U8", "hidden treasure"),
            ("H", "hole"),
        ),
    )


def frames(rules: DigHereRules, record: GameRecord) -> Iterator[Frame]:
    """Yield a frame for the first position of a game, and one for each turn (`Pictures.frames`).

    An agent without a move in a turn is out of the game.
    """
    position = rules.start()
    before = _signs(rules, position)
    yield Frame(changes=tuple(before.items()), tally=position.public.scores)
    for turn in record.turns:
        position = asked(rules, position, turn)
        moves = tuple((played.seat, rules.parse(played.move)) for played in turn)
        agents = position.public.agents
        position = rules.play(position, moves)
        after = _signs(rules, position)
        changed = [place for place in before.keys() | after.keys() if before.get(place) != after.get(place)]
        aims = [target(agents[seat], plan) for seat, plan in moves if STAY < plan < PLANS]
        yield Frame(
            changes=tuple((place, after.get(place, "")) for place in sorted(changed)),
            marks=tuple(sorted({aim.y * rules.size + aim.x for aim in aims if rules.field.has(aim)})),
            tally=position.public.scores,
            words=tuple(_words(plan, agents[seat]) for seat, plan in moves),
        )
        before = after


def _signs(rules: DigHereRules, position: Position) -> dict[int, str]:
    return signs(rules.size, position.public, position.hidden, position.directions)


def signs(size: int, public: Public, hidden: Sequence[Treasure], directions: Sequence[int]) -> dict[int, str]:
    """Return what a picture shows on the field: {number of a place: its signs}.

    Empty places, and objects outside the field, are omitted.
    """
    found: dict[Cell, str] = dict.fromkeys(public.holes, "H")
    found |= {each.cell: f"U{each.amount}" for each in reversed(hidden)}
    found |= {each.cell: f"T{each.amount}" for each in reversed(public.known)}
    for agent, cell, direction in zip(_AGENTS, public.agents, directions, strict=True):
        found[cell] = f"{found.get(cell, '')} {agent}{direction}".strip()
    inside = range(size)
    return {
        cell.y * size + cell.x: sign for cell, sign in found.items() if cell.x in inside and cell.y in inside
    }


def _words(plan: int, cell: Cell) -> str:
    """Return a plan in words.

    Args:
        cell: The cell of its agent.

    >>> _words(STAY, Cell(2, 3)), _words(6, Cell(2, 3)), _words(8, Cell(2, 3)), _words(99, Cell(2, 3))
    ('stay', 'move to (3,3)', 'dig (2,4)', 'plan 99')
    """
    if not STAY <= plan < PLANS:
        return f"plan {plan}"
    if plan == STAY:
        return verb(plan)
    return f"{verb(plan)}{' to' if plan < FIRST_DIG else ''} {target(cell, plan)}"


def seen(rules: DigHereRules, view: View, seat: int) -> Frame:
    """Return the picture of what an agent knows: the public state, and hidden treasure that a dog senses."""
    public = view.public
    looks = [plan % 8 if STAY < plan < PLANS else 0 for plan in public.plans]
    own = public.agents[seat]
    return Frame(
        changes=tuple(sorted(signs(rules.size, public, view.sensed, looks).items())),
        marks=(own.y * rules.size + own.x,),
        tally=public.scores,
    )


_KEYS = {STAY: "5"} | dict(zip(range(FIRST_DIG), "21478963", strict=True))
_KEYS |= {FIRST_DIG + 2 * quarter: key for quarter, key in enumerate("sawd")}
_KEYS |= {FIRST_PLUG + 2 * quarter: key for quarter, key in enumerate("kjil")}
"""The key for each plan: digits move in the direction of their place on the number pad, w a s d dig, i j k l
plug.
"""


def offered(rules: DigHereRules, view: View, seat: int) -> Offered:
    """Return the plans that can be carried out if no other agent is in the way (`SeesViews.offered`).

    Plans that dig known treasure come first.
    """
    public = view.public
    cell, rich = public.agents[seat], {each.cell for each in (*public.known, *view.sensed)}
    found = []
    for plan in range(PLANS):
        aim = target(cell, plan)
        is_free = rules.field.has(aim) and aim not in public.agents
        if plan in VALID[seat] and is_free and (aim in public.holes) == (plan >= FIRST_PLUG):
            place = aim.y * rules.size + aim.x
            found.append((aim not in rich or plan < FIRST_DIG, Choice(str(plan), _words(plan, cell), place)))
    moves = [choice for _, choice in sorted(found, key=lambda each: each[0])]
    staying = Choice(str(STAY), _words(STAY, cell))
    return Offered((), choices=tuple(each._replace(key=_KEYS[int(each.move)]) for each in (*moves, staying)))
