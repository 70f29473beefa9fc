"""Which stones live and who owns which point: pass-alive groups, areas, independent life.

Only the board counts here, not how the position arose or whose turn it is. Sets of points are as in
`board`.

A group is **pass-alive** if the other side cannot capture it by moving again and again while its owner
only passes. Benson's theorem tells which groups are (D. B. Benson, "Life in the game of Go", 1976). The
stones of the colour cut the rest of the board into regions. A region is *vital* to a group if each of its
empty points is a liberty of the group: then the other side cannot fill it without leaving a liberty. A
group with two vital regions lives, provided the other groups around those regions live. So: drop groups
with fewer than two vital regions, and with each of them the regions it borders; repeat. The groups that
remain are pass-alive. Where suicide is legal an attacker may empty a region of its own stones, so there
*every* point of a vital region must touch the group.

**Independent life** is what Japanese rules call not being in seki: an area without a neutral point (dame)
beside it and without one of its stones in atari.
"""

from typing import NamedTuple

from gyoji.games.go.board import Board


class Life(NamedTuple):
    """The stones and points that one colour cannot lose. All fields but `groups` are sets of points.

    Attributes:
        alive: Its pass-alive stones.
        territory: Its pass-alive territory: regions between pass-alive groups that are too small for the
            other side to live in (at most one point touches none of the colour's stones), dead stones
            included.
        groups: All groups of the colour, alive or not.
    """

    alive: int
    territory: int
    groups: list[int]

    @property
    def secure(self) -> int:
        return self.alive | self.territory


def life_of(board: Board, own: int, other: int, *, suicide: bool) -> Life:
    """Return the `Life` of the stones `own` by Benson's algorithm.

    Args:
        suicide: Whether a play may take several own stones off.
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
    """Find the groups that are pass-alive and the regions that only such groups border.

    Args:
        vital: For each group, the numbers of the regions that are vital to it.
        borders: For each group, the numbers of the regions that it borders.
        regions: The number of regions.

    Returns:
        The numbers of these groups, and the numbers of these regions.
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
        black: The set of points that Black owns; likewise `white`. Points in neither are dame.
        stones: The (black, white) stones on the board.
        groups: The groups of (Black, White).
    """

    black: int
    white: int
    stones: tuple[int, int]
    groups: tuple[list[int], list[int]]


def touched_alone(board: Board, black: int, white: int) -> tuple[int, int]:
    """Return the empty points next to only one colour: Black's and White's.

    A point belongs to a colour if the whole empty region around it touches no stone of the other.
    """
    empty = board.full ^ black ^ white
    near_black = board.flood(board.spread(black), empty)
    near_white = board.flood(board.spread(white), empty)
    both = near_black & near_white
    return near_black ^ both, near_white ^ both


def areas_of(board: Board, black: int, white: int, *, suicide: bool, removes_dead: bool = True) -> Areas:
    """Return which points each colour owns.

    First, pass-alive stones and pass-alive territory belong to their owner, dead stones in it included.
    Then an empty region that touches one colour only belongs to it, and each other stone counts for its
    own colour.

    removes_dead: If False, the first step is left out and every stone on the board counts as alive.
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
    """The points of independently living regions, and the number of these regions, for each colour."""

    black: int
    white: int
    black_regions: int
    white_regions: int


def independent_life(board: Board, areas: Areas) -> Independent:
    """Return the parts of each colour's area that live independently, which Japanese rules call not in seki.

    Such a part has no dame beside it and no own stone in atari. Unfinished borders leave dame, so an area
    that is not closed yet does not live independently.
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
    """Return each colour's points if every point is pass-alive or pass-alive territory; None if some is open.

    Then neither side can change the score any more, as long as the other answers.
    """
    empty = board.full ^ black ^ white
    # Far from any stone there is room to live: a settled region has one such point at most, and others.
    if 2 * (empty & ~board.spread(black | white)).bit_count() > empty.bit_count():
        return None
    for_black = life_of(board, black, white, suicide=suicide).secure
    if for_black == board.full:
        return for_black, 0
    for_white = life_of(board, white, black, suicide=suicide).secure
    return (for_black, for_white) if for_black | for_white == board.full else None
