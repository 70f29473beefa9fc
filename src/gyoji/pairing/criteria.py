"""The quality of a pair by all criteria of FIDE's Dutch system, encoded in one whole number.

Numbers of criteria are those of the FIDE Handbook, C.04.3, in force from February 2026.
"""

# The first criterion has the highest binary digits. Where the handbook minimizes a number of bad pairs or
# players, the weight counts the good ones. The sum over all pairs must not carry into the digits of the
# criterion before it: `_room` digits are enough for a criterion that counts each player or pair once. A
# criterion that compares the scores of players has a group of digits for each score, wide enough for the
# players with that score.

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gyoji.pairing.dutch_players import Candidate, Float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket, with all players below it that are not paired yet.

    Attributes:
        players: First the players moved down, then the residents of the bracket, then the players of the next
            bracket, then all others. In each part the highest comes first.
        moved: Number of the players moved down.
        end: Index after the last resident.
        next_end: Index after the last player of the next bracket.
    """

    players: Sequence[Candidate]
    moved: int
    end: int
    next_end: int


class Criteria:
    """The weights of pairs in one bracket.

    A weight is a whole number. Each criterion has some of the number's binary digits, and the first criterion
    has the highest.
    """

    def __init__(self, bracket: Bracket, *, bye_score: int | None) -> None:
        """Compute how many binary digits of a weight each criterion needs.

        Args:
            bracket: The bracket.
            bye_score: The score, in tenths of a point, of the player with the bye if that player is in this
                bracket, else None.
        """
        players = bracket.players
        self._bracket = bracket
        self._room = len(players).bit_length()
        self._places: dict[int, int] = {}
        self._places_room = 0
        sizes = Counter(each.score for each in players[: bracket.next_end])
        for score in sorted(sizes):
            self._places[score] = self._places_room
            self._places_room += sizes[score].bit_length()
        self._bye_score = bye_score
        self._most_games = max(each.games for each in players)
        self._bye_room = 0 if bye_score is None else (len(players) * self._most_games).bit_length()
        self._has_floats = any(way is not Float.NONE for each in players for way in each.floats)

    def weight(self, completion: int, higher: int, lower: int) -> int:
        """Return the weight of a pair that may meet; 0 if both were moved down to this bracket.

        Args:
            completion: The pair's weight in the search for a complete pairing of the round. It takes the
                highest digits, so that it counts more than all criteria.
            higher: The index of the higher player in the bracket.
            lower: The index of the lower player.
        """
        bracket, weight = self._bracket, completion
        if lower < bracket.moved:
            return 0
        one, other = bracket.players[higher], bracket.players[lower]
        is_here, is_next = lower < bracket.end, bracket.end <= lower < bracket.next_end
        place = 1 << self._places[one.score] if is_here or is_next else 0
        for is_so in (is_here, is_next):  # C6 and C7, and then C8: the same below
            weight = ((weight << self._room | is_so) << self._places_room) + place * is_so
        weight <<= self._bye_room
        if self._bye_score is not None:  # C9: the player with the bye has played the most games
            weight += sum(
                self._most_games - each.games for each in (one, other) if each.score == self._bye_score
            )
        for is_good in _seats_are_good(one, other):  # C10 to C13
            weight = weight << self._room | (is_here and is_good)
        if not self._has_floats:
            return weight
        if not is_here:
            return weight << 4 * (self._room + self._places_room)
        room, places_room, is_uneven = self._room, self._places_room, one.score > other.score
        places = self._places[one.score], self._places[other.score]
        sunk = [[each.floats[back] is Float.DOWN for each in (one, other)] for back in (0, 1)]
        rises = [is_uneven and other.floats[back] is Float.UP for back in (0, 1)]
        for back in (0, 1):
            weight = (weight << room) + sunk[back][1] + (sunk[back][0] and not is_uneven)
            weight = (weight << room) + (not rises[back])
        for back in (0, 1):
            weight = (weight << places_room) + (sunk[back][0] << places[0]) + (sunk[back][1] << places[1])
            weight = (weight << places_room) + ((not rises[back]) << places[0])
        return weight


def _seats_are_good(one: Candidate, other: Candidate) -> tuple[bool, bool, bool, bool]:
    """Return, for each of the criteria C10, C11, C12 and C13, whether a pair fulfils it."""
    if one.due is None or one.due != other.due:
        return True, True, True, True
    if not (one.is_absolute and other.is_absolute):
        return True, True, False, not all(each.is_absolute or each.is_strong for each in (one, other))
    if one.surplus == other.surplus:
        no_third = one.repeated is None or one.repeated != other.repeated
    else:
        loser = other if one.surplus > other.surplus else one
        no_third = loser.repeated != 1 - one.due
    return not (one.surplus > 1 and other.surplus > 1), no_third, False, True
