import pytest
from click.testing import CliRunner

from gyoji.cli import checking
from gyoji.cli.app import app
from gyoji.cli.checking import check_before_run, findings
from gyoji.cli.compose import open_event
from gyoji.runner.rehearsal import Rehearsal

CUP = """
competition = "playoff"
board_size = 9
komi = 7.5
{more}
players = {{ a = {{ command = "x" }}, b = {{ command = "y" }}, idle = {{ command = "z" }} }}
matchups = [{{ players = ["a", "b"] }}]
"""
FAILED = Rehearsal(problems=("b: exited before it answered",))


@pytest.fixture
def cup(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP.format(more=""))
    return path


@pytest.mark.parametrize(
    ("rehearsal", "lines"),
    [
        (Rehearsal(name="GNU Go:3.8", startup_ns=52_400_000), ["player p: ok: GNU Go:3.8 (ready in 0.052s)"]),
        (Rehearsal(startup_ns=1), ["player p: ok (ready in 0.001s)"]),
        (
            Rehearsal(name="N", startup_ns=2 * 10**9, unable=("the clock",), late=("p: would not quit",)),
            [
                "player p: ok: N (ready in 2s)",
                "player p: cannot be told the clock; it must know by itself",
                "player p: after the check: would not quit",
            ],
        ),
        (
            Rehearsal(problems=("p: no such program", "and more\x1b[2J")),
            ["player p: no such program", "player p: and more\\x1b[2J"],
        ),
    ],
)
def test_what_a_check_found_in_words(rehearsal, lines):
    assert list(findings("p", rehearsal)) == lines


def test_check_tries_the_players_of_matchups_and_fails_if_one_fails(cup, monkeypatch):
    asked = []

    def attempt(spec, *, inherit_stderr):
        asked.append((spec.players[0].code, inherit_stderr))
        return FAILED if spec.players[0].code == "b" else Rehearsal(name="A", startup_ns=10**6)

    monkeypatch.setattr(checking, "rehearse", attempt)
    result = CliRunner().invoke(app, ["check", str(cup)])
    assert asked == [("a", True), ("b", True)]
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "player a: ok: A (ready in 0.001s)",
        "player b: exited before it answered",
    ]
    assert result.stderr == "gyoji: 1 of 2 players failed the checks\n"


def test_check_ignores_skip_player_checks(cup, monkeypatch):
    cup.write_text(CUP.format(more="skip_player_checks = true"))
    monkeypatch.setattr(checking, "rehearse", lambda _spec, **_: Rehearsal())
    assert CliRunner().invoke(app, ["check", str(cup)]).stdout.count(": ok") == 2


def test_before_a_run_all_failures_are_said_and_where_to_look(cup, capsys):
    event = open_event(cup)
    rehearsals = iter([Rehearsal(problems=("no such program 'x'",)), FAILED])
    assert not check_before_run(event, quiet=False, attempt=lambda _spec: next(rehearsals))
    out, err = capsys.readouterr()
    assert out == "checking 2 players\n"
    assert err.splitlines() == [
        "gyoji: player a: no such program 'x'",
        "gyoji: player b: exited before it answered",
        f"gyoji: not run; `gyoji check {cup}` shows what the players write to stderr",
    ]


def test_before_a_quiet_run_only_what_cannot_be_told_is_said(cup, capsys):
    ready = Rehearsal(name="A", unable=("the rules",))
    assert check_before_run(open_event(cup), quiet=True, attempt=lambda _spec: ready)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("cannot be told the rules; it must know by itself") == 2


@pytest.mark.parametrize(("quiet", "lines"), [(False, 1), (True, 0)])
def test_skipped_checks_start_nothing(cup, capsys, quiet, lines):
    cup.write_text(CUP.format(more="skip_player_checks = true"))

    def attempt(_spec):
        raise AssertionError("a player was started")

    assert check_before_run(open_event(cup), quiet=quiet, attempt=attempt)
    assert capsys.readouterr().out.count("checks of 2 players skipped") == lines
