"""Tournament reports: what is read of a file, what is written, and what is refused."""

import pytest

from gyoji.core.faults import ConfigError
from gyoji.pairing.tournament import (
    BYE,
    Entry,
    Forbidden,
    Kind,
    Player,
    Points,
    Result,
    Tournament,
    absence,
)
from gyoji.pairing.trf import Report, write_trf
from gyoji.pairing.trf_reader import read_trf

WIN, DRAW, LOSS = Result.WIN, Result.DRAW, Result.LOSS


def game(opponent, seat, result, kind=Kind.GAME, **more):
    return Entry(kind=kind, result=result, opponent=opponent, seat=seat, **more)


def line(number, name, points, *rounds, rating=""):
    """Return a line 001, each round as "  2 w 1"."""
    told = "".join(f"  {each:>8}" for each in rounds)
    return f"001 {number:4} {'':4} {name:33} {rating:4}{'':28}{points:>4} {number:4}{told}"


FIRST = [
    "012 The autumn cup",
    "142 5",
    "152 B",
    line(1, "Ai", "1.0", "   2 b 1", rating=2100),
    line(2, "Beni", "0.0", "   1 w 0", rating=1900),
    line(3, "Cha", "1.0", "0000 - U"),
]
"""A report after the first round."""


def read(*lines):
    return read_trf("\n".join(lines), "cup.trf")


