"""gyoji export with moves: what it writes is read by programs of others."""

import io
import json
from pathlib import Path

import chess.pgn
import pytest
import refereed_events
from command_line import gyoji
from sgfmill import sgf, sgf_grammar

from gyoji.core.describe import result_code
from gyoji.core.plugins import GAMES
from gyoji.core.record import VoidGame
from gyoji.store.game_texts import Voided
from gyoji.store.store import Store


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Plays the event of that name once; its control file."""
    paths = {}

    def play(name):
        if name not in paths:
            paths[name] = refereed_events.write_event(tmp_path_factory.mktemp("event"), name)
            refereed_events.play(paths[name])
        return paths[name]

    return play


def stored(path):
    with Store.read(path.with_suffix(".db")) as store:
        return [store.record(result.id) for result in store.results()]


def exported(path, form, *words):
    result = gyoji("export", "--to", form, *words, path)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("name", ["go", "requests"])
def test_a_collection_of_sgf_has_every_game_for_sgfmill(played, name):
    games, path = stored(played(name)), played(name)
    trees = sgf_grammar.parse_sgf_collection(exported(path, "sgf").encode())
    assert len(trees) == len(games) > 1
    for tree, (spec, record) in zip(trees, games, strict=True):
        game = sgf.Sgf_game.from_coarse_game_tree(tree)
        root = game.get_root()
        assert root.get_raw("RE").decode() == result_code(record.result.outcome)
        moves = [node.get_raw_move()[0] is not None for node in list(game.main_sequence_iter())[1:]]
        refused = record.refused is not None and spec.game == "gomoku"  # where a record has it as a move
        assert sum(moves) == sum(map(len, record.turns)) + refused
        assert root.get_raw("GM") == (b"1" if spec.game == "go" else b"4")


@pytest.mark.parametrize("name", ["go", "requests", "dighere"])
def test_pgn_has_players_results_and_moves_for_python_chess(played, name):
    games, source = stored(played(name)), io.StringIO(exported(played(name), "pgn"))
    for _, record in games:
        read = chess.pgn.read_game(source)
        assert read.errors == []
        assert read.headers["GameId"] == record.result.id
        assert {read.headers["White"], read.headers["Black"]} == set(record.result.opponents)
        winner = record.result.outcome.winner
        if winner is not None:
            colour = {"1-0": "White", "0-1": "Black"}[read.headers["Result"]]
            assert read.headers[colour] == record.result.opponents[winner]
        told = " ".join(read.comment.split())
        turns = [" / ".join(played.move for played in turn) for turn in record.turns]
        assert told == " ".join(f"{number}. {moves}" for number, moves in enumerate(turns, 1))
    assert chess.pgn.read_game(source) is None


@pytest.mark.parametrize("name", refereed_events.EVENTS)
def test_json_lines_have_all_that_is_stored_of_a_game(played, name):
    games, lines = stored(played(name)), exported(played(name), "jsonl").splitlines()
    found = [json.loads(line) for line in lines]
    assert [each["id"] for each in found if each["kind"] == "game"] == [spec.id for spec, _ in games]
    for told, (spec, record) in zip(found, games, strict=False):
        assert (told["game"], told["seed"], told["clock"]) == (spec.game, spec.seed, spec.clock.describe())
        assert tuple(told["players"]) == record.result.players
        assert told["ending"] == record.result.outcome.ending.value
        moves = [(each["seat"], each["move"], each["charged_ns"]) for each in told["moves"]]
        assert moves == [(each.seat, each.move, each.ns) for turn in record.turns for each in turn]
        assert GAMES.find(spec.game).make_rules(told["options"], told["seed"]).seats == len(told["players"])


def test_attempts_that_came_to_nothing_follow_the_games(tmp_path):
    path = refereed_events.write_event(tmp_path, "gomoku")
    refereed_events.play(path)
    ((spec, _), *_) = stored(path)
    void = VoidGame(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        reason="no memory",
        started="2026-11-22T10:00:00Z",
    )
    with Store.open(path.with_suffix(".db"), "cup") as store:
        store.append_many([], [Voided(void, 2)])
    *games, last = [json.loads(line) for line in exported(path, "jsonl").splitlines()]
    assert {each["kind"] for each in games} == {"game"}
    assert last == {
        "kind": "void",
        "id": spec.id,
        "pairing": spec.pairing,
        "players": list(spec.codes),
        "attempt": 2,
        "reason": "no memory",
        "started": "2026-11-22T10:00:00Z",
        "to_move": [],
        "moves": [],
    }


@pytest.mark.parametrize("form", ["sgf", "pgn", "jsonl"])
def test_one_game_alone_is_the_same_as_in_the_whole(played, form):
    path = played("go")
    (spec, _), *_ = stored(path)
    one = exported(path, form, "--game", spec.id)
    assert exported(path, form).startswith(one)
    assert gyoji("export", "--to", form, "--game", "none", path).exit_code == 2


def test_a_game_that_has_no_sgf_says_which_forms_there_are(played):
    result = gyoji("export", "--to", "sgf", played("dighere"))
    assert result.exit_code == 2
    assert "games of dighere have no SGF; their record formats are: dighere, dighere_summary" in result.stderr


def test_the_page_has_every_key_that_is_written(played):
    page = (Path(__file__).parents[2] / "docs/reference/games-as-json.md").read_text()
    keys = {key for line in exported(played("go"), "jsonl").splitlines() for key in json.loads(line)}
    keys |= {"kind", "attempt", "reason", "to_move"}
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []
