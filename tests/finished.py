"""Finished games, as a store takes them."""

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult


def resigned(spec, winner):
    """The record of a game that the team `winner` won because the other resigned."""
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
