"""gyoji verify: what is right is called so, and every kind of harm is named with its place."""

import json
import re
import shutil
import sqlite3
from random import Random

import pytest
from click.testing import CliRunner
from refereed_events import EVENTS, play, write_event

from gyoji.cli.app import app
from gyoji.store.layout import COLUMNS, checksum

GOOD = "no differences"


def verify(path, *options):
    """(exit status, lines on standard output)."""
    result = CliRunner().invoke(app, ["verify", str(path), *options])
    return result.exit_code, result.stdout.splitlines()


@pytest.fixture(scope="module", params=EVENTS)
def played(tmp_path_factory, request):
    """The control file of an event that has been played, records and all. Not to be changed."""
    path = write_event(tmp_path_factory.mktemp("played"), request.param)
    play(path)
    return path


@pytest.fixture(scope="module")
def go_cup(tmp_path_factory):
    path = write_event(tmp_path_factory.mktemp("go"), "go")
    play(path)
    return path


@pytest.fixture
def cup(go_cup, tmp_path):
    """A control file with twelve games of Go, to be harmed."""
    shutil.copytree(go_cup.parent, tmp_path / "cup")
    return tmp_path / "cup" / go_cup.name


def rewrite(path, table, number, change):
    """Change a row as somebody would who knows of checksums. change: of the cells, by name."""
    columns = COLUMNS[table]
    with sqlite3.connect(path.with_suffix(".db")) as connection:
        query = f"SELECT {', '.join(columns)} FROM {table} WHERE number = ?"
        row = dict(zip(columns, connection.execute(query, (number,)).fetchone(), strict=True))
        change(row)
        cells = tuple(row[name] for name in columns)
        values = ", ".join(f"{name} = ?" for name in (*columns, "checksum"))
        connection.execute(
            f"UPDATE {table} SET {values} WHERE number = ?", (*cells, checksum(*cells), number)
        )
    connection.close()


def harm(path, statement, *values):
    with sqlite3.connect(path.with_suffix(".db"), isolation_level=None) as connection:
        connection.execute(statement, values)
    connection.close()


def of_json(column, change):
    """Return a change of the value in a column of JSON."""

    def changed(row):
        value = json.loads(row[column])
        change(value)
        row[column] = json.dumps(value, separators=(",", ":"))

    return changed


def row_of(path, is_it):
    """Return the number of the first game whose (result, rest) are as wanted."""
    with sqlite3.connect(path.with_suffix(".db")) as connection:
        for number, result, rest in connection.execute(
            "SELECT number, result, rest FROM games JOIN moves USING (number) ORDER BY number"
        ):
            if is_it(json.loads(result), json.loads(rest)):
                return number
    raise LookupError


def ended(word):
    return lambda result, _: result["outcome"]["ending"] == word


# What is right


def test_games_that_the_referee_has_judged_verify(played):
    status, lines = verify(played)
    assert (status, len(lines)) == (0, 1), lines
    assert re.search(r"[1-9]\d* games, [1-9]\d* moves; [1-9]\d* record files; .* " + GOOD, lines[0])


def test_a_database_alone_verifies_and_says_what_was_not_looked_at(played):
    status, lines = verify(played.with_suffix(".db"))
    assert status == 0
    assert "without a control file: who plays whom was not checked" in lines[-1]


def test_games_that_were_skipped_are_counted_as_the_run_did(tmp_path):
    path = write_event(tmp_path, "gomoku")
    event = play(path, most=1)
    first = event.competition.next_game()
    (tmp_path / "cup.db").unlink()
    play(path, skipped=(first.id,))
    status, lines = verify(path)
    assert (status, len(lines)) == (0, 1), lines


def test_json_tells_the_same(cup):
    rewrite(cup, "moves", 3, lambda row: row.update(seed=7))
    status, lines = verify(cup, "--json")
    told = json.loads("\n".join(lines))
    assert status == 1
    assert told["games"] == 12
    [difference] = told["differences"]
    assert (difference["what"], difference["got"]) == ("seed", "7")
    assert re.fullmatch(r"[ABC]v[ABC]_\d", difference["game"])


# What somebody has changed who knows of checksums


def occupied(rest):
    rest["turns"][7][0][1] = rest["turns"][6][0][1]


def elsewhere(rest):
    rest["turns"][0][0][1] = "A1" if rest["turns"][0][0][1] != "A1" else "E5"


def no_move(rest):
    rest["turns"][4][0][1] = "Z99"


def slow(rest):
    rest["turns"][2][0][2] = 10**13


def out_of_turn(rest):
    rest["turns"][5][0][0] ^= 1


def longer(rest):
    rest["turns"] += [[[0, "A1", 1]]]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (occupied, r"move 8: move: got \w\d, which is illegal: occupied point \w\d, expected a legal move"),
        (elsewhere, r"cup\.games/.*\.sgf: line \d+: got '.*', expected '.*'"),
        (no_move, r"move 5: move: got 'Z99', .*, expected a move of the game"),
        (slow, r"move 3: clock of \w: got a move of 10000\.000s, expected [\d.]+s at most"),
        (out_of_turn, r"move 6: turn: got \w, expected \w$"),
        (longer, r"number of moves: got \d+, expected \d+"),
    ],
)
def test_a_changed_move_is_named(cup, change, line):
    number = row_of(cup, ended("score"))
    rewrite(cup, "moves", number, of_json("rest", change))
    status, lines = verify(cup)
    assert status == 1
    assert any(re.match(rf"game [ABC]v[ABC]_\d: .*{line}", each) for each in lines), lines