def test_a_report_is_read():
    report = read(*FIRST)
    assert report.lines == (("012", "The autumn cup"),)
    assert report.ranks == (1, 2, 3)
    assert report.tournament == Tournament(
        players=(
            Player(name="Ai", rating=2100, entries=(game(1, 1, WIN),)),
            Player(name="Beni", rating=1900, entries=(game(0, 0, LOSS),)),
            Player(name="Cha", entries=(BYE,)),
        ),
        rounds=5,
        played=1,
        first_seat=1,
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CR LF", "CR"])
def test_every_kind_of_line_end_is_read_and_a_mark_of_the_order_of_bytes(end):
    assert read_trf("\ufeff" + end.join(FIRST), "cup.trf") == read(*FIRST)


@pytest.mark.parametrize(
    ("told", "points", "entry"),
    [
        ("0000 - F", "1.0", absence(WIN)),
        ("0000 - H", "0.5", absence(DRAW)),
        ("0000 - =", "0.5", absence(DRAW)),
        ("0000 - Z", "0.0", absence()),
        ("0000 - -", "0.0", absence()),
        ("        ", "0.0", absence()),
        ("0000 - +", "1.0", BYE),
        ("     - u", "1.0", BYE),
        ("   2 w +", "1.0", game(1, 0, WIN, Kind.FORFEIT)),
        ("   2 - -", "0.0", game(1, None, LOSS, Kind.FORFEIT)),
    ],
)
def test_a_round_without_a_game_is_what_its_symbol_says(told, points, entry):
    other = "   1 b -" if told.startswith("   2") else "0000 - U"
    event = read(
        "142 3",
        line(1, "Ai", points, told),
        line(2, "Beni", "1.0" if other.endswith("U") else "0.0", other),
    ).tournament
    assert event.players[0].entries == (entry,)


@pytest.mark.parametrize(
    ("symbol", "result"), [*zip("1W=D0L", [WIN, WIN, DRAW, DRAW, LOSS, LOSS], strict=True)]
)
def test_games_of_less_than_a_move_count_as_games(symbol, result):
    points, theirs = result / 2, 1 - result / 2
    event = read(
        "142 3",
        line(1, "Ai", f"{points:.1f}", f"   2 w {symbol}"),
        line(2, "Beni", f"{theirs:.1f}", f"   1 b {'0=1'[2 - result]}"),
    ).tournament
    assert event.players[0].entries == (game(1, 0, result),)


def test_points_of_results_are_told_in_one_line_or_one_by_one():
    cup = [line(1, "Ai", "3.0", "   2 w 1"), line(2, "Beni", "0.0", "   1 b 0")]
    expected = Points(win=30, draw=10, bye=20)
    assert read("162  W 3.0    D 1.0    P 2.0", *cup).tournament.points == expected
    assert read("BBW  3.0", "BBD  1.0", "BBU  2.0", *cup).tournament.points == expected
    assert read("162  W 3.0", *cup).tournament.points == Points(win=30, bye=30)
    assert read("162  W 3.0    A 0.5", *cup).tournament.points == Points(
        win=30, bye=30, absence=5, forfeit_loss=5
    )
    assert read("BBW  3.0", "BBZ  0.1", "BBF  0.2", *cup).tournament.points == Points(
        win=30, bye=30, absence=1, forfeit_loss=2
    )


def test_byes_on_request_are_of_the_next_round_or_of_later_ones():
    report = read(*FIRST, "240 H 002    1", "240 Z 004    2    3", "240 F 001    2")
    assert [player.entries[1:] for player in report.tournament.players] == [(absence(DRAW),), (), ()]
    assert report.byes == {3: {1: LOSS, 2: LOSS}}
    assert not read(*FIRST, "XXZ 1 3").tournament.is_there(2)


def test_a_bye_in_the_last_column_is_of_the_next_round_unless_everybody_has_something_there():
    lines = [*FIRST[:3], line(1, "Ai", "1.0", "   2 b 1", "0000 - H"), *FIRST[4:]]
    event = read(*lines).tournament
    assert (event.played, event.is_there(0), event.score(0)) == (1, False, 10)
    all_away = [line(1, "Ai", "0.5", "0000 - H"), line(2, "Beni", "0.0", "0000 - Z")]
    assert read("142 3", *all_away).tournament.played == 1


def test_virtual_points_are_told_by_ranges_or_by_player():
    ranges = read(*FIRST, "250      01.0 001 002 0001 0002", "250      00.5 003 003 0001 0002")
    by_player = read(*FIRST, "XXA    1  1.0  1.0  0.5", "XXA    2  1.0  1.0  0.5")
    assert ranges.tournament == by_player.tournament
    assert ranges.tournament.accelerated(0) == 20
    points_with_virtual_ones = FIRST[3].replace(" 1.0 ", " 2.0 ")
    lines = [*FIRST[:3], points_with_virtual_ones, *FIRST[4:], "XXA    1  1.0  1.0"]
    assert read(*lines).tournament.score(0) == 10


def test_the_baku_method_is_read_by_its_name_unless_virtual_points_are_told():
    assert read(*FIRST, "192 FIDE_DUTCH_2025_BAKU").tournament.players[0].acceleration == (10, 10, 5)
    told = read(*FIRST, "192 FIDE_DUTCH_2025_BAKU", "XXA    1  0.5")
    assert [player.acceleration for player in told.tournament.players] == [(5,), (), ()]


def test_forbidden_pairs_hold_in_some_rounds_or_always():
    event = read(*FIRST, "260 001 003    1    3", "XXP 2 3").tournament
    assert event.forbidden == (
        Forbidden(players=frozenset((0, 2)), since=0, until=3),
        Forbidden(players=frozenset((1, 2))),
    )


def test_the_order_may_be_that_of_the_lines():
    report = read(
        "XXR 5", "XXC rank white1", line(7, "Ai", "1.0", "   3 b 1"), line(3, "Beni", "0.0", "   7 w 0")
    )
    assert [player.name for player in report.tournament.players] == ["Ai", "Beni"]
    assert (report.numbers, report.tournament.first_seat) == ((7, 3), 0)
    again = read_trf(write_trf(report), "again")
    assert (again.tournament, again.numbers) == (report.tournament, report.numbers)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["001 x"], r"cup.trf:1: expected a player's number from 1 to 9999, got 'x'"),
        ([line(1, "Ai", "1.0", "   2 x 1")], r'cup.trf:1: expected a round as "  12 w 1", got .   2 x 1'),
        ([line(1, "Ai", "1.0", "   2 - 1")], "expected w or b of a game that was played"),
        ([line(1, "Ai", "1.0", "   2 w U")], "expected a result of a game"),
        ([line(1, "Ai", "1.0", "0000 w 1")], "expected a result of a round without an opponent"),
        ([line(1, "Ai", "1.0", "   1 w 1")], "player 1 is its own opponent"),
        ([line(1, "Ai", "1.0", "   2 w 1")], "cup.trf:1: there is no player 2, its opponent"),
        ([line(1, "Ai", "x", "0000 - U")], "expected points such as 11.5, got 'x'"),
        ([line(1, "Ai", "2.0", "0000 - U")], "player 1 has 2 points, expected 1 by its results"),
        ([line(1, "Ai", "1.0", "   2 w 1"), line(2, "B", "1.0", "   1 b 1", "   1 b 0")], "contradicts"),
        ([FIRST[3], FIRST[3]], "cup.trf:2: there are two players with the number 1"),
        ([line(2, "Ai", "1.0", "0000 - U")], "cup.trf:1: expected player 1, got 2: one is missing"),
        (
            ["142 1", line(1, "Ai", "2.0", "0000 - U", "0000 - U")],
            "expected at most 1 rounds, as its line 142 or XXR says, got 2",
        ),
        (["142 many"], "expected a number of rounds from 1 to 999, got 'many'"),
        (["152 X"], "expected W or B, got 'x'"),
        (["162  X 0.5"], "expected W, D, L, A or P before points, got 'X'"),
        (["192 FIDE_BURSTEIN"], "expected a tournament paired by FIDE_DUTCH_2025 or"),
        (["240 U 002    1"], "expected F, H or Z, got 'U'"),
        (["240 H 002    4", *FIRST], "cup.trf: there is no player 4"),
        (["250 01.0 01.0 001 002 0001 0002"], "expected no points of matches"),
        (["299 W"], "points that do not follow from results, which is not understood"),
        (["013 Team"], "a report of teams"),
        (["XXQ 3"], "expected a line that is known, got 'XXQ'"),
        (["XXC black2"], "expected rank, white1 or black1, got 'black2'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(lines, problem):
    with pytest.raises(ConfigError, match=problem):
        read(*lines)


def test_a_report_is_written_in_the_columns_of_the_format():
    text = write_trf(
        read(*FIRST, "240 H 002    1", "260 001 005    1    3", "250      01.0 001 002 0001 0002")
    )
    assert text.splitlines() == [
        "012 The autumn cup",
        "142 5",
        "152 B",
        "192 FIDE_DUTCH_2025",
        "001    1      Ai                                2100                             1.0    1     2 b 1",
        "001    2      Beni                              1900                             0.0    2     1 w 0",
        "001    3      Cha                                                                1.0    3  0000 - U",
        "240 H 002    1",
        "250       1.0 001 002    1    2",
        "260 001 005    1    3",
    ]


EVENT = Tournament(
    players=(
        Player(name="Ai", rating=2100, entries=(game(1, 0, WIN), BYE), acceleration=(10, 10, 5)),
        Player(name="Béni", entries=(game(0, 1, LOSS), game(3, 1, DRAW)), acceleration=(10, 10, 5)),
        Player(name="Cha", entries=(game(3, 1, WIN, Kind.FORFEIT), absence(DRAW), absence())),
        Player(name="Dai", entries=(game(2, 0, LOSS, Kind.FORFEIT), game(1, 0, DRAW))),
        Player(name="Ebi", entries=(absence(WIN), absence())),
    ),
    rounds=6,
    played=2,
    points=Points(win=30, draw=10, loss=5, bye=20, absence=1, forfeit_loss=2),
    forbidden=(Forbidden(players=frozenset((1, 4)), since=2, until=4),),
    first_seat=0,
)


def test_what_is_written_is_read_as_it_was():
    report = Report(
        tournament=EVENT,
        ranks=(1, 2, 3, 5, 4),
        byes={3: {1: DRAW}, 5: {0: LOSS, 2: WIN}},
        lines=(("012", "The cup"), ("132", "")),
    )
    assert read_trf(write_trf(report), "cup.trf") == report


def test_players_without_ranks_are_ranked_by_points_and_then_by_number():
    assert read_trf(write_trf(Report(tournament=EVENT)), "cup.trf").ranks == (1, 4, 2, 5, 3)


def test_points_that_do_not_follow_from_results_are_written_as_virtual_ones():
    """Matches of three games: 2.5 to 0.5 and 2 to 1 are both won."""
    rows = (
        (game(1, 0, WIN, points=25), game(2, 1, WIN, points=20)),
        (game(0, 1, LOSS, points=5), game(3, 0, DRAW)),
        (game(3, 0, WIN, points=20), game(0, 0, LOSS, points=10)),
        (game(2, 1, LOSS, points=10), game(1, 1, DRAW)),
    )
    event = Tournament(
        players=tuple(Player(entries=row) for row in rows),
        rounds=5,
        played=2,
        points=Points(win=30, draw=15, bye=30),
    )
    got = read_trf(write_trf(Report(tournament=event)), "cup.trf").tournament
    assert [got.accelerated(number) for number in range(4)] == [event.score(number) for number in range(4)]
    assert [got.accelerated(number, 1) for number in range(4)] == [25, 5, 20, 10]
    assert got.players[0].entries == tuple(game(each.opponent, each.seat, WIN) for each in rows[0])


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        (Tournament(players=(Player(),) * 10_000, rounds=1, played=0), "room for 9999 players, got 10000"),
        (
            Tournament(players=(Player(entries=(BYE,)),), rounds=2, played=1, points=Points(bye=1000)),
            "room for 0 to 99.9 points, got 100",
        ),
    ],
    ids=["players", "points"],
)
def test_what_the_columns_have_no_room_for_is_refused(event, problem):
    with pytest.raises(ConfigError, match=problem):
        write_trf(Report(tournament=event))
