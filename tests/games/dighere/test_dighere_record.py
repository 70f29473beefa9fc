"""Logs of Dig Here: written as the official manager writes them, judged again, and summed up."""

import gzip
import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.replay import Wanted
from gyoji.core.spec import GameSpec, Player
from gyoji.games.dighere.fields import draw_field
from gyoji.games.dighere.files import FILETYPE, Log, format_field, json_field, read_log
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.played import play_of, summary
from gyoji.games.dighere.records import LOG, SUMMARY
from gyoji.games.dighere.rules import DigHereRules

GOLDEN = Path(__file__).parents[2] / "golden" / "dighere"
FIELD = draw_field(6, size=6)
JUDGED = Wanted()


def golden(name):
    lines = gzip.decompress((GOLDEN / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


def record_of(turns, startup=0):
    """Return the record of a game with these turns: (seat, plan, ns) each."""
    result = GameResult(
        id="0_0",
        pairing="0",
        players=("a", "b", "a", "b"),
        outcome=Outcome(points=(0.5, 0.5), ending=Ending.SCORE),
        turns=len(turns),
        engines=tuple(EngineReport(startup_ns=startup) for _ in range(4)),
        started="",
        wall_ns=0,
    )
    played = tuple(tuple(Played(seat, str(plan), ns) for seat, plan, ns in turn) for turn in turns)
    return GameRecord(result=result, turns=played)


def spec_of(field, clock="10s", **options):
    players = tuple(Player(code=code, command=("x",), protocol="dighere") for code in "abab")
    options = {"opening": json_field(field), "check_field": False, **options}
    return GameSpec(
        id="0_0",
        pairing="0",
        game="dighere",
        players=players,
        options=options,
        clock=TimeControl.parse(clock),
    )


def format_log(log):
    """Return the file of any log, with what its plays have."""
    plays = []
    for play in log.plays:
        raw = {name: getattr(play, name) for name in ("actions", "plans", "scores", "step")}
        if play.agents:
            raw["agents"] = [agent._asdict() for agent in play.agents]
        if play.time_left:
            raw["timeLeft"] = play.time_left
        plays.append(raw)
    return json.dumps({"field": json_field(log.field), "filetype": FILETYPE, "plays": plays}).encode()


@pytest.mark.parametrize("name", ["legal", "odd"])
def test_a_game_is_written_to_the_byte_as_the_official_manager_wrote_it(name):
    for each in golden(name)[::2]:
        log = read_log(each["log"].encode())
        left, turns = [log.field.think_time] * 4, []
        for play in log.plays:
            used = [before - after for before, after in zip(left, play.time_left, strict=True)]
            turns.append([(seat, play.plans[seat], used[seat] * 10**6) for seat in range(4)])
            left = play.time_left
        spec = spec_of(log.field, f"{log.field.think_time}ms", invalid_plans="shown")
        assert LOG.write(spec, record_of(turns)).decode() == each["log"]


STAY = [(seat, -1, 1_500_000) for seat in range(4)]


def test_who_is_out_of_the_game_stays_and_has_no_time():
    log = read_log(LOG.write(spec_of(FIELD), record_of([STAY, [STAY[1], STAY[3]]])))
    assert [play.time_left for play in log.plays] == [(9998,) * 4, (0, 9997, 0, 9997)]
    assert log.plays[1].plans == (-1,) * 4
    assert log.field == FIELD


def test_invalid_plans_are_recorded_as_agents_were_shown_them():
    turn = [(0, 3, 0), (1, 99, 0), (2, 8, 0), (3, -1, 0)]
    for how, plans in (("hidden", (-1, -1, -1, -1)), ("shown", (3, 99, 8, -1))):
        log = read_log(LOG.write(spec_of(FIELD, invalid_plans=how), record_of([turn])))
        assert log.plays[0].plans == plans


def test_the_think_time_of_a_log_is_that_of_the_clock():
    clocks = (
        ("3s", 3000, 2998),
        ("3s hourglass", 3000, 3000),
        ("2s/move", 2000, 2000),
        ("none", 10_000, 10_000),
    )
    for clock, ms, left in clocks:
        log = read_log(LOG.write(spec_of(FIELD, clock), record_of([STAY])))
        assert (log.field.think_time, log.plays[0].time_left) == (ms, (left,) * 4)


def test_a_player_may_have_a_clock_of_its_own_that_runs_from_its_start():
    spec = spec_of(FIELD)
    slow = replace(spec.players[0], clock=TimeControl(main=5 * 10**9, from_start=True))
    spec = replace(spec, players=(slow, *spec.players[1:]))
    log = read_log(LOG.write(spec, record_of([STAY], startup=10**9)))
    assert log.plays[0].time_left == (3998, 9998, 9998, 9998)


def test_a_void_game_is_written_as_far_as_it_went():
    void = VoidGame(
        id="0_0", pairing="0", players=("a", "b"), reason="x", started="", turns=record_of([STAY]).turns
    )
    assert len(read_log(LOG.write(spec_of(FIELD), void)).plays) == 1


# Judged again


@pytest.mark.parametrize("name", ["fuzz", "legal", "odd", "short", "target"])
def test_every_log_of_the_official_manager_is_by_the_rules(name):
    for each in golden(name)[::7]:
        (replay,) = LOG.replay(each["log"].encode(), JUDGED)
        assert (each["id"], replay.refusals, replay.differs) == (each["id"], (), False)
        assert replay.verdict
        assert replay.diagram


@pytest.fixture(scope="module")
def log():
    return next(read_log(each["log"].encode()) for each in golden("fuzz") if '"step":30' in each["log"])


def judged(log, **wanted):
    (replay,) = LOG.replay(format_log(log), Wanted(**wanted))
    return replay


def with_play(log, number, **members):
    plays = list(log.plays)
    plays[number] = plays[number]._replace(**members)
    return log._replace(plays=tuple(plays))


def bumped(numbers, index):
    return tuple(number + (each == index) for each, number in enumerate(numbers))


def test_the_first_difference_is_named_and_all_of_them_if_wanted(log):
    play = log.plays[9]
    wrong = with_play(log, 9, actions=bumped(play.actions, 2), scores=bumped(play.scores, 1))
    replay = judged(wrong)
    assert len(replay.refusals) == 1
    plan, action = play.plans[2], play.actions[2]
    became = f"became {action + 1} in the record, {action} by the rules"
    assert replay.refusals[0].startswith(f"step 9: plan {plan} of agent 2 {became}")
    assert (replay.verdict, replay.diagram) == ("", "")
    replay = judged(wrong, goes_on=True)
    assert [line.split(":")[0] for line in replay.refusals] == ["step 9", "step 9", "step 10"]
    assert not replay.differs


def test_a_plan_that_came_to_nothing_is_refused_with_the_reason():
    log = read_log(LOG.write(spec_of(FIELD, invalid_plans="shown"), record_of([[(0, 3, 0), *STAY[1:]]])))
    replay = judged(with_play(log, 0, actions=(3, -1, -1, -1)))
    (refusal,) = replay.refusals
    assert (
        refusal
        == "step 0: plan 3 of agent 0 became 3 in the record, -1 by the rules (3 is no plan of a samurai)"
    )
    assert "1 plans were invalid, the first one of agent 0 in step 0" in replay.notes


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"step": 4}, "step 3: the record calls it step 4"),
        ({"agents": "moved"}, "step 3: agent 1 is in ("),
        ({"scores": (1000, 0)}, "step 3: the scores are 1000 to 0 in the record"),
    ],
)
def test_whatever_else_is_wrong_is_named(log, members, message):
    if "agents" in members:
        agents = list(log.plays[3].agents)
        agents[1] = agents[1]._replace(x=99)
        members = {"agents": tuple(agents)}
    (first, *_) = judged(with_play(log, 3, **members)).refusals
    assert first.startswith(message)