def turned(result):
    result["outcome"]["points"].reverse()


def wider(result):
    result["outcome"]["margin"] += 2


def resigned(result):
    result["outcome"] |= {"ending": "resignation", "seat": 0, "margin": None}


def renamed(result):
    result["players"].reverse()


def more_left(result):
    detail = result["outcome"]["detail"]
    result["outcome"]["detail"] = re.sub(r"with [\d.]+s left", "with 0.001s left", detail)


def other_reason(result):
    result["outcome"]["detail"] = result["outcome"]["detail"].partition(": ")[0] + ": ko at A1"


def faster(result):
    result["engines"][0]["think_ns"] = 1


@pytest.mark.parametrize(
    ("ending", "change", "line"),
    [
        ("score", turned, r"points: got (1 to 0, expected 0 to 1|0 to 1, expected 1 to 0)"),
        ("score", wider, r"margin: got [\d.]+, expected [\d.]+"),
        ("score", resigned, r"ending: got resignation, expected score"),
        ("score", renamed, r"players: got \w \w, expected \w \w"),
        ("score", faster, r"time of \w: got 1 ns, expected \d+ ns"),
        ("time", more_left, r"move \d+: clock of \w: got 0.001s left, expected [\d.]+s left"),
        ("time", turned, r"points: got .*, expected .*"),
        (
            "illegal move",
            other_reason,
            r"detail: got forfeit by \w: ko at A1, expected forfeit by \w: occ",
        ),
    ],
)
def test_a_changed_result_is_named(cup, ending, change, line):
    number = row_of(cup, ended(ending))
    rewrite(cup, "games", number, of_json("result", change))
    status, lines = verify(cup)
    assert status == 1
    assert any(re.match(rf"game [ABC]v[ABC]_\d: {line}", each) for each in lines), lines


def opposed(rest):
    """Nobody has said that it stands worse."""
    for opinion in rest["opinions"]:
        opinion[2][1] = max(opinion[2][1], 0.5)


def insisted(rest):
    """Both have said from the first move on that the first one wins."""
    for _, seat, evaluation, _ in rest["opinions"]:
        evaluation[1] = 0.99 if seat == 0 else 0.01


@pytest.mark.parametrize(
    ("ending", "change", "line"),
    [
        ("adjudication", opposed, "ending: got adjudication, expected no result"),
        ("adjudication", insisted, "move 9: move: got one more, expected adjudication: both sides say so"),
    ],
)
def test_opinions_that_end_no_game_or_end_it_sooner_are_named(tmp_path, ending, change, line):
    path = write_event(tmp_path, "adjudicated")
    play(path)
    long_enough = lambda result, rest: ended(ending)(result, rest) and result["turns"] > 9  # noqa: E731
    rewrite(path, "moves", row_of(path, long_enough), of_json("rest", change))
    status, lines = verify(path)
    assert status == 1
    assert any(line in each for each in lines), lines


@pytest.mark.parametrize("ending", ["adjudication", "agreement"])
def test_an_ending_that_the_settings_do_not_allow_is_named(cup, ending):
    def changed(result):
        result["outcome"] |= {"ending": ending, "points": [0.5, 0.5]}

    rewrite(cup, "games", row_of(cup, ended("time")), of_json("result", changed))
    status, lines = verify(cup)
    assert status == 1
    assert any(f"ending: got {ending}, expected no result" in each for each in lines), lines


@pytest.mark.parametrize(
    ("name", "ending"),
    [("go told by players", "score"), ("usenix", "score"), ("gomoku", "five"), ("dighere", "score")],
)
def test_a_result_that_does_not_follow_is_named_whoever_scores(tmp_path, name, ending):
    path = write_event(tmp_path, name)
    play(path)

    def claim(result):
        result["outcome"] |= {
            "points": [0.0, 1.0] if result["outcome"]["points"] == [1.0, 0.0] else [1.0, 0.0]
        }

    rewrite(path, "games", row_of(path, ended(ending)), of_json("result", claim))
    status, lines = verify(path)
    assert status == 1
    assert any(re.match(r"game \S+: points: got .*, expected ", line) for line in lines), lines


def test_players_in_each_other_s_seats_are_named(cup):
    number = row_of(cup, ended("score"))
    rewrite(cup, "games", number, of_json("result", renamed))
    rewrite(cup, "games", number, lambda row: row.update(players=",".join(row["players"].split(",")[::-1])))
    lines = verify(cup)[1]
    assert any("players in the order of their seats: got" in line for line in lines), lines


