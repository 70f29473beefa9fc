"""States of Dig Here from diagrams, and games between functions that think."""

from gyoji.core.clocks import TimeControl
from gyoji.core.messages import AskMove, NewGame
from gyoji.engines.dighere import State
from gyoji.games.dighere.codec import Options, codec
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.games.dighere.rules import DigHereRules

SIGNS = "ABab"


def drawn(text, *, amounts=None, steps=100):
    """The field of a diagram, one word a row: agents ABab, holes o, treasure $ known and ? hidden, 10 each.

    amounts: by (x, y), where it is not 10.
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
    """What an agent is asked, to the byte."""
    control = TimeControl.parse("10s")
    conversation = codec(Options())
    view = game.view(position, seat)
    conversation.send(NewGame(seat, game, view, control))
    return conversation.send(AskMove(view, (), "", control.start()))


def told(game, position, seat):
    """The state that an agent is told."""
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
    """What an agent is told at the start of a game on the field of a diagram. more: as for `drawn`."""
    game = DigHereRules(drawn(text, **more))
    return told(game, game.start(), agent)


def games(game, thinks):
    """The positions of a game on the way, with the plans that led there; thinks: a function for each seat."""
    position = game.start()
    while acting := game.acting(position):
        plans = tuple((seat, thinks[seat](told(game, position, seat))) for seat in acting)
        yield position, plans
        position = game.play(position, plans)
    yield position, ()