def test_another_result_is_a_difference(log):
    wrong = with_play(log, len(log.plays) - 1, scores=(1000, 0))
    replay = judged(wrong, goes_on=True)
    assert replay.differs
    assert replay.verdict.endswith(": they differ")


def test_a_game_cannot_go_on_after_its_end():
    each = next(each for each in golden("odd") if each["id"] == "odd-size-3")
    log = read_log(each["log"].encode())
    longer = log._replace(plays=(*log.plays, log.plays[-1]._replace(step=len(log.plays))))
    assert judged(longer).refusals == (f"step {len(log.plays)}: the game is over",)


def test_directions_and_times_are_not_judged(log):
    looks = tuple(agent._replace(direction=(agent.direction + 1) % 8) for agent in log.plays[4].agents)
    replay = judged(with_play(log, 4, agents=looks, time_left=(1, 9, 9, 9)))
    assert replay.refusals == ()


def test_a_log_of_the_official_page_has_no_times_and_one_by_the_documents_no_directions(log):
    for change in (
        lambda play: play._replace(time_left=()),
        lambda play: play._replace(agents=()),
    ):
        other = log._replace(plays=tuple(map(change, log.plays)))
        text = format_log(other)
        assert read_log(text) == other
        assert LOG.replay(text, JUDGED)[0].refusals == ()
    plain = json.loads(format_log(log))
    for play in plain["plays"]:
        play["timeLeft"] = -1
        for agent in play["agents"]:
            del agent["direction"]
    assert LOG.replay(json.dumps(plain).encode(), JUDGED)[0].refusals == ()


