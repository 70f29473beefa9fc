"""`gyoji ratings`: from whatever files to a table."""

import csv
import io
import json
import tracemalloc

import pytest
from click.testing import CliRunner

from gyoji.cli import rating
from gyoji.cli.app import app
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult
from gyoji.core.spec import GameSpec, Player
from gyoji.store.store import Store

MODEL = "model: logistic; a player 100 Elo stronger takes 64% of the points, a draw being half a point"


def gyoji(*words):
    return CliRunner().invoke(app, ["ratings", *map(str, words)])


def rated(*words):
    """Return the players by name, from the JSON."""
    result = gyoji("--json", *words)
    assert result.exit_code == 0, result.stderr
    values = json.loads(result.stdout)
    return values, {player["player"]: player for player in values["players"]}


def append(store, number, players, points, *, sides=(), kind="go"):
    """Store a game in which the teams got these points; None if nobody knows."""
    game = f"0_{number}"
    spec = GameSpec(
        id=game,
        game=kind,
        pairing="0",
        players=tuple(Player(code=code, command=("x",)) for code in players),
        options={},
        seed=number,
    )
    result = GameResult(
        id=game,
        pairing="0",
        players=tuple(players),
        outcome=Outcome(points=points, ending=Ending.SCORE),
        turns=1,
        engines=tuple(EngineReport() for _ in players),
        started="2026-11-21T01:10:00+00:00",
        wall_ns=1,
        sides=sides,
    )
    store.append(spec, GameRecord(result=result, turns=()))


def a_store(path, games, kind="go"):
    with Store.open(path, create=True, competition="cup") as store:
        for number, (players, points, *sides) in enumerate(games):
            append(store, number, players, points, sides=tuple(sides), kind=kind)
    return path


BLACK, WHITE, LEVEL = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)
GAMES = [("ab", BLACK), ("ba", WHITE), ("ab", BLACK), ("ba", LEVEL), ("ab", WHITE), ("ba", None)]
ENGLISH = """\
winner,loser,draw
a,b,
a,b,1
c,b,no
b,c,
"""


def test_a_table_is_printed(tmp_path):
    result = gyoji(a_store(tmp_path / "cup.db", GAMES))
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["rating", "+/-", "games", "score", "draws", "above", "next"]
    assert lines[1].split()[:2] == ["1.", "a"]
    assert lines[1].split()[4:] == ["5", "70.00%", "20.00%", "83.41%"]
    assert lines[2].split()[4:] == ["5", "30.00%", "20.00%"]
    assert lines[4] == "advantage of moving first: -31.9 +/- 299.1"
    assert lines[5].startswith("draws: ")
    assert lines[6] == MODEL
    assert lines[7] == "games: 5; 1 without a result left out; +/- is 95%"


def test_a_player_that_takes_64_per_cent_is_100_elo_stronger_and_sprt_says_the_same(tmp_path):
    drawn = 400
    lost = 360 - drawn // 2
    won = 1000 - drawn - lost
    path = tmp_path / "games.csv"
    path.write_text("a,b,\n" * won + "b,a,\n" * lost + "a,b,draw\n" * drawn)
    values, players = rated(path)
    apart = players["a"]["rating"] - players["b"]["rating"]
    assert apart == pytest.approx(100, abs=0.2)
    said = json.loads(CliRunner().invoke(app, ["sprt", "--json", *map(str, (won, drawn, lost))]).stdout)
    assert said["elo"] == pytest.approx(apart, abs=0.2)
    assert values["model"] == "logistic"


def test_the_store_beside_a_control_file_is_read_and_not_the_file(tmp_path):
    control = tmp_path / "cup.toml"
    control.write_text("is not looked into")
    a_store(tmp_path / "cup.db", GAMES)
    assert gyoji(control).stdout == gyoji(tmp_path / "cup.db").stdout


def test_games_are_rated_while_others_are_being_stored(tmp_path):
    path = a_store(tmp_path / "cup.db", GAMES)
    with Store.open(path, "cup") as store:
        assert rated(path)[0]["games"] == 5
        append(store, 6, "ba", WHITE)
        assert rated(path)[0]["games"] == 6


