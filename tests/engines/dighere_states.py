"""States of Dig Here from diagrams, and games between Python functions."""

from gyoji.core.clocks import TimeControl
from gyoji.core.messages import AskMove, NewGame
from gyoji.engines.dighere import State
from gyoji.games.dighere.codec import Options, codec
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.games.dighere.rules import DigHereRules

SIGNS = "ABab"


def drawn(text, *, amounts=None, steps=100):
    """Parse a diagram with one word for each row: agents ABab, holes o, known treasure $, hidden treasure ?.

    Args:
        amounts: Amounts of treasure by (x, y); 10 elsewhere.
    """
    signs = {(x, y): sign for y, row in enumerate(text.split()) for x, sign in enumerate(row)}

    def treasures(sign):
        return tuple(Treasure(*cell, (amounts or {}).get(cell, 10)) for cell in signs if signs[cell] == sign)

    return Field(
        size=len(text.split()),
        steps=steps,
        agents=tuple(Agent(*next(cell for cell in signs if signs[cell] == sign)) for sign in SIGNS),
        holes=tuple(Cell(*cell) for cell in signs if signs[cell] == "o"),
        known=treasures("$"),
        hidden=treasures("?"),
    )


def question(game, position, seat):
    """Return the bytes of an agent's question."""
    control = TimeControl.parse("10s")
    conversation = codec(Options())
    view = game.view(position, seat)
    conversation.send(NewGame(seat, game, view, control))
    return conversation.send(AskMove(view, (), "", control.start()))


def told(game, position, seat):
    """Return the state that an agent is told."""
    _, public, sensed = game.view(position, seat)
    step, holes, known, agents, plans, actions, scores, buried = public
    return State(
        agent=seat,
        size=game.size,
        step=step,
        steps=game.steps,
        holes=holes,
        known=known,
        sensed=sensed,
        agents=agents,
        plans=plans,
        actions=actions,
        scores=scores,
        buried=buried,
        left=10_000,
    )


def state(text, agent=0, **more):
    """Return the state of an agent at the start of a game on a diagram. `more` is passed to `drawn`."""
    game = DigHereRules(drawn(text, **more))
    return told(game, game.start(), agent)


def games(game, thinks):
    """Yield the positions of a game with the plans that led there. `thinks` has a function for each seat."""
    position = game.start()
    while acting := game.acting(position):
        plans = tuple((seat, thinks[seat](told(game, position, seat))) for seat in acting)
        yield position, plans
        position = game.play(position, plans)
    yield position, ()