def test_an_unfinished_game_and_a_field_are_no_fault(log):
    replay = judged(log._replace(plays=log.plays[:5]))
    assert replay.refusals == ()
    assert "the game was not played to its end" in replay.notes
    (replay,) = LOG.replay(format_field(FIELD), JUDGED)
    assert (replay.refusals, replay.verdict) == ((), "")
    assert replay.diagram == DigHereRules(FIELD).render(DigHereRules(FIELD).start())
    assert ("steps", "100") in replay.facts


def test_what_the_rules_exclude_in_a_field_is_noted():
    each = next(each for each in golden("odd") if each["id"] == "odd-size-3")
    (replay,) = LOG.replay(each["log"].encode(), JUDGED)
    assert "the rules exclude such a field: size: expected 6 or more, got 3" in replay.notes


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda top: top.pop("field"), "field: missing"),
        (lambda top: top.update(filetype="SGF"), "filetype: expected 'SamurAI Dig Here Game Log', got 'SGF'"),
        (lambda top: top.update(plays=3), "plays: expected a list, got '3'"),
        (lambda top: top["plays"].insert(1, 3), "plays.1: expected an object, got '3'"),
        (lambda top: top["plays"][1].pop("plans"), "plays.1.plans: expected a list, got nothing"),
        (lambda top: top["plays"][1]["actions"].pop(), "plays.1.actions: expected 4 numbers, got 3"),
        (lambda top: top["plays"][1]["agents"].pop(), "plays.1.agents: expected 4, got 3"),
        (
            lambda top: top["plays"][1]["agents"][2].pop("x"),
            "plays.1.agents.2.x: expected a whole number, got nothing",
        ),
        (lambda top: top["plays"][1].update(plans=[2**40] * 4), "plays.1.plans: expected -2147483648 to"),
    ],
)
def test_what_is_no_log_is_refused_with_its_place(log, change, message):
    top = json.loads(format_log(log))
    change(top)
    with pytest.raises(ValueError, match=re.escape(message)):
        LOG.replay(json.dumps(top).encode(), JUDGED)


def test_what_a_log_cannot_be_judged_by_is_refused():
    with pytest.raises(ConfigError, match="komi: dighere has none"):
        LOG.replay(format_field(FIELD), Wanted(komi=6.5))


# Summaries


def lines_of_sane_plans(text, log):
    """Return the lines of a summary, without those of plans that the official manager shows wrongly."""
    lines = []
    step = -1
    for line in text.splitlines():
        if line.startswith("Step: "):
            step += 1
        if line.startswith("Agent "):
            if "timed out" in line or "error in flushing" in line:
                continue
            plan = log.plays[step].plans[int(line[6])]
            if plan < -1 or plan > 23 or plan % 8 == 7:
                continue
        lines.append(line)
    return lines


@pytest.mark.parametrize("name", ["fuzz", "legal", "odd", "short"])
def test_the_summary_is_that_of_the_official_manager_with_reasons(name):
    reasons = 0
    for each in golden(name):
        log = read_log(each["log"].encode())
        ours, theirs = (lines_of_sane_plans(text, log) for text in (summary(log), each["stderr"]))
        assert [line.partition(" left: ")[0].removesuffix(" left") for line in ours] == [
            line.removesuffix(" left") for line in theirs
        ]
        reasons += sum(" left: " in line for line in ours)
    assert reasons > 5


def test_a_game_leaves_its_summary_with_the_result_in_the_last_line():
    text = SUMMARY.write(spec_of(FIELD), record_of([STAY])).decode()
    assert text.splitlines()[-1] == "Scores are 0:0"
    assert SUMMARY.suffix == ".dighere.summary"


def test_the_direction_that_the_official_summary_shows_wrongly_is_right():
    game = DigHereRules(FIELD)
    position = game.play(game.start(), ((0, -1), (1, -1), (2, 7), (3, -1)))
    x, y = game.start().public.agents[2]
    assert f"Agent 2@({x},{y}) move ({x + 1},{y + 1})" in summary(Log(FIELD, (play_of(position),)))


def test_options_make_the_same_rules_for_the_record_and_the_game():
    assert Options(**spec_of(FIELD).options).field(0) == FIELD
