"""Results of games as PGN, for programs that rate players."""

from collections.abc import Sequence

from gyoji.core.record import GameResult
from gyoji.results.game_ids import plain_id


def pgn(
    result: GameResult,
    *,
    event: str,
    site: str = "",
    sides: Sequence[str] = ("black", "white"),
    comment: str = "",
) -> str:
    """Return a game as PGN for BayesElo and other programs that rate by results alone.

    White and Black are the players that had these colours. In games whose sides have other names, White is
    the second side, so that a rating program reports the advantage of the second side as White's. A team is
    one player. An unknown result is `*`, which rating programs leave out. Moves are not written: they are not
    moves of chess, and ratings do not need them.

    Args:
        result: The result of the game.
        event: Name of the competition.
        site: Place of the competition.
        sides: Names of the sides in the game.
        comment: Text in braces before the result, such as the moves.

    Raises:
        ValueError: The game does not have exactly two sides.
    """
    if (count := len(result.opponents)) != 2:
        raise ValueError(f"game {result.id} has {count} sides, and PGN has two players, White and Black")
    # Side 0 is Black unless the game calls it white.
    black = 1 if sides[0] == "white" else 0
    black_seat = result.sides.index(black) if result.sides else black
    players = {"White": result.opponents[1 - black_seat], "Black": result.opponents[black_seat]}
    winner = result.outcome.winner
    if result.outcome.points is None:
        score = "*"
    else:
        score = "1/2-1/2" if winner is None else "0-1" if winner == black_seat else "1-0"
    number = plain_id(result.id).rpartition("_")[2]
    tags = {
        "Event": event,
        "Site": site or "?",
        "Date": result.started[:10].replace("-", ".") or "????.??.??",
        # gyoji counts games from 0, PGN from 1.
        "Round": str(int(number) + 1) if number.isdecimal() else "?",
        **players,
        "Result": score,
        "GameId": result.id,
        "PlyCount": str(result.turns),
        "Termination": result.outcome.ending.value,
    }
    lines = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    told = f"{{{comment.replace('}', ')')}}}\n" if comment else ""
    return f"{lines}\n{told}{score}\n\n"


def _escaped(text: str) -> str:
    """Escape a text for a PGN string, which has one line."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
