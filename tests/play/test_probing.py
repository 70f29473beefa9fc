"""Probes with real processes: they get all output, and nothing hangs or stays."""

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.probe import Findings, Step
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.play.probing import carry_out, try_out
from processes import MARK, left_behind

MS = 10**6
SECOND = 1000 * MS
PATIENT = 60 * SECOND  # where the answer comes: a busy machine takes long to start even a shell

pytestmark = pytest.mark.process


def player(script, token="", **settings):
    """Return an engine that is a line of shell, which starts in a millisecond."""
    return Player(code="sh", command=("/bin/sh", "-c", script), environ={MARK: token}, **settings)


def lines(number):
    return lambda said: said.count(b"\n") >= number


def hear(script, *steps, token="", **settings):
    """Return the answers of a scripted program to the steps of a probe."""

    def probe():
        heard = []
        for step in steps:
            heard.append((yield step))
        return heard

    return carry_out(probe(), player(script, token, **settings))


ECHO = 'while read line; do echo "$line"; done'


def test_a_step_is_over_when_its_answer_is_complete_and_took_so_long():
    first, second = hear(
        ECHO,
        Step(b"one\n", PATIENT, lines(1)),
        Step(b"two\nthree\n", PATIENT, lines(2)),
    )
    assert (first.said, first.complete, first.ended) == (b"one\n", True, "")
    assert (second.said, second.complete) == (b"two\nthree\n", True)
    assert 0 < second.took < PATIENT


def test_what_comes_while_lingering_is_heard_too():
    (heard,) = hear("read a; echo one; sleep 0.05; echo two; read b", Step(b"\n", PATIENT, lines(1), SECOND))
    assert heard.said == b"one\ntwo\n"
    assert heard.complete


def test_a_step_that_expects_nothing_listens_as_long_as_it_may():
    ready = Step(b"\n", PATIENT, lines(1))
    _, heard = hear("read a; echo ready; read a; echo oops; read b", ready, Step(b"\n", 500 * MS))
    assert (heard.said, heard.complete, heard.ended) == (b"oops\n", False, "")
    assert heard.took >= 500 * MS


@pytest.mark.parametrize(
    "script",
    [
        "read a; read b",
        "while :; do printf x; sleep 0.01; done",
        "exec 1>&-; sleep 100 # says nothing any more",
    ],
    ids=["silent", "dripping", "mute"],
)
def test_nobody_is_waited_for_longer_than_a_step_lasts(script):
    began = time.monotonic()
    (heard,) = hear(script, Step(b"", 200 * MS, lines(1)))
    assert not heard.complete
    assert time.monotonic() - began < 15


def test_an_end_is_told_with_its_status_and_what_was_said_before():
    first, second, third = hear(
        "read a; echo last; exit 3",
        Step(b"\n", PATIENT, lines(9)),
        Step(b"anybody?\n", PATIENT, lines(1)),
        Step(b"\n", PATIENT, lines(1), fresh=True),
    )
    assert first.said == b"last\n"
    assert "exit 3" in first.ended
    assert (second.said, second.ended) == (b"", first.ended)
    assert (third.said, third.complete) == (b"last\n", True)


def test_the_end_is_what_a_last_step_waits_for():
    (heard,) = hear("read a; exit 0", Step(b"END\n", PATIENT))
    assert "exit 0" in heard.ended
    assert heard.took < PATIENT


def test_too_much_is_the_end():
    first, second = hear(
        "read a; while :; do echo flood; done",
        Step(b"\n", PATIENT, lines(10**9)),
        Step(b"\n", SECOND),
        budgets=Budgets(reply=10_000, rate=1),
    )
    assert first.ended == second.ended == "sent more than 10000 bytes for one answer, and 1 a second"


def test_an_engine_that_does_not_read_is_told_so():
    (heard,) = hear("sleep 20", Step(b"x" * (1 << 20), 200 * MS, lines(1)))
    assert heard.ended == "did not read what it was sent"


def test_a_fresh_process_is_another_one_and_none_is_left(request):
    token = request.node.name
    pid = Step(b"\n", PATIENT, lines(1), fresh=True)
    script = "trap '' TERM; echo $$; while :; do sleep 1; done"
    first, second = hear(script, pid, pid, token=token)
    assert first.said != second.said
    assert not left_behind(token)


