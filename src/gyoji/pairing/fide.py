"""The next round of a Swiss tournament by FIDE's Dutch system, as in force from February 2026.

The rules are those of the FIDE Handbook, C.04.3, and are followed exactly for up to `MOST_EXACT` players. A
larger field is split into parts, each of which is paired by the rules. If the rules admit no complete
pairing, they are broken as little as possible. `Round.departure` reports both.
"""

from collections.abc import Sequence
from itertools import groupby

from gyoji.core.faults import ConfigError
from gyoji.pairing.dutch_players import Candidate, are_new, candidates, rank_order, seats_of
from gyoji.pairing.score_brackets import Admission, Brackets
from gyoji.pairing.tournament import Round, Tournament

# The time of the matching grows with the third power of the field.
MOST_EXACT = 400
"""The largest field that is paired as a whole, except in first rounds."""


def pair(tournament: Tournament) -> Round:
    """Return the next round.

    Raises:
        ConfigError: All rounds are paired.
    """
    if tournament.played >= tournament.rounds:
        raise ConfigError(
            f"{tournament.played} of {tournament.rounds} rounds are paired: there is no next one"
        )
    field = candidates(tournament)
    rules = _rules(tournament)
    drawn = _drawn(field, rules)
    seated = [seats_of(*pair, tournament.top_seat) for pair in sorted(_pairs(drawn), key=_publication)]
    rests = [part[brackets.bye] for part, brackets in drawn if brackets.bye is not None]
    return Round(
        pairs=tuple((first.number, second.number) for first, second in seated),
        bye=rests[0].number if rests else None,
        departure="; ".join(_departures(drawn, rules, rests)),
    )


def _publication(pair: tuple[Candidate, Candidate]) -> tuple[int, int, int]:
    """Return a sort key that puts pairs in the order of publication.

    Pairs are sorted by the score of the higher player, then by the score of the lower player, then by the
    rank of the higher player. Acceleration does not count.
    """
    higher, lower = sorted(pair, key=lambda each: (-each.own, each.rank))
    return -higher.own, -lower.own, higher.rank


def _drawn(field: Sequence[Candidate], rules: Admission) -> list[tuple[list[Candidate], Brackets]]:
    """Split a large field into parts, and return the players and the pairing of each part.

    A part that cannot be paired by the rules is joined with the next part. If it is the last part, it is
    joined with the part before. If that does not help, the last part is paired by lenient rules.
    """
    drawn: list[tuple[list[Candidate], Brackets]] = []
    kept: list[Candidate] = []
    parts = _parts(field)
    for number, part in enumerate(parts, 1):
        kept = sorted([*kept, *part], key=rank_order)
        brackets = Brackets(kept, rules)
        is_last = number == len(parts)
        if is_last and drawn and not brackets.is_possible:
            kept = sorted([*drawn.pop()[0], *kept], key=rank_order)
            brackets = Brackets(kept, rules)
        if is_last and not brackets.is_possible:
            brackets = Brackets(kept, _leniency(kept, rules))
        if brackets.is_possible:
            drawn.append((kept, brackets))
            kept = []
    return drawn


# Score groups stay together. In a group that is itself too large, the upper half meets the lower half, so
# each piece takes a stretch of both halves.
def _parts(field: Sequence[Candidate]) -> list[list[Candidate]]:
    """Split a large field by rank into parts of even size. The last may be odd."""
    if len(field) <= MOST_EXACT or are_new(field):
        return [list(field)]
    parts: list[list[Candidate]] = [[]]
    for _, members in groupby(field, key=lambda each: each.score):
        group = list(members)
        pieces = -(-len(group) // MOST_EXACT)
        half = len(group) // 2
        cuts = [half * piece // pieces for piece in range(pieces)]
        for start, end in zip(cuts, [*cuts[1:], None], strict=True):
            piece = group[start : half if end is None else end]
            piece += group[half + start : end if end is None else half + end]
            if parts[-1] and len(parts[-1]) + len(piece) > MOST_EXACT:
                parts.append([parts[-1].pop()] if len(parts[-1]) % 2 else [])
            parts[-1] += piece
    return parts


def _rules(tournament: Tournament) -> Admission:
    """Return the rules on who may meet whom, by the criteria C1 to C4."""
    points = tournament.points
    top = tournament.played * max(points.win, points.draw) // 2
    is_last = tournament.played == tournament.rounds - 1

    def cost(one: Candidate, other: Candidate) -> int | None:
        if one.number in other.met or one.number in other.barred:
            return None
        is_clash = one.is_absolute and other.is_absolute and one.due == other.due
        return None if is_clash and not (is_last and max(one.score, other.score) > top) else 0

    return Admission(cost=cost, may_rest=lambda each: not each.byes)


def _leniency(field: Sequence[Candidate], rules: Admission) -> Admission:
    """Return lenient rules, for a field that the strict rules cannot pair.

    They admit every pair. A pair that breaks a rule has a cost: a wrong seat the least, a second meeting
    more, and a forbidden pair the most. The bye goes to a player with the fewest byes.
    """
    least = min(each.byes for each in field)
    again = len(field)
    forbidden = again * len(field) * (1 + max(max(each.met.values(), default=0) for each in field))

    def cost(one: Candidate, other: Candidate) -> int:
        times = one.met.get(other.number, 0)
        is_wrong = not times and rules.cost(one, other) is None
        is_barred = one.number in other.barred
        return forbidden * is_barred + again * times + (is_wrong and not is_barred)

    return Admission(cost=cost, may_rest=lambda each: each.byes == least)


def _departures(
    drawn: Sequence[tuple[Sequence[Candidate], Brackets]], rules: Admission, rests: Sequence[Candidate]
) -> list[str]:
    """Return a line if the field was paired in parts, and a line that counts the pairs and byes that break
    the rules, if any do.

    Args:
        drawn: The players and the pairing of each part.
        rules: The rules.
        rests: The players with a bye.
    """
    lines = []
    if len(drawn) > 1:
        count = sum(len(part) for part, _ in drawn)
        lines.append(
            f"{count} players are too many to be paired as a whole: they are paired in {len(drawn)} parts"
        )
    wrong = [pair for pair in _pairs(drawn) if rules.cost(*pair) is None]
    barred = sum(other.number in one.barred for one, other in wrong)
    again = sum(other.number in one.met and other.number not in one.barred for one, other in wrong)
    told = {
        "pairs that meet again": again,
        "pairs that are forbidden": barred,
        "pairs in which both must have the same seat": len(wrong) - again - barred,
        "byes for one who has had one": sum(each.byes > 0 for each in rests),
    }
    faults = [f"{count} {what}" for what, count in told.items() if count]
    if faults:
        lines.append(f"not all can be paired by the rules: {', '.join(faults)}")
    return lines


def _pairs(drawn: Sequence[tuple[Sequence[Candidate], Brackets]]) -> list[tuple[Candidate, Candidate]]:
    return [(part[higher], part[lower]) for part, brackets in drawn for higher, lower in brackets.pairs]
