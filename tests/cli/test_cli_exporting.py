"""gyoji export, from stored results."""

from pathlib import Path

import pytest
import refereed_events
from command_line import gyoji
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, Played
from gyoji.scheduler.event import Event
from gyoji.store.store import Store
from gyoji.testing.competition_kit import drawn_result

TOP = """
board_size = 9
komi = 7.5
rounds = 2
promote = 1
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
"""
CUPS = {
    "playoff": """
competition = "playoff"
board_size = 9
komi = 7.5
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
matchups = [{players = ["a", "b"], number_of_games = 4}, {players = ["b", "c"], number_of_games = 4}]
""",
    "allplayall": f'competition = "allplayall"{TOP.replace("promote = 1", "")}',
    "groups": f'competition = "groups"{TOP}groups = [{{players = ["a"]}}, {{players = ["b", "c"]}}]',
}


@pytest.fixture(params=CUPS)
def cup(tmp_path, request):
    """The path of a control file whose competition has been played."""
    path = tmp_path / "cup.toml"
    path.write_text(CUPS[request.param])
    play(path)
    return path


def play(path, games=100):
    """Store some games, as a run would."""
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        while games and (spec := event.competition.next_game()) is not None:
            result = drawn_result(spec)
            store.append(spec, GameRecord(result=result, turns=()))
            event.competition.add(result)
            games -= 1


def test_every_result_is_a_game_of_pgn(cup):
    result = gyoji("export", cup, "--to", "bayeselo")
    with Store.read(cup.with_suffix(".db")) as store:
        ids = [stored.id for stored in store.results()]
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line for line in result.stdout.splitlines() if "GameId" in line] == [
        f'[GameId "{name}"]' for name in ids
    ]


def test_a_cross_table_of_every_format_has_all_that_played(cup):
    result = gyoji("export", "--to", "crosstable", cup)
    assert (result.exit_code, result.stderr) == (0, "")
    ranked = [line.split()[1] for line in result.stdout.splitlines() if line[:1].isdigit()]
    assert {"a", "b", "c"} == set(ranked)


def test_the_cross_tables_of_groups_have_their_names(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUPS["groups"])
    play(path, games=3)
    lines = gyoji("export", "--to", "crosstable", path).stdout.split("\n")
    assert lines[0] == "group A"
    assert lines[lines.index("") + 1] == "group B"


def test_an_export_may_go_to_a_file(cup, tmp_path):
    shown = gyoji("export", cup, "--to", "bayeselo").stdout
    result = gyoji("export", cup, "--to", "bayeselo", "-o", tmp_path / "cup.pgn")
    assert (result.exit_code, result.output) == (0, "")
    assert Path(tmp_path, "cup.pgn").read_text() == shown


@pytest.mark.parametrize("words", [["export", "--to", "bayeselo"], ["export", "--to", "crosstable"]])
def test_without_any_result_there_is_nothing_to_export(tmp_path, words):
    path = tmp_path / "cup.toml"
    path.write_text(CUPS["playoff"])
    result = gyoji(*words, path)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "cup.db" in result.stderr


def test_a_form_that_there_is_not_is_one_line(tmp_path):
    result = gyoji("export", "--to", "ordo", tmp_path / "cup.toml")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "bayeselo" in result.stderr


def test_a_file_that_cannot_be_written_is_an_error(cup, tmp_path):
    result = gyoji("export", cup, "--to", "bayeselo", "-o", tmp_path / "no" / "cup.pgn")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "cannot be written" in result.stderr


@pytest.mark.parametrize("name", ["cup.html", "cup.HTML"])
def test_a_control_file_cannot_have_the_name_of_a_page(tmp_path, name):
    path = tmp_path / name
    path.write_text(CUPS["playoff"])
    assert "is the name of an output" in gyoji("show", path).stderr


LEVEL = Outcome(points=(0.5, 0.5), ending=Ending.FULL)
GOMOKU = """
game = "gomoku"
competition = "playoff"
rule = "{rule}"
players = {{ a = {{ command = "./pbrain-a" }}, b = {{ command = "./pbrain-b" }} }}
matchups = [{{ players = ["a", "b"], number_of_games = 2 }}]
"""


