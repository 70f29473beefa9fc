"""gyoji from Python: games between functions, competitions opened, looked at and run."""

import inspect
import sys
from itertools import count
from pathlib import Path

import pytest

from gyoji import api
from gyoji.tables import event_tables as tables

ENGINE = Path(__file__).parents[1] / "play" / "small_engine.py"
CONTROL = f"""\
competition = "allplayall"
board_size = 9
komi = 7.5
rounds = 2
scorer = "internal"
skip_player_checks = true

[players]
a = {{ command = "{sys.executable} -I -S {ENGINE}" }}
b = {{ command = "{sys.executable} -I -S {ENGINE}" }}
"""


@pytest.fixture
def cup(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CONTROL)
    return path


@pytest.mark.parametrize("names", [("a",), ("a", "b", "c")])
def test_every_player_is_named_or_none(names):
    with pytest.raises(ValueError, match=f"names: got {len(names)}, and there are 2 players"):
        api.play("gomoku", [api.first_legal] * 2, names=names)


def test_an_option_misspelt_is_told_with_the_nearest():
    with pytest.raises(TypeError, match="'board_sise'; did you mean board_size"):
        api.play("go", [api.first_legal] * 2, board_sise=9, komi=7)


def test_functions_play_by_moves_or_by_text():
    black = iter(["c3", "d3", "e3", "f3", "g3"])
    white = count()
    record = api.play("gomoku", [lambda _: next(black), lambda q: q.rules.point(next(white), 8)])
    assert [turn[0].move for turn in record.turns][:3] == ["c3", "a9", "d3"]
    assert (record.result.outcome.winner, record.result.outcome.ending) == (0, api.Ending("five"))


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        (api.Resigned(), api.Ending.RESIGNATION),
        ("nonsense", api.Ending.ILL_FORMED_MOVE),
        ("a99", api.Ending.ILL_FORMED_MOVE),
        (-7, api.Ending.ILLEGAL_MOVE),
    ],
)
def test_a_function_loses_by_what_an_engine_would_lose_by(answer, ending):
    outcome = api.play("gomoku", [lambda _: answer, api.first_legal], names=["x", "y"]).result.outcome
    assert (outcome.winner, outcome.ending) == (1, ending)


def test_a_function_that_is_late_has_lost_on_time():
    outcome = api.play("gomoku", [api.first_legal] * 2, clock="0.000001s").result.outcome
    assert outcome.ending is api.Ending.TIME


