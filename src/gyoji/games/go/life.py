"""Which stones live, and who owns which point: pass-alive groups, the map of areas, independent life.

Nothing here asks how a position came about or whose turn it is. Sets of points are as in `board`.

A group is **pass-alive** if the other side, moving again and again while its owner only passes, cannot take
it. Benson's theorem says how to see that (D. B. Benson, "Life in the game of Go", 1976): look at the regions
that the colour's stones cut the rest of the board into. A region is *vital* to a group if wherever the
other side plays in it, it stays beside a liberty of the group: each of its empty points touches the group.
A group with two vital regions lives, provided the other groups around those regions do. So: give up groups
with less than two vital regions, and with each of them the regions it borders; what is left when nothing
more falls is pass-alive. Where suicide is legal an attacker may empty a region of its own stones, so there
*every* point of a vital region must touch the group.

**Independent life** is what Japanese rules call not being in seki: an area without a neutral point (dame)
beside it and without one of its stones in atari.
"""

from typing import NamedTuple

from gyoji.games.go.board import Board


class Life(NamedTuple):
    """The stones and points that one colour cannot lose. All sets of points.

    alive      its pass-alive stones.
    territory  its pass-alive territory: regions between pass-alive groups too small for the other side to
               live in (at most one point has none of the colour's stones beside it), dead stones included.
    enclosed   other regions between pass-alive groups, of any size, without a stone in them.
    groups     all groups of the colour, alive or not.
    """

    alive: int
    territory: int
    enclosed: int
    groups: list[int]

    @property
    def secure(self) -> int:
        return self.alive | self.territory


def life_of(board: Board, own: int, other: int, *, suicide: bool) -> Life:
    """Benson's algorithm for the stones `own`. suicide: whether a play may take several own stones off."""
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
    alive = territory = enclosed = 0
    for group in standing:
        alive |= groups[group]
    touched = board.spread(own)
    for number in sound:
        region = regions[number]
        inner = region & ~touched
        if not inner & (inner - 1):
            territory |= region
        elif not region & other:
            enclosed |= region
    return Life(alive, territory, enclosed, groups)


def _what_stands(
    vital: list[list[int]], borders: list[list[int]], *, regions: int
) -> tuple[list[int], set[int]]:
    """(groups that never fall, regions that no fallen group borders), by number."""
    standing, sound = list(range(len(vital))), set(range(regions))
    while True:
        fallen = [group for group in standing if sum(region in sound for region in vital[group]) < 2]
        if not fallen:
            return standing, sound
        for group in fallen:
            sound.difference_update(borders[group])
        standing = [group for group in standing if group not in fallen]


class Areas(NamedTuple):
    """Who owns which point. All sets of points.

    black, white  the points that each colour owns; what is in neither is dame.
    stones        (black, white): the stones on the board.
    groups        (black's, white's): all groups.
    """

    black: int
    white: int
    stones: tuple[int, int]
    groups: tuple[list[int], list[int]]


def touched_alone(board: Board, black: int, white: int) -> tuple[int, int]:
    """The empty regions that only Black's stones touch, and those that only White's do."""
    empty = board.full ^ black ^ white
    near_black = board.flood(board.spread(black), empty)
    near_white = board.flood(board.spread(white), empty)
    both = near_black & near_white
    return near_black ^ both, near_white ^ both


def areas_of(board: Board, black: int, white: int, *, suicide: bool, removes_dead: bool = True) -> Areas:
    """The map of areas.

    In this order: what is pass-alive or pass-alive territory is its owner's, dead stones in it included;
    then an empty region that one colour alone touches is that colour's, and a stone is its own colour's.
    removes_dead: if not, the first clause falls away and every stone on the board counts as alive.
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
    """The points of independently living regions, and how many regions there are, per colour."""

    black: int
    white: int
    black_regions: int
    white_regions: int


def independent_life(board: Board, areas: Areas) -> Independent:
    """The connected parts of each colour's area without a dame beside them or an own stone in atari.

    Unfinished borders leave dame, so what is not yet closed does not live independently either.
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
    """Each colour's points if every point is pass-alive or pass-alive territory; None if some is open.

    Then nothing that either side does can change the score any more, as long as the other answers.
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
