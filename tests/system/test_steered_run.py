"""A run of real processes that is steered by real commands."""

import json

import pytest

pytestmark = [pytest.mark.process, pytest.mark.slow]

CONTROL = """\
competition = "playoff"
board_size = 9
komi = 7.5
record_games = false
number_of_games = {games}

[players.one]
command = "{engine} --seed 1 --moves 20"

[players.two]
command = "{engine} --seed 2 --moves 20"

[[matchups]]
players = ["one", "two"]

[[matchups]]
players = ["two", "one"]
{more}
"""


def test_a_run_is_paused_given_more_to_do_and_goes_on_to_its_end(gyoji, instant):
    def write(games, more=""):
        (gyoji.folder / "event.toml").write_text(CONTROL.format(engine=instant, games=games, more=more))

    write(1_000_000)
    run = gyoji.start("run", "event.toml")
    while not run.stdout.readline().startswith("game "):
        pass
    status, out, _ = gyoji("control", "event.toml", "--pause", "--parallel", "2", "--status")
    assert status == 0
    answer = json.loads(out)
    assert (answer["parallel"], answer["paused"], answer["stopping"]) == (2, True, None)
    played = answer["finished"] + len(answer["games"])
    write(
        played, '[players.three]\ncommand = "/nonexistent/engine"\n[[matchups]]\nplayers = ["one", "three"]'
    )
    status, _, err = gyoji("control", "event.toml", "--reload")
    assert status == 1
    assert "player three" in err
    write(
        played,
        f'[players.three]\ncommand = "{instant} --moves 9"\n[[matchups]]\nplayers = ["three", "three"]',
    )
    status, out, err = gyoji("control", "event.toml", "--reload", "--resume")
    assert (status, err) == (
        0,
        "gyoji: player three: cannot be told the rules; it goes by its own settings\n",
    )
    assert out.startswith("checking 1 player\n2 at once, ")
    out, err = run.communicate()
    assert run.returncode == 0
    assert err.splitlines() == [
        "gyoji: players one, two: cannot be told the rules; each goes by its own settings",
        "gyoji: paused",
        "gyoji: 2 games at once",
        "gyoji: control file read again",
        "gyoji: resumed",
    ]
    shown = json.loads(gyoji("show", "--json", "event.toml")[1])
    assert [matchup["played"] for matchup in shown["matchups"]] == [played] * 3
    assert not gyoji.left()
