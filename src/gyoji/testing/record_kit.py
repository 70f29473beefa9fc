"""The conformance kit for record formats: `check_record_formats` writes and reads random games.

The games are refereed without engines, so their records are like those of a run. In every third game a seat
fails before the end, and every fourth game is void. The first violation of `gyoji.core.game.RecordFormat`
raises AssertionError with format and game.

>>> from gyoji.core.plugins import GAMES
>>> check_record_formats(GAMES.find("gomoku"), {"board_size": 6}, games=4)
"""

# The bytes of a record are compared three ways: written from the game just played, from the record after a
# round trip through the store's JSON, and by `write_played`, which needs no replay. All must be equal,
# because `gyoji export` writes from the store the same files as a run from memory.

from collections.abc import Mapping

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind
from gyoji.core.game import AnyGame, RecordFormat, default_options
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Wanted
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Closing, Dismiss, Send
from gyoji.testing import PLAIN_REPLIES, demand

_LONGEST = 400
_STARTED = "2026-01-31T12:00:00+00:00"
_MS = 1_000_000


def check_record_formats(game: AnyGame, options: Mapping[str, object], games: int = 8) -> None:
    """Play random games with these options, and check each record format of the game (SGF and the like).

    Args:
        games: Number of games.
    """
    for number in range(games):
        spec = _spec(game, options, number)
        referee = Referee(spec, game.make_rules(wire.frozen(spec.options), spec.seed))
        _play(referee, number)
        for name in game.record_formats:
            form = game.record_format(name)
            _check(
                form, spec, referee, f"{game.name}, format {name}, game {number}: ", is_void=number % 4 == 3
            )


def _spec(game: AnyGame, options: Mapping[str, object], number: int) -> GameSpec:
    codes = ["ab"[seat % 2] for seat in range(game.seats)]
    return GameSpec(
        id=f"0_{number}",
        pairing="0",
        game=game.name,
        players=tuple(Player(code=code, command=(code,)) for code in codes),
        options=default_options(game.options) | dict(options),
        clock=TimeControl(main=900_000 * _MS),
        move_limit=_LONGEST,
        seed=number,
    )


def _play(referee: Referee, game: int) -> None:
    """Play a game of random legal moves, with a remark on about every fifth move.

    Args:
        game: The number of the game, from which its moves are derived. In every third game a seat fails.
    """
    actions: list[Action] = [*referee.begin()]
    asked = 0
    while actions:
        action = actions.pop(0)
        if not isinstance(action, Send):
            assert isinstance(action, Dismiss), action
            continue
        seat, request = action.seat, action.request
        if isinstance(request, m.NewGame):
            actions += referee.replied(seat, m.Ready(f"engine {seat}"), _MS)
        elif not isinstance(request, m.AskMove):
            actions += referee.replied(seat, PLAIN_REPLIES[type(request)], _MS)
        else:
            asked += 1
            number = derive_seed(game, asked)
            if game % 3 == 2 and asked == 20:
                actions += referee.broken(seat, FaultKind.PROTOCOL, "says nonsense")
                continue
            legal = tuple(referee.rules.legal(referee.position, seat))
            actions += referee.replied(seat, m.Moved(legal[number % len(legal)]), number % 1000 * _MS)
            if number % 5 == 0:
                actions += referee.replied(seat, m.Comment(f"move {asked}: \\ ] 囲碁"), 0)


def _check(form: RecordFormat, spec: GameSpec, referee: Referee, where: str, *, is_void: bool) -> None:
    """Check one record format with one game.

    The format must write the same file for a record and for a copy of it that was converted to JSON and back.
    It must read the file.

    Args:
        where: Text before each message.
        is_void: Whether to write the game as a void one. Reading is not checked then.
    """
    if form.write is None:
        return
    if is_void:
        void = referee.void(
            VoidGame(id=spec.id, pairing=spec.pairing, players=spec.codes, reason="failed", started=_STARTED)
        )
        stored_void = wire.loads(VoidGame, wire.dumps(void))
        demand(
            form.write(spec, void) == form.write(spec, stored_void), "a stored void game is another", where
        )
        return
    record = referee.record(_STARTED, 5 * _MS, [Closing()] * len(spec.players))
    data = form.write(spec, record)
    stored = wire.loads(GameRecord, wire.dumps(record))
    demand(form.write(spec, stored) == data, "a stored game is written otherwise", where)
    if form.write_played is not None:
        written = form.write_played(spec, record, referee.played_out)
        demand(written == data, "write_played writes other bytes than write", where)
    if form.content is not None:
        demand(form.content(data) == form.content(data), "content is not the same of the same file", where)
    if form.replay is not None:
        (replay,) = form.replay(data, Wanted())
        demand(replay is not None, "a file of the game is of another kind", where)
        assert replay is not None
        demand(not replay.refusals, f"it refuses what was played: {replay.refusals[:1]}", where)
        demand(not replay.differs, f"it comes to another result: {replay.verdict}", where)