def test_a_seed_that_is_none_of_the_competition_is_named(cup):
    rewrite(cup, "moves", 5, lambda row: row.update(seed=99))
    status, lines = verify(cup)
    assert status == 1
    assert re.match(r"game [ABC]v[ABC]_\d: seed: got 99, expected \d+", lines[0])


def test_a_game_that_the_competition_does_not_issue_is_named(cup):
    def foreign(row):
        row["id"] = "AvB_77"
        row["result"] = row["result"].replace(json.loads(row["result"])["id"], "AvB_77")

    rewrite(cup, "games", row_of(cup, lambda result, _: result["pairing"] == "AvB"), foreign)
    lines = verify(cup)[1]
    assert "game AvB_77: id: got AvB_77, expected a game that the competition issues" in lines


def test_a_record_file_of_another_game_is_named(cup):
    first, second, *_ = sorted((cup.parent / "cup.games").iterdir())
    shutil.copy(first, second)
    status, lines = verify(cup)
    assert status == 1
    assert any(line.startswith(f"game {second.stem}: {second}: line") for line in lines)


def test_a_record_file_with_a_comment_more_is_of_the_same_game(cup):
    record = next(path for path in (cup.parent / "cup.games").iterdir() if b";B[" in path.read_bytes())
    record.write_bytes(record.read_bytes().replace(b";W[", b";C[interesting]W[", 1))
    assert verify(cup)[0] == 0


# What accidents do to a file


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("DELETE FROM games WHERE number = 4", "row 4 of games is missing"),
        ("DELETE FROM games WHERE number = 12", "games ends with row 11, and should have 12"),
        ("DELETE FROM moves WHERE number = 4", "row 4 of moves is missing"),
        (
            "UPDATE moves SET rest = replace(rest, '[[', '[ [') WHERE number = 2",
            "row 2 of moves is not as it was",
        ),
        (
            "UPDATE games SET result = replace(result, '1.0', '2.0') WHERE number = 2",
            "row 2 of games is not as",
        ),
        ("UPDATE texts SET text = text || ' ' WHERE number = 1", "row 1 of texts is not as it was written"),
        ("DELETE FROM texts WHERE number = 2", "row 2 of texts is missing"),
        ("DROP TABLE moves", "there is no table moves"),
        ("CREATE TRIGGER t AFTER INSERT ON games BEGIN SELECT 1; END", "trigger t is not of gyoji"),
        (
            "INSERT INTO games VALUES (13, 'x', 1, '2,3', '{}', 0)",
            "games ends with row 13, and should have 12",
        ),
        ("INSERT INTO games VALUES (13, 'x', 1, '2,3', '{}', 0)", "row 13 of games is not as it was written"),
        ("DELETE FROM about", "it does not say of which competition it is"),
    ],
)
def test_harm_to_rows_is_named(cup, statement, line):
    harm(cup, statement)
    status, lines = verify(cup)
    assert status == 1
    assert any(each.startswith(line) for each in lines), lines


def test_the_other_games_are_judged_all_the_same(cup):
    harm(cup, "DELETE FROM moves WHERE number = 4")
    rewrite(cup, "moves", 9, lambda row: row.update(seed=1))
    lines = verify(cup)[1]
    assert any("seed: got 1" in line for line in lines)
    assert "11 games" in lines[-1]
    assert "1 games cannot be read" in lines[-1]


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_a_truncated_file_is_named(cup, part):
    database = cup.with_suffix(".db")
    data = database.read_bytes()
    database.write_bytes(data[: int(len(data) * part)])
    result = CliRunner().invoke(app, ["verify", str(cup)])
    assert result.exit_code == 1
    assert result.stdout


def content(path):
    """Return all rows of all tables."""
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as connection:
        tables = ("about", "counts", "texts", *COLUMNS)
        return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def test_no_flipped_bit_goes_unnoticed_that_changes_a_row(cup):
    database, chance = cup.with_suffix(".db"), Random(20)
    data = database.read_bytes()
    sound, noticed = content(database), 0
    for _ in range(40):
        at, bit = chance.randrange(len(data)), chance.randrange(8)
        harmed = bytearray(data)
        harmed[at] ^= 1 << bit
        database.write_bytes(harmed)
        result = CliRunner().invoke(app, ["verify", str(cup)])
        assert result.exit_code in (0, 1, 2), (at, bit, result.output)
        if result.exit_code:
            noticed += 1
            assert result.output.strip()
        else:
            assert content(database) == sound, (at, bit)
    assert noticed > 5


def test_a_file_of_another_program_is_a_usage_error(tmp_path):
    path = tmp_path / "other.db"
    path.write_bytes(b"not a database at all" * 100)
    result = CliRunner().invoke(app, ["verify", str(path)])
    assert result.exit_code == 2
    assert "is not a database of gyoji" in result.stderr


def test_the_database_of_another_competition_is_a_usage_error(cup):
    other = cup.with_name("other.toml")
    other.write_text(cup.read_text())
    shutil.copy(cup.with_suffix(".db"), other.with_suffix(".db"))
    result = CliRunner().invoke(app, ["verify", str(other)])
    assert result.exit_code == 2
    assert "holds the results of competition 'cup', not of 'other'" in result.stderr
