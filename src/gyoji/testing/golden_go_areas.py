"""Golden data of Go: who owns which point of a board, and what a count of it as it stands would say.

Boards and maps are rows from the top, parted by ``/``: X Black, O White, ``.`` nobody. A record has these
maps, each for rules without suicide (0) and, where that differs, with it (1):

==========  ===========================================================================
``pa``      pass-alive stones and pass-alive territory
``safe``    and stone-free regions of any size between pass-alive groups
``terr``    and all empty regions that one colour alone touches
``area``    and all other stones
``ind``     independently living regions alone; ``T``: and surrounded points elsewhere,
            dead stones included; ``S``: and other stones in their own area
``nind``    how many such regions, White's less Black's
==========  ===========================================================================
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.games.go import GoRules, Options
from gyoji.games.go.board import Board, board_of
from gyoji.games.go.life import areas_of, independent_life, life_of, touched_alone

Record = Mapping[str, Any]


def recognises(record: Record) -> bool:
    return "b" in record and "area0" in record


def differences(record: Record) -> Iterator[str]:
    board = board_of(record["x"], record["y"])
    stones = read_rows(board, record["b"])
    for suicide in (False, True):
        got, regions = maps(board, stones, suicide=suicide)
        for name, pair in got.items():
            key = f"{name[:3]}{int(suicide)}{name[3:]}" if name.startswith("ind") else f"{name}{int(suicide)}"
            expected = record.get(key, record[key.replace("1", "0")])
            if (text := write_rows(board, *pair)) != expected:
                yield f"{key}: expected {expected}, got {text}"
        if regions != record[f"nind{int(suicide)}"]:
            yield f"nind{int(suicide)}: expected {record[f'nind{int(suicide)}']}, got {regions}"
    for name, expected in record.get("static", {}).items():
        scoring, tax, suicide_mark = name.split("-")
        ruleset = {"scoring": scoring, "tax": tax, "suicide": suicide_mark == "s1"}
        rules = GoRules(Options(board_size=(record["x"], record["y"]), komi=0, ruleset=ruleset))
        score = rules.score(rules.set_up(*stones, to_play="BW".index(record["pla"])))
        counted = {"area": write_rows(board, score.black, score.white), "score": float(score.lead)}
        if counted != expected:
            yield f"{name}: expected {expected}, got {counted}"


def maps(board: Board, stones: tuple[int, int], *, suicide: bool) -> tuple[dict[str, tuple[int, int]], int]:
    """Every map as (Black's, White's) points by its name, and the balance of living regions."""
    black, white = stones
    lives = life_of(board, black, white, suicide=suicide), life_of(board, white, black, suicide=suicide)
    secure = lives[0].secure, lives[1].secure
    open_points = board.full & ~(secure[0] | secure[1])
    alone = [points & open_points for points in touched_alone(board, black, white)]
    areas = areas_of(board, black, white, suicide=suicide)
    life = independent_life(board, areas)
    area, living = (areas.black, areas.white), (life.black, life.white)
    elsewhere = [points & ~own for points, own in zip(area, stones, strict=True)]
    own_stones = [points & own for points, own in zip(area, stones, strict=True)]

    def both(*parts: Any) -> tuple[int, int]:
        first = second = 0
        for part in parts:
            first, second = first | part[0], second | part[1]
        return first, second

    found = {
        "pa": secure,
        "safe": both(secure, (lives[0].enclosed, lives[1].enclosed)),
        "terr": both(secure, alone),
        "area": area,
        "ind": living,
        "indT": both(living, elsewhere),
        "indS": both(living, own_stones),
        "indTS": both(living, elsewhere, own_stones),
    }
    return found, life.white_regions - life.black_regions


def read_rows(board: Board, text: str) -> tuple[int, int]:
    """The (black, white) stones of a board in one line."""
    black = white = 0
    for y, row in enumerate(reversed(text.split("/"))):
        for x, sign in enumerate(row):
            black |= (sign == "X") << board.bit(x, y)
            white |= (sign == "O") << board.bit(x, y)
    return black, white


def write_rows(board: Board, black: int, white: int) -> str:
    """Two sets of points as a board in one line."""
    rows = []
    for y in reversed(range(board.height)):
        points = [1 << board.bit(x, y) for x in range(board.width)]
        rows.append("".join("X" if bit & black else "O" if bit & white else "." for bit in points))
    return "/".join(rows)
