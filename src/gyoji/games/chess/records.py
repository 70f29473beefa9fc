"""PGN as a record format: games are written, and the games of a file are judged again by the rules."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gyoji.core.game import RecordFormat
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import printable, quote
from gyoji.games.chess.fen import format_fen
from gyoji.games.chess.pgn import result_text, write_pgn
from gyoji.games.chess.pgn_reader import RESULTS, PgnGame, first_position, lines_of, read_games
from gyoji.games.chess.position import MATE, STALEMATE, Position
from gyoji.games.chess.rules import diagram, outcome_of
from gyoji.games.chess.san import read_san

_ON_BOARD = (MATE, STALEMATE)
_NULL = re.compile(r"--|Z0|null|@@@@", re.IGNORECASE)


class Judged(NamedTuple):
    """The judgement of a recorded game by the rules.

    Attributes:
        moves: The moves before the first illegal one, in UCI notation.
        position: The position after these moves.
        refusal: The first illegal move with the reason; "" if all are legal.
        went_on: A line for each position that is a draw by the rules although the record has a next move.
    """

    variant: str
    first: Position
    moves: tuple[str, ...]
    position: Position
    refusal: str
    went_on: tuple[str, ...]


def judge(game: PgnGame) -> Judged:
    """Replay a recorded game by the rules, up to its first illegal move.

    Programs in which players have to claim draws continue after a repetition or 50 moves, so the replay does
    too.

    Raises:
        ValueError: The first position is invalid.
    """
    variant, first = first_position(game.tags)
    position = first
    moves: list[str] = []
    went_on: list[str] = []
    for text, _ in game.moves:
        where = f"move {position.number}{'...' if position.turn else '.'} {text}"
        if position.end and position.end not in _ON_BOARD:
            went_on.append(f"{position.end} before {where}")
            position = position._replace(end="")
        try:
            move, after = read_san(position, text)
        except ValueError as error:
            reason = "a null move" if _NULL.fullmatch(text) else str(error)
            return Judged(
                variant, first, tuple(moves), position, f"{printable(where, 60)}: {reason}", tuple(went_on)
            )
        moves.append(move)
        position = after
    return Judged(variant, first, tuple(moves), position, "", tuple(went_on))


def replay_pgn(data: bytes, wanted: Wanted) -> list[Replay]:
    """Replay the games of a PGN file.

    Raises:
        ConfigError: The request has settings that chess does not have.
        ValueError: A game's first position is invalid, or the file has no game.
    """
    wanted.check_fits("chess", ())
    found = [_replay(game) for game in read_games(lines_of(data))]
    if not found:
        raise ValueError('no game of PGN is in it: expected tags such as [White "name"], or moves')
    return found


def _replay(game: PgnGame) -> Replay:
    tags = game.tags
    try:
        judged = judge(game)
    except ValueError as error:
        raise ValueError(f"line {game.line}: {error}") from None
    told = tags.get("Result") or game.result or "*"
    notes = [f"the game went on after {each}" for each in judged.went_on[:1]]
    if game.result and tags.get("Result") and game.result != tags["Result"]:
        notes.append(f"its tag says {printable(told, 20)}, its moves end with {game.result}")
    if told not in RESULTS:
        notes.append(f"its result is none of PGN's: {quote(told)}")
    end = judged.position.end
    ruled = result_text(outcome_of(judged.position)) if end else ""
    verdict = ""
    if not judged.refusal:
        verdict = (
            f"the record says {printable(told, 20)}, the rules {f'{ruled} by {end}' if end else 'no end'}"
        )
    facts = [
        ("white", tags.get("White", "?")),
        ("black", tags.get("Black", "?")),
        *((name.lower(), tags[name]) for name in ("Event", "Date", "Round", "Termination") if tags.get(name)),
        ("variant", judged.variant),
        ("moves", str(len(judged.moves))),
        ("position", format_fen(judged.position)),
    ]
    return Replay(
        facts=tuple((label, printable(text)) for label, text in facts),
        notes=tuple(notes),
        refusals=(judged.refusal,) if judged.refusal else (),
        verdict=verdict,
        differs=bool(end) and told in RESULTS and told != ruled,
        diagram=diagram(judged.position),
    )


def content(data: bytes) -> object:
    """Return a value that is equal for two PGN files with the same games: their tags, moves and results.

    Comments and layout are left out, and the tags ECO and Opening, which earlier versions of gyoji did not
    write.
    """
    return tuple(_contents(data))


def _contents(data: bytes) -> Iterator[object]:
    for game in read_games(lines_of(data)):
        moves: Sequence[str] = [move.text for move in game.moves]
        tags = [tag for tag in game.tags.items() if tag[0] not in ("ECO", "Opening")]
        yield tuple(tags), tuple(moves), game.result


PGN = RecordFormat(suffix=".pgn", write=write_pgn, write_played=write_pgn, replay=replay_pgn, content=content)