def test_a_team_is_its_player(tmp_path):
    path = a_store(tmp_path / "cup.db", [("abab", BLACK), ("baba", BLACK), ("abab", BLACK)])
    values, players = rated(path)
    assert values["games"] == 3
    assert (players["a"]["won"], players["b"]["won"]) == (2, 1)


def test_who_changed_sides_was_first_by_side(tmp_path):
    path = a_store(tmp_path / "cup.db", [("ab", BLACK, 1, 0), ("ba", BLACK, 1, 0), ("ab", WHITE, 0, 1)])
    _, players = rated(path)
    assert players["a"]["sides"]["first"]["games"] == 2
    assert players["a"]["sides"]["second"]["won"] == 1
    assert players["b"]["sides"]["first"]["lost"] == 1


def test_a_game_of_three_teams_does_not_count(tmp_path):
    values, _ = rated(a_store(tmp_path / "cup.db", [*GAMES, ("abc", (1.0, 0.0, 0.0))]))
    assert (values["games"], values["unknown"]) == (5, 2)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("headed.csv", ENGLISH),
        ("bare.csv", "# two engines and a third\n\na,b\na , b , draw\nc,b,0\nb,c,\n"),
        ("turned.csv", "Draw,Loser,Winner\n,b,a\nyes,b,a\n,b,c\n,c,b\n"),
        ("bom.csv", "\ufeff" + ENGLISH),
        ("dos.csv", ENGLISH.replace("\n", "\r\n")),
    ],
)
def test_a_list_of_winners_is_rated(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    values, players = rated(path)
    assert {name: (each["won"], each["drawn"], each["lost"]) for name, each in players.items()} == {
        "a": (1, 1, 0),
        "b": (1, 1, 2),
        "c": (1, 0, 1),
    }
    assert values["advantage"] is None


def test_a_list_by_sides_tells_the_advantage(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("first,second,result,pair\n" + "a,b,1-0,x\nb,a,1,x\na,b,½,y\nb,a,0-1,y\na,b,*,z\n" * 3)
    values, players = rated(path)
    assert values["advantage"]["elo"] > 0
    assert (values["games"], values["unknown"]) == (12, 3)
    assert players["a"]["points"] == 3 * 2.5


PGN = """\
[Event "x"]
[White "Anna \\"the\\" 1st"]
[Black "b"]
[Result "1-0"]

1. e4 {[%clk 0:01]
[%eval 3]} e5 1-0

[Event "x"]
[White "b"]
[Black "Anna \\"the\\" 1st"]
[Result "1/2-1/2"]

1/2-1/2

[Event "x"]
[White "b"]
[Black "c"]
[Result "*"]
*
"""


def test_pgn_is_rated_by_its_tags(tmp_path):
    path = tmp_path / "games.PGN"
    path.write_text(PGN)
    values, players = rated(path)
    assert (values["games"], values["unknown"]) == (2, 1)
    assert players['Anna "the" 1st']["points"] == 1.5
    assert players["b"]["sides"]["first"]["drawn"] == 1


def test_files_of_all_kinds_are_rated_together(tmp_path):
    listed, tagged = tmp_path / "games.csv", tmp_path / "games.pgn"
    listed.write_text(ENGLISH)
    tagged.write_text(PGN)
    values, players = rated(a_store(tmp_path / "cup.db", GAMES), listed, tagged)
    assert values["games"] == 5 + 4 + 2
    assert values["groups"] == 1
    assert players["a"]["games"] == 7


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "a,b\nc\n", "line 2: expected winner,loser,draw, got 'c'"),
        ("x.csv", "a,b,1-0,4\n", "line 1: expected winner,loser,draw, got 'a,b,1-0,4'"),
        ("x.csv", "white;black;result\na;b;1-0\n", "expected winner,loser,draw, got 'white;black;result'"),
        (
            "x.csv",
            "a,b,perhaps\n",
            "line 1: draw: expected one of 0, no, false, 1, yes, true, draw, =, got 'perhaps'",
        ),
        ("x.csv", "first,second,result\na,b,2\n", "line 2: result: expected one of 1-0, 1, 1.0, 1/2-1/2"),
        ("x.csv", "first,second,result\na,,1-0\n", "line 2: expected first,second,result, got 'a,,1-0'"),
        (
            "x.csv",
            "first,second,result,wieght\na,b,1,2\n",
            "line 1: expected the columns first, second, result, pair, weight, each once, got 'wieght'",
        ),
        ("x.csv", "winner,loser,pair\na,b,x\n", "line 1: expected the columns winner, loser, draw, weight"),
        ("x.csv", "winner,loser,loser\na,b,x\n", "each once, got 'loser'"),
        ("x.csv", "winner,loser,weight\na,b,0\n", "line 2: weight: expected a number above 0, got '0'"),
        ("x.csv", "winner,loser,weight\na,b\n", "line 2: weight: expected a number above 0, got ''"),
        ("x.csv", "a,b\n" * 90 + "\nc,d\ne\n", "line 93: expected winner,loser,draw, got 'e'"),
        ("x.csv", "a,a\n", "a game of 'a' against itself says nothing"),
        ("x.csv", "a,b\n" + "c" * 200_000 + ",d\n", "field larger than field limit"),
        ("x.pgn", '[White "a"]\n[Black "b"]\n\n1-0\n', "line 1: the game that begins here has no tag Result"),
        (
            "x.pgn",
            '[White "a"]\n[Black "b"]\n[Result "won"]\n',
            "line 1: Result: expected 1-0, 0-1, 1/2-1/2 or *",
        ),
        ("x.csv", "", "no game has a result yet"),
        ("x.csv", "first,second,result\na,b,*\n", "no game has a result yet"),
        ("x.db", "this is no database", "x.db"),
    ],
)
def test_what_cannot_be_read_is_one_line_with_the_place(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    result = gyoji(path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"gyoji: {path}")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["no.toml", "no.db", "no.csv", "no.pgn"])
def test_a_missing_file_is_one_line(tmp_path, name):
    result = gyoji(tmp_path / name)
    assert result.exit_code == 2
    assert name in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ("a", "--anchor: expected PLAYER=ELO such as gnugo=1500 or, with an error, gnugo=1500+-40, got 'a'"),
        ("a=5+-", "got 'a=5+-'"),
        ("a=5+-0", "got 'a=5+-0'"),
        ("=5", "got '=5'"),
        ("a=high", "got 'a=high'"),
        ("a=inf", "got 'a=inf'"),
        ("gnugo-lewel=3", "'gnugo-lewel' has no game in these files; did you mean 'gnugo-level'?"),
        ("zz=3", "'zz' has no game in these files; there are 2 others"),
    ],
)
def test_an_anchor_that_is_none_is_refused(tmp_path, anchor, message):
    path = tmp_path / "x.csv"
    path.write_text("a,gnugo-level\n")
    result = gyoji(path, "--anchor", anchor)
    assert result.exit_code == 2
    assert message in result.stderr


