"""Results as PGN, a game each, for BayesElo and other programs that rate by results alone.

White and Black are who had these colours on the board, and the result is told from White's view, as PGN has
it. Where the sides of a game have other names, White is the second. So it may be the second player for whom a
rating program finds an advantage. A game of two teams names them by their player; a result that nobody knows
is `*`, which such programs leave out. There are no moves: a rating needs none, and they are no moves of
chess.
"""

from gyoji.core.record import GameResult
from gyoji.pairing.games import plain_id


def pgn(
    result: GameResult, *, event: str, site: str = "", sides: tuple[str, str] = ("black", "white")
) -> str:
    """A game, with a blank line after it.

    event: what the competition is called; site: where it is played; sides: what they are called in the game.
    """
    black = 1 if sides[0] == "white" else 0
    black_seat = result.sides.index(black) if result.sides else black
    players = {"White": result.opponents[1 - black_seat], "Black": result.opponents[black_seat]}
    score = _score(result, black_seat)
    number = plain_id(result.id).rpartition("_")[2]
    tags = {
        "Event": event,
        "Site": site or "?",
        "Date": result.started[:10].replace("-", ".") or "????.??.??",
        "Round": str(int(number) + 1) if number.isdecimal() else "?",
        **players,
        "Result": score,
        "GameId": result.id,
        "PlyCount": str(result.turns),
        "Termination": result.outcome.ending.value,
    }
    lines = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    return f"{lines}\n{score}\n\n"


def _score(result: GameResult, black_seat: int) -> str:
    """The result from White's view."""
    if result.outcome.points is None:
        return "*"
    winner = result.outcome.winner
    if winner is None:
        return "1/2-1/2"
    return "0-1" if winner == black_seat else "1-0"


def _escaped(text: str) -> str:
    """A text inside a PGN string, which has one line."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