@pytest.fixture
def gomoku(tmp_path):
    """Makes the path of a control file of gomoku with two stored games of two moves."""

    def gomoku(rule):
        path = tmp_path / "cup.toml"
        path.write_text(GOMOKU.format(rule=rule))
        event = Event.open(path)
        with Store.open(event.files.database, create=True, competition="cup") as store:
            while (spec := event.competition.next_game()) is not None:
                result = replace(drawn_result(spec), turns=2, outcome=LEVEL, sides=())
                turns = tuple((Played(seat, move, 1),) for seat, move in ((0, "h8"), (1, "i9")))
                store.append(spec, GameRecord(result=result, turns=turns))
                event.competition.add(result)
        return path

    return gomoku


def test_samples_of_all_games_are_exported(gomoku, tmp_path):
    path = gomoku("freestyle")
    printed = gyoji("export", path, "--samples", "csv")
    assert (printed.exit_code, printed.stdout) == (0, ",h8,1\nh8,i9,1\n" * 2)
    assert gyoji("export", path, "--samples", "binpack", "-o", tmp_path / "x.binpack").exit_code == 0
    assert len((tmp_path / "x.binpack").read_bytes()) == 2 * (8 + 2 * 4)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--samples", "csv"], "rule 9; samples are of square boards"),
        (["--samples", "csv", "--to", "bayeselo"], "give one of --to and --samples"),
        ([], "give one of --to and --samples"),
    ],
)
def test_samples_that_cannot_be_had_are_told(gomoku, words, said):
    result = gyoji("export", gomoku("caro"), *words)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("name", ["go", "gomoku", "dighere"])
def test_records_that_are_in_the_store_alone_are_written_when_they_are_wanted(tmp_path, name):
    path = refereed_events.write_event(tmp_path, name)
    path.write_text(f'records = "store"\n{path.read_text()}')
    refereed_events.play(path, most=2)
    games = tmp_path / "cup.games"
    assert not games.exists()
    result = gyoji("export", path, "--to", "records")
    assert (result.exit_code, result.stdout) == (0, f"2 games written to {games}\n")
    written = {file.name: file.read_bytes() for file in games.iterdir()}
    assert len(written) == 2
    assert gyoji("verify", path).exit_code == 0  # each file says what is stored
    assert gyoji("export", path, "--to", "records", "-o", tmp_path / "x").exit_code == 0
    assert {file.name: file.read_bytes() for file in (tmp_path / "x").iterdir()} == written


def test_one_record_may_be_exported_and_one_that_there_is_not_is_an_error(gomoku, tmp_path):
    path = gomoku("freestyle")
    result = gyoji("export", path, "--to", "records", "--game", "0_1", "-o", tmp_path / "x")
    assert (result.exit_code, [file.name for file in (tmp_path / "x").iterdir()]) == (0, ["0_1.psq"])
    result = gyoji("export", path, "--to", "records", "--game", "0_7")
    assert (result.exit_code, "there is no stored game '0_7'" in result.stderr) == (2, True)


def test_records_that_cannot_be_written_are_an_error(gomoku, tmp_path):
    path = gomoku("freestyle")
    (tmp_path / "x").write_text("a file")
    result = gyoji("export", path, "--to", "records", "-o", tmp_path / "x")
    assert result.exit_code == 2
    assert "cannot write" in result.stderr


def test_a_game_that_cannot_be_exported_leaves_the_file_that_was_there(gomoku, tmp_path):
    path = gomoku("caro")
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "all.csv").write_text("of before")
    assert gyoji("export", path, "--samples", "csv", "-o", tmp_path / "x" / "all.csv").exit_code == 2
    assert {file.name: file.read_text() for file in (tmp_path / "x").iterdir()} == {"all.csv": "of before"}


def test_games_of_go_have_no_samples(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUPS["playoff"])
    result = gyoji("export", path, "--samples", "csv")
    assert (result.exit_code, "games of go have no samples" in result.stderr) == (2, True)
