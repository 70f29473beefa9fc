"""Life and area: pass-alive groups, the owner of each point, and independent life.

The results depend on the board alone, not on earlier moves or the side to move. Sets of points are bit masks
as in `board`.

A group is **pass-alive** if the other side cannot capture it even if its owner always passes. Benson's
algorithm finds these groups (D. B. Benson, "Life in the game of Go", 1976). The stones of a colour divide the
rest of the board into regions. A region is *vital* to a group if each of its empty points is a liberty of the
group: the other side cannot fill it without leaving a liberty. A group with two vital regions lives, provided
the other groups around these regions live. So groups with fewer than two vital regions are removed, with all
regions that they border, until nothing changes. The remaining groups are pass-alive. If suicide is legal, an
attacker may empty a region of its own stones, so *every* point of a vital region must touch the group.

**Independent life** is, in terms of Japanese rules, not being in seki: the area has no adjacent neutral point
(dame), and none of its stones is in atari.
"""

from typing import NamedTuple

from gyoji.games.go.board import Board


class Life(NamedTuple):
    """The pass-alive stones and territory of one colour. All fields except `groups` are sets of points.

    Attributes:
        alive: The pass-alive stones.
        territory: The pass-alive territory, in which the other side cannot live, dead stones included. It
            consists of regions that only pass-alive groups border, and in which at most one point touches no
            stone of the colour.
        groups: All groups of the colour, alive or not.
    """

    alive: int
    territory: int
    groups: list[int]

    @property
    def secure(self) -> int:
        return self.alive | self.territory


def life_of(board: Board, own: int, other: int, *, suicide: bool) -> Life:
    """Return the pass-alive stones and territory of the stones `own`, by Benson's algorithm.

    Args:
        suicide: Whether suicide of several stones is legal.
    """
    groups = board.pieces(own, own)
    empty = board.full ^ own ^ other
    # A region without an empty point would be a group without a liberty.
    regions = board.pieces(board.full ^ own, empty) if groups else []
    beside = [board.spread(group) for group in groups]
    borders: list[list[int]] = [[] for _ in groups]  # the regions that a group touches
    vital: list[list[int]] = [[] for _ in groups]
    for number, region in enumerate(regions):
        needed = region if suicide else region & empty
        for group, around in enumerate(beside):
            if region & around:
                borders[group].append(number)
                if needed & around == needed:
                    vital[group].append(number)
    standing, sound = _what_stands(vital, borders, regions=len(regions))
    alive = territory = 0
    for group in standing:
        alive |= groups[group]
    touched = board.spread(own)
    for number in sound:
        region = regions[number]
        inner = region & ~touched
        if not inner & (inner - 1):
            territory |= region
    return Life(alive, territory, groups)


def _what_stands(
    vital: list[list[int]], borders: list[list[int]], *, regions: int
) -> tuple[list[int], set[int]]:
    """Return the pass-alive groups and the regions that only such groups border.

    Args:
        vital: For each group, the numbers of the regions that are vital to it.
        borders: For each group, the numbers of the regions that it borders.
        regions: The number of regions.

    Returns:
        (numbers of these groups, numbers of these regions).
    """
    standing, sound = list(range(len(vital))), set(range(regions))
    while True:
        fallen = [group for group in standing if sum(region in sound for region in vital[group]) < 2]
        if not fallen:
            return standing, sound
        for group in fallen:
            sound.difference_update(borders[group])
        standing = [group for group in standing if group not in fallen]


class Areas(NamedTuple):
    """The owner of each point.

    Attributes:
        black: The set of points that Black owns. `white` is the same for White. Other points are dame.
        stones: The (black, white) stones on the board.
        groups: The groups of (Black, White).
    """

    black: int
    white: int
    stones: tuple[int, int]
    groups: tuple[list[int], list[int]]


def touched_alone(board: Board, black: int, white: int) -> tuple[int, int]:
    """Return (empty points that belong to Black, those that belong to White).

    An empty point belongs to a colour if its whole empty region touches stones of that colour only.
    """
    empty = board.full ^ black ^ white
    near_black = board.flood(board.spread(black), empty)
    near_white = board.flood(board.spread(white), empty)
    both = near_black & near_white
    return near_black ^ both, near_white ^ both


def areas_of(board: Board, black: int, white: int, *, suicide: bool, removes_dead: bool = True) -> Areas:
    """Return the points that each colour owns.

    First, pass-alive stones and pass-alive territory belong to their owner, dead stones in it included.
    Then an empty region that touches one colour only belongs to it, and each other stone counts for its
    own colour.

    Args:
        board: The board.
        black: The black stones. `white` is the same for White.
        suicide: Whether suicide of several stones is legal.
        removes_dead: If False, the first step is omitted and every stone on the board counts as alive.
    """
    alone_black, alone_white = touched_alone(board, black, white)
    if not removes_dead:
        groups = board.pieces(black, black), board.pieces(white, white)
        return Areas(black | alone_black, white | alone_white, (black, white), groups)
    lives = life_of(board, black, white, suicide=suicide), life_of(board, white, black, suicide=suicide)
    sure_black, sure_white = lives[0].secure, lives[1].secure
    return Areas(
        sure_black | (black | alone_black) & ~sure_white,
        sure_white | (white | alone_white) & ~sure_black,
        (black, white),
        (lives[0].groups, lives[1].groups),
    )


class Independent(NamedTuple):
    """For each colour, the points of its independently living regions, and the number of these regions."""

    black: int
    white: int
    black_regions: int
    white_regions: int


def independent_life(board: Board, areas: Areas) -> Independent:
    """Return the parts of each colour's area that live independently, that is, are not in seki.

    Such a part has no adjacent dame and no stone in atari. Open borders leave dame, so an area that is not
    closed yet does not live independently.
    """
    black, white = areas.stones
    empty = board.full ^ black ^ white
    near_dame = board.spread(empty & ~(areas.black | areas.white))
    found = []
    for area, groups in ((areas.black, areas.groups[0]), (areas.white, areas.groups[1])):
        tainted = near_dame & area
        for group in groups:
            liberties = board.spread(group) & empty
            if not liberties & (liberties - 1):
                tainted |= group
        living = area ^ board.flood(tainted, area) if tainted else area
        found.append((living, len(board.pieces(living, living))))
    (black_life, black_regions), (white_life, white_regions) = found
    return Independent(black_life, white_life, black_regions, white_regions)


def settled_areas(board: Board, black: int, white: int, *, suicide: bool) -> tuple[int, int] | None:
    """Return (Black's points, White's points) of a board on which every point is settled, else None.

    A point is settled if it is pass-alive or pass-alive territory. If all are, neither side can change the
    score any more, as long as the other answers.
    """
    empty = board.full ^ black ^ white
    # A settled region has at most one point away from all stones, because more would be room to live.
    if 2 * (empty & ~board.spread(black | white)).bit_count() > empty.bit_count():
        return None
    for_black = life_of(board, black, white, suicide=suicide).secure
    if for_black == board.full:
        return for_black, 0
    for_white = life_of(board, white, black, suicide=suicide).secure
    return (for_black, for_white) if for_black | for_white == board.full else None
