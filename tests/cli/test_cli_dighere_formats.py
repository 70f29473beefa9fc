"""Every format plays Dig Here: what it has stored is shown, reported, exported and folded again."""

import json
from random import Random

import pytest
from click.testing import CliRunner

from gyoji import api
from gyoji.cli.app import app
from gyoji.cli.standing import fold
from gyoji.core.plugins import FORMATS
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.rules import rules
from gyoji.scheduler.event import Event
from gyoji.store.store import Store

HEAD = 'competition = "{}"\ngame = "dighere"\nsteps = 12\nopenings = "fields.jsonl"\n'

PLAYERS = "[players]\n" + "".join(f'{code} = {{ command = "nowhere-{code}" }}\n' for code in "abcd")

OPPONENT = '[players]\na = { command = "nowhere-a" }\n'

CANDIDATE = """
[candidate]
command = "engine --x={x}"
[[parameters]]
code = "x"
min = 0
max = 1
"""

CROSS = "initial_mean = 0.5\ninitial_variance = 0.1"

EVENTS = {
    "allplayall": ('competitors = ["a", "b", "c"]\nrounds = 2\n', PLAYERS),
    "gauntlet": ('champions = ["a"]\nrounds = 2\n', PLAYERS),
    "playoff": ("number_of_games = 2\n", PLAYERS + '[[matchups]]\nplayers = ["a", "b"]\n'),
    "sprt": ('competitors = ["a", "b"]\nelo0 = 0\nelo1 = 50\n', PLAYERS),
    "swiss": ("rounds = 2\n", PLAYERS),
    "knockout": ('decided_by = "margin"\n', PLAYERS),
    "ladder": ("rounds = 2\n", PLAYERS),
    "stages": ('decided_by = "margin"\n', PLAYERS),
    "groups": (
        "rounds = 2\npromote = 1\n",
        PLAYERS + '[[groups]]\nplayers = ["a", "b"]\n[[groups]]\nplayers = ["c", "d"]\n',
    ),
    "contest": (
        'decided_by = "margin"\n',
        PLAYERS + '[[phases]]\nformat = "stages"\nadvance = 2\n[[phases]]\nformat = "knockout"\n',
    ),
    "tables": ("tables = 3\n", PLAYERS),
    "elimination": ("rounds = 2\n", PLAYERS),
    "auto_tuner": ("number_of_games = 6\n", CANDIDATE),
    "spsa_tuner": ("number_of_iterations = 3\n", CANDIDATE),
    "mc_tuner": (
        'opponent = "a"\nnumber_of_games = 6\ncandidate_colour = "random"\nexploration_coefficient = 0.4\n'
        "initial_visits = 10\ninitial_wins = 5\n",
        OPPONENT + CANDIDATE + "split = 3\n",
    ),
    "ce_tuner": (
        'opponent = "a"\nnumber_of_generations = 1\nsamples_per_generation = 3\nbatch_size = 2\n'
        'elite_proportion = 0.5\nstep_size = 0.5\ncandidate_colour = "alternating"\n',
        OPPONENT + CANDIDATE.replace("min = 0\nmax = 1", CROSS),
    ),
}
"""By format, what stands above the tables of a small event, and the tables."""

CONTAINMENT = "strict"

MOST = 60
"""Games that are played of an event."""


def played(spec):
    """Return the record of a game of random plans."""
    game = rules(Options(**spec.options), spec.seed)
    position, turns, chance = game.start(), [], Random(spec.id)
    while acting := game.acting(position):
        turn = tuple((seat, chance.randrange(-1, 24)) for seat in acting)
        position = game.play(position, turn)
        turns.append(tuple(Played(seat, str(plan), 1) for seat, plan in turn))
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(player.code for player in spec.players),
        outcome=game.outcome(position),
        turns=len(turns),
        engines=(EngineReport(think_ns=10**9, containment=CONTAINMENT),) * 4,
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )
    return GameRecord(result=result, turns=tuple(turns))


def gyoji(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(params=FORMATS.names)
def event_file(request, tmp_path):
    """The control file of an event of each format, whose games have been played and stored."""
    (tmp_path / "fields.jsonl").write_text(gyoji("field", "draw", "-n", 2, "--seed", 1))
    top, tables = EVENTS[request.param]
    path = tmp_path / "cup.toml"
    path.write_text(HEAD.format(request.param) + top + tables)
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        for _ in range(MOST):
            if (spec := event.competition.next_game()) is None:
                break
            record = played(spec)
            store.append(spec, record)
            event.competition.add(record.result)
    return path


def test_every_format_shows_what_was_gathered_in_its_games(event_file):
    with Store.read(event_file.with_suffix(".db"), competition="cup") as store:
        results = list(store.results())
    known = {name for result in results for name in result.players if "#" not in name}
    if any("#" in name for result in results for name in result.players):
        known.add("candidates")
    totals = json.loads(gyoji("show", "--json", event_file))["tables"]["totals"]
    assert {row["player"] for row in totals} == known
    assert sum(row["games"] for row in totals) == 2 * len(results)
    assert sum(row["sum"] for row in totals) == sum(sum(result.outcome.totals) for result in results)
    assert "treasure per game" in gyoji("show", event_file)
    assert fold(Event.open(event_file)) == 0  # as it is when the event is resumed


def test_python_has_the_report_and_the_values_of_the_command_line(event_file):
    gyoji("report", event_file)
    report, event = event_file.with_suffix(".report").read_text(), api.open_event(event_file)
    assert event.report() == report
    assert (f"containment: {CONTAINMENT}: " in report) == bool(event.competition.engines)
    shown = json.loads(gyoji("show", "--json", event_file))
    of_command = {name: shown.pop(name) for name in ("running", "secret_seed")}
    assert of_command == {"running": None, "secret_seed": True}
    assert json.loads(json.dumps(event.values())) == shown


def test_every_format_is_reported_and_exported(event_file):
    gyoji("report", event_file)
    assert "treasure per game" in event_file.with_suffix(".report").read_text()
    for form, word in (
        ("markdown", "Treasure per game"),
        ("csv", "Treasure per game"),
        ("json", '"totals"'),
    ):
        assert word in gyoji("report", "--format", form, "-o", "-", event_file)
    gyoji("report", "--format", "html", event_file)
    assert "Treasure per game" in event_file.with_suffix(".html").read_text()
    assert gyoji("export", "--to", "bayeselo", event_file).startswith("[")


@pytest.mark.parametrize("event_file", ["ce_tuner"], indirect=True)
def test_the_two_games_of_a_candidate_are_a_match(event_file):
    rows = json.loads(gyoji("show", "--json", event_file))["tables"]["totals"]
    games = rows[0]["games"]
    assert [row["matches_won"] + row["matches_level"] + row["matches_lost"] for row in rows] == [
        games // 2
    ] * 2


@pytest.mark.parametrize("event_file", ["spsa_tuner"], indirect=True)
def test_candidates_have_no_match_with_each_other(event_file):
    (row,) = json.loads(gyoji("show", "--json", event_file))["tables"]["totals"]
    assert (row["player"], row["games"]) == ("candidates", 12)
    assert "matches_won" not in row
