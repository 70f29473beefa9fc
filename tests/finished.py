"""Finished games, as a store takes them."""

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult
from gyoji.scheduler.event import Event
from gyoji.store.store import Store


def resigned(spec, winner):
    """Return the record of a game that the team `winner` won because the other resigned."""
    players = tuple(player.code for player in spec.players)
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=players,
        outcome=Outcome(points=won_by(winner, 2), ending=Ending.RESIGNATION, seat=1 - winner),
        turns=0,
        engines=tuple(EngineReport(name=code.upper()) for code in players),
        started="2026-11-21T01:10:00+00:00",
        wall_ns=10**9,
    )
    return GameRecord(result=result, turns=())


def store_games(path, count, record_of=lambda spec, number: resigned(spec, 0)):
    """Store the first games of a control file. record_of: the record of a game, by its number from 0."""
    event = Event.open(path)
    with Store.open(event.files.database, path.stem, create=True) as store:
        event.take_secret(store)
        for number in range(count):
            spec = event.competition.next_game()
            store.append(spec, record_of(spec, number))