def test_an_anchor_keeps_its_rating(tmp_path):
    path = a_store(tmp_path / "cup.db", GAMES)
    values, players = rated(path, "--anchor", "a=1500")
    assert (players["a"]["rating"], players["a"]["error_95"]) == (1500, 0)
    assert values["anchors"] == {"a": 1500}
    assert " anchor " in gyoji(path, "--anchor", "a=1500").stdout


def test_groups_have_a_table_each(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\nb,c\nx,y\n")
    lines = gyoji(path).stdout.splitlines()
    assert lines[0] == "group 1 of 2, which have not met: no comparison between them"
    assert lines[5:7] == ["", "group 2 of 2, which have not met: no comparison between them"]
    assert lines[-4:] == [
        "advantage of moving first: cannot be told from strength here; taken as 0",
        "draws: none",
        MODEL,
        "games: 3; +/- is 95%",
    ]
    _, players = rated(path)
    assert players["a"]["superiority"].keys() == {"b", "c"}


def test_csv_has_a_row_for_each_player(tmp_path):
    path = a_store(tmp_path / "cup.db", GAMES)
    rows = list(csv.DictReader(io.StringIO(gyoji("--csv", path).stdout)))
    assert [row["player"] for row in rows] == ["a", "b"]
    assert [row["above_next"] for row in rows] == [rows[0]["above_next"], ""]
    assert float(rows[0]["rating"]) == pytest.approx(-float(rows[1]["rating"]))
    assert rows[0]["points"] == "3.5"


def test_a_name_that_cannot_be_printed_is_shown_all_the_same(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"a\x1b[31m,b\xff\n")
    text = gyoji(path).stdout
    assert "\x1b" not in text
    assert "a\\x1b[31m" in text
    assert "b\\xff" in text


@pytest.fixture
def two_games(tmp_path):
    """A store of Go, and one of Gomoku, in which one player has the same name."""
    return (
        a_store(tmp_path / "cup.db", GAMES),
        a_store(tmp_path / "five.db", [("ac", WHITE), ("ca", BLACK), ("ac", BLACK), ("ac", None)], "gomoku"),
    )


def test_players_of_two_games_are_rated_apart_and_it_is_said(two_games):
    result = gyoji(*two_games)
    assert result.exit_code == 0
    assert (
        result.stderr
        == "gyoji: 2 different games are played in these files, and each is rated by itself: go, gomoku\n"
    )
    alone = [gyoji(path).stdout for path in two_games]
    assert result.stdout == f"go:\n{alone[0]}\ngomoku:\n{alone[1]}"


def test_ratings_of_two_games_are_apart_in_json_and_csv_too(two_games):
    apart = json.loads(gyoji("--json", *two_games).stdout)["rated_apart"]
    assert [values["game"] for values in apart] == ["go", "gomoku"]
    assert apart == [json.loads(gyoji("--json", path).stdout) for path in two_games]
    rows = list(csv.DictReader(io.StringIO(gyoji("--csv", *two_games).stdout)))
    assert [(row["game"], row["player"]) for row in rows] == [
        ("go", "a"), ("go", "b"), ("gomoku", "c"), ("gomoku", "a")
    ]  # fmt: skip


def test_an_anchor_holds_in_the_games_that_its_player_has(two_games):
    apart = json.loads(gyoji("--json", "--anchor", "b=1000", *two_games).stdout)["rated_apart"]
    assert [values["anchors"] for values in apart] == [{"b": 1000.0}, {}]
    assert gyoji("--anchor", "z=1000", *two_games).exit_code == 2


def test_a_list_is_of_the_only_game_there_is_or_of_none(two_games, tmp_path):
    (tmp_path / "list.csv").write_text("a,b,\n")
    go, five = two_games
    assert rated(tmp_path / "list.csv", go)[0]["games"] == 6
    assert rated(tmp_path / "list.csv")[0]["game"] == ""
    result = gyoji(tmp_path / "list.csv", go, five)
    assert "3 different games are played in these files" in result.stderr
    assert "files that do not name theirs:" in result.stdout


def test_a_name_that_is_a_formula_is_a_text_in_csv(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("winner,loser,draw\n=1+1,plain,\n@SUM(1),plain,\nplain,-2+cmd,\n")
    result = CliRunner().invoke(app, ["ratings", "--csv", str(path)])
    assert result.exit_code == 0, result.output
    names = {line.split(",")[2] for line in result.output.splitlines()[1:]}
    assert names == {"'=1+1", "'@SUM(1)", "'-2+cmd", "plain"}


@pytest.mark.parametrize("columns", ["first,second,result", "winner,loser,draw", "winner,loser"])
def test_a_long_list_counts_as_its_lines_do(tmp_path, columns):
    """Lines of known players are read in a shorter way."""
    result = {"first,second,result": ",1-0", "winner,loser,draw": ",0", "winner,loser": ""}[columns]
    lines = [f"{players}{result}" for players in ("a,b", "b,c", " c,a", "a,c")] * 60
    plain, odd = tmp_path / "plain.csv", tmp_path / "odd.csv"
    plain.write_text("\n".join([columns, *lines, ""]))
    special = [f"{line}\n# no game\n" if number % 5 == 0 else line for number, line in enumerate(lines)]
    odd.write_text("\n".join([columns, *special, ""]))
    assert rated(plain) == rated(odd)
    assert rated(plain)[0]["games"] == 240


def test_a_comment_is_none_though_a_player_has_its_name(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("first,second,result\n" + "a,#1,1-0\n" * 50 + "#1,a,1-0\n" * 50)
    assert rated(path)[0]["games"] == 50


def test_games_count_by_their_weight(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("first,second,result,weight\na,b,1-0,3\nb,a,1-0,1\na,b,0-1,1\nb,a,0-1,3\n")
    values, players = rated(path)
    assert (values["weighted"], values["games"]) == (True, 4)
    assert players["a"]["rating"] > 50
    assert players["a"]["points"] == 2
    assert "games: 4, which count by their weights; +/- is 95%" in gyoji(path).stdout


def test_an_anchor_may_have_an_error(tmp_path):
    path = a_store(tmp_path / "cup.db", GAMES)
    values, players = rated(path, "--anchor", "a=1500±40")
    assert players["a"]["rating"] == pytest.approx(1500, abs=0.1)
    assert players["a"]["error_95"] == pytest.approx(40, rel=0.01)
    assert (values["anchors"], values["anchor_errors_95"]) == ({"a": 1500}, {"a": 40})


def test_errors_are_relative_to_a_player(tmp_path):
    path = a_store(tmp_path / "cup.db", GAMES)
    text = gyoji(path, "--relative-to", "b").stdout
    assert text.splitlines()[2].split()[3] == "--"
    assert "+/- is 95%, of the distance to b" in text
    assert "--relative-to: 'x' has no game" in gyoji(path, "--relative-to", "x").stderr


@pytest.mark.parametrize(
    "words", [["--relation", "a,b,10,30"], ["--pool-relative"], ["--seats"], ["--table", "next"]]
)
def test_an_option_that_is_gone_says_what_to_use(tmp_path, words):
    result = gyoji(*words, tmp_path / "x.csv")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"gyoji: {words[0]}: removed: ")


def peak_of(monkeypatch, path, form):
    """Return the most memory that the command takes, and the size of what it prints, in bytes."""
    printed = []
    monkeypatch.setattr(rating, "say", lambda text, nl=True: printed.append(len(text) + nl))
    monkeypatch.setattr(rating.click, "echo", lambda text="": printed.append(len(text)))
    tracemalloc.start()
    try:
        rating.rate_files([path], rating.Wishes(form=form))
        return tracemalloc.get_traced_memory()[1], sum(printed)
    finally:
        tracemalloc.stop()


def test_json_of_a_large_field_is_not_held_in_memory(tmp_path, monkeypatch):
    path = tmp_path / "games.csv"
    path.write_text("".join(f"p{n},p{(n + step) % 240}\n" for n in range(240) for step in (1, 7)))
    peak_of(monkeypatch, path, "text")  # what is imported and cached stays
    text, _ = peak_of(monkeypatch, path, "text")
    whole, printed = peak_of(monkeypatch, path, "json")
    assert printed > 1_000_000
    assert whole - text < printed / 2


def test_json_in_pieces_is_laid_out_as_before(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("a,b\nb,c\nc,a\n")
    text = gyoji("--json", path).stdout
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    apart = gyoji(
        "--json", path, a_store(tmp_path / "go.db", GAMES), a_store(tmp_path / "x.db", GAMES, "gomoku")
    )
    assert apart.stdout == json.dumps(json.loads(apart.stdout), indent=2, ensure_ascii=False) + "\n"