def test_what_a_function_raises_reaches_the_caller():
    with pytest.raises(ZeroDivisionError):
        api.play("gomoku", [lambda _: 1 // 0, api.first_legal])


@pytest.mark.parametrize("answer", [None, api.Answer(None, "lost")])
def test_a_function_that_forgets_its_return_has_not_resigned(answer):
    def forgets(question):
        return answer if question.legal() else "a1"

    with pytest.raises(
        api.NoAnswer, match=r"forgets \(test_api.py:\d+\) returned None .* in seat 1: .*Resigned"
    ):
        api.play("gomoku", [api.first_legal, forgets])


def test_a_game_that_is_printed_says_who_won_and_why_it_ended():
    record = api.play("gomoku", [api.first_legal, lambda _: api.Resigned()], names=["one", "two"])
    assert str(record) == str(record.game) == "one beat two B+R: resignation after 1 turn"


def test_functions_that_play_go_by_a_ruleset_are_counted_as_they_stand():
    record = api.play("go", [lambda _: "pass"] * 2, board_size=5, komi=0.5, ruleset="chinese")
    assert (record.result.outcome.winner, record.result.turns, record.result.settled) == (1, 2, "")


def test_games_for_four_need_four():
    with pytest.raises(ValueError, match="got 2, and dighere has 4 seats"):
        api.play("dighere", [api.first_legal] * 2)
    assert len(api.play("dighere", [lambda _: -1] * 4, seed=3, steps=5).turns) == 5


def test_a_question_tells_what_is_legal_and_how_much_time_is_left():
    seen = []

    def curious(question):
        seen.append((question.seat, question.phase, question.left, len(list(question.legal()))))
        return api.Resigned()

    api.play("gomoku", [curious, curious], board_size=5, clock="10s")
    assert seen == [(0, "", 10.0, 25)]


def test_a_game_of_functions_may_end_by_what_they_say_of_it():
    threshold = api.Threshold(score=20.0, moves=1)
    sure = api.Answer("", "I am ahead", api.Evaluation(score=30.0))
    lost = api.Answer("", evaluation=api.Evaluation(score=-30.0))

    def plays(question):
        return (sure, lost)[question.seat]._replace(move=api.first_legal(question))

    record = api.play("gomoku", [plays] * 2, adjudication=api.Adjudication(win=threshold))
    assert (record.result.outcome.winner, record.result.outcome.ending) == (0, api.Ending.ADJUDICATION)
    assert record.turns[0][0].comment == "I am ahead"
    assert [(opinion.turn, opinion.evaluation.score) for opinion in record.opinions][:2] == [
        (0, 30.0),
        (1, -30.0),
    ]


class Impatient:
    """An adjudicator that has seen enough after three turns."""

    def add_opinion(self, turn, seat, evaluation, with_move):
        pass

    def take_back(self, turns):
        pass

    def outcome(self, position, turns):
        text = "enough"
        return (
            api.Outcome(points=(0.5, 0.5), ending=api.Ending.ADJUDICATION, detail=text)
            if len(turns) == 3
            else None
        )


def test_an_adjudicator_of_one_s_own_ends_a_game():
    record = api.play("gomoku", [api.first_legal] * 2, adjudication=Impatient())
    assert (record.result.outcome.detail, len(record.turns)) == ("enough", 3)


def test_requests_are_granted_only_where_the_game_allows_them():
    answers = iter([api.WantsTakeBack(), api.OffersDraw(), api.WantsHint(), api.Resigned()])
    notices = []

    def requests(question):
        notices.append(question.notice)
        return next(answers)

    api.play("gomoku", [requests, api.first_legal])
    assert notices == [
        "",
        "no move can be taken back in this game",
        "no draw can be offered in this game",
        "there are no hints in this game",
    ]
    with pytest.raises(ValueError, match="requests: got 'cake', expected some of take-back, draw, hint"):
        api.play("gomoku", [api.first_legal] * 2, requests=["draw", "cake"])


def passing(*words):
    return api.Player(code="engine", command=(sys.executable, "-I", "-S", str(ENGINE), *words))


@pytest.mark.process
def test_a_function_plays_against_an_engine():
    left = []

    def passes(question):
        left.append(question.left)
        return "pass"

    record = api.play("go", [passes, passing()], names=["mine", "?"], board_size=5, komi=0.5, clock="60s")
    assert [[(each.seat, each.move) for each in turn] for turn in record.turns] == [
        [(0, "pass")],
        [(1, "pass")],
    ]
    assert record.result.players == ("mine", "engine")
    assert (record.result.outcome.winner, record.result.engines[1].status) == (1, "exit 0")
    assert left == [60.0]


@pytest.mark.process
def test_what_a_function_raises_reaches_the_caller_past_an_engine():
    with pytest.raises(ZeroDivisionError):
        api.play("go", [lambda _: 1 // 0, passing()], board_size=5, komi=0.5)


@pytest.mark.process
def test_an_engine_that_cannot_be_started_is_nobody_s_loss():
    nowhere = api.Player(code="x", command=("/nowhere/engine",))
    with pytest.raises(api.Breakdown, match="player x: no program '/nowhere/engine'"):
        api.play("go", [api.first_legal, nowhere], board_size=5, komi=0.5)


def test_an_event_that_has_not_been_played_is_empty(cup):
    event = api.open_event(cup)
    assert (list(event.results()), list(event.games())) == ([], [])
    assert [standing.points for standing in event.standings()] == [0, 0]
    assert repr(event) == f"<Event {cup}: allplayall of go, 0 games stored>"
    with pytest.raises(KeyError, match="'AvB_0'; nothing has been played yet"):
        event.game("AvB_0")


class Diary(api.Listener):
    def __init__(self):
        self.told = []

    def finished(self, result):
        self.told.append(result.id)


@pytest.mark.process
def test_an_event_is_run_and_knows_afterwards_what_was_played(cup):
    event, diary = api.open_event(cup), Diary()
    end = event.run(diary, max_games=1)
    assert (end.status, end.finished, diary.told) == (api.ExitStatus.COMPLETE, 1, ["AvB_0"])
    event.run(diary)
    assert diary.told == ["AvB_0", "AvB_1"] == [result.id for result in event.results()]
    spec, record = event.game("AvB_1")
    assert [player.code for player in spec.players] == ["b", "a"]
    assert [turn[0].move for turn in record.turns] == ["pass", "pass"]
    assert [(place.player, place.points) for place in event.standings()] == [("a", 1.0), ("b", 1.0)]
    assert [pair["id"] for pair in event.values()["matchups"]] == ["AvB"]
    assert "2/2 games played" in event.report()
    assert repr(event) == f"<Event {cup}: allplayall of go, 2 games stored>"
    with pytest.raises(KeyError, match="'xx'; there are: AvB_0, AvB_1"):
        event.game("xx")


def test_an_event_that_is_opened_makes_its_competition_once(cup, monkeypatch):
    made = []

    def unplayed(setup):
        made.append(tables.unplayed(setup))
        return made[-1]

    monkeypatch.setattr("gyoji.scheduler.event.unplayed", unplayed)
    assert api.open_event(cup).competition is made[0]
    assert len(made) == 1


def test_a_control_file_with_mistakes_is_refused(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("competition = 'allplayal'\n")
    with pytest.raises(api.ConfigError, match="no competition 'allplayal'"):
        api.open_event(path)


def test_everything_of_the_interface_says_what_it_is():
    silent = []
    for name in api.__all__:
        each = getattr(api, name)
        members = vars(each).items() if inspect.isclass(each) else ()
        functions = [(key, getattr(value, "fget", value)) for key, value in members if key[0] != "_"]
        told = [(name, each)] if inspect.isclass(each) or inspect.isfunction(each) else []
        told += [(f"{name}.{key}", value) for key, value in functions if inspect.isfunction(value)]
        silent += [where for where, value in told if not inspect.getdoc(value)]
    assert silent == []