def test_a_player_that_is_never_told_to_wait_is_not_suspended():
    (heard,) = hear(
        "read a; echo one; sleep 0.05; echo two; read b", Step(b"\n", PATIENT, lines(2)), ponders=False
    )
    assert heard.complete


def test_a_step_that_leaves_it_open_lasts_as_long_as_the_player_may_take_to_start():
    (heard,) = hear("read a; read b", Step(b"", None, lines(1)), budgets=Budgets(startup=200 * MS))
    assert not heard.complete
    assert 200 * MS <= heard.took < 60 * SECOND


def test_how_long_an_engine_had_no_processor_is_heard():
    core = min(os.sched_getaffinity(0))
    spin = (
        f"{sys.executable} -c 'import os; os.sched_setaffinity(0, [{core}]); print(flush=True)\nwhile 1: 0'"
    )
    rival = subprocess.Popen(shlex.split(spin), stdout=subprocess.PIPE)
    try:
        rival.stdout.readline()
        findings = carry_out(
            _listens(Step(b"", 700 * MS)),
            Player(code="spin", command=tuple(shlex.split(spin))),
        )
    finally:
        rival.kill()
        rival.communicate()
    is_told = Path("/proc/self/schedstat").exists()
    assert (findings.delay > 0) == is_told
    assert findings.delay < findings.waited


def _listens(step):
    yield step
    return Findings()


def test_what_cannot_be_started_is_a_breakdown():
    with pytest.raises(Breakdown, match="no program 'nothing-like-this'"):
        carry_out((step for step in [Step(b"", 0)]), Player(code="x", command=("nothing-like-this",)))


def test_a_bug_in_a_probe_is_told_and_leaves_no_process(request):
    def probe():
        yield Step(b"\n", SECOND, lines(1))
        raise KeyError("oops")

    token = request.node.name
    with pytest.raises(Breakdown, match="internal error: KeyError: 'oops'"):
        carry_out(probe(), player(ECHO, token))
    assert not left_behind(token)


def test_an_interrupted_probe_leaves_no_process(request):
    def interrupted(_said):
        raise KeyboardInterrupt

    def probe():
        yield Step(b"\n", SECOND, interrupted, fresh=True)

    token = request.node.name
    with pytest.raises(KeyboardInterrupt):
        carry_out(probe(), player(ECHO, token))
    assert not left_behind(token)


def test_a_probe_may_ask_nothing():
    def probe():
        return "nothing"
        yield

    assert carry_out(probe(), player(ECHO)) == "nothing"


@pytest.mark.parametrize(("protocol", "has_one"), [("gtp", True), ("gomocup", True), ("usenix", False)])
def test_the_probe_of_a_protocol_is_found_where_there_is_one(protocol, has_one):
    assert (PROTOCOLS.find(protocol).probe is not None) == has_one


def test_an_unknown_protocol_is_the_users_mistake():
    with pytest.raises(ConfigError, match="no protocol 'gpt'; there are: "):
        PROTOCOLS.find("gpt")


def test_a_protocol_without_a_trial_finds_nothing_and_starts_nothing():
    spec = GameSpec(
        id="0", pairing="0", game="go", players=(Player(code="x", command=("nothing-like-this",)),) * 2
    )
    assert try_out(spec).unfit == ()


BRAIN = """
while read line; do
  case "$line" in
    START*) echo OK;;
    "INFO rule 4"*) refuses=yes;;
    BEGIN*) if [ "$refuses" ]; then echo ERROR no Renju; else echo 7,7; fi;;
  esac
done
"""


@pytest.mark.parametrize(
    ("rule", "unfit"), [("freestyle", ()), ("renju", ("BEGIN: answers 'ERROR no Renju'",))]
)
def test_a_trial_tells_of_a_brain_that_refuses_the_rule_when_it_has_to_move(rule, unfit):
    brain = player(BRAIN, protocol="gomocup", cwd="")
    spec = GameSpec(id="0", pairing="0", game="gomoku", players=(brain, brain), options={"rule": rule})
    assert try_out(spec).unfit == unfit
