"""The programs and control files on the page about Dig Here work as printed."""

import re
from pathlib import Path

import click
from dighere_states import games

from gyoji.cli.app import app
from gyoji.config.competition import load
from gyoji.engines.dighere import State
from gyoji.engines.horidashi import Drunk
from gyoji.games.dighere.game import GAME as DIGHERE
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.plans import Reason
from gyoji.games.dighere.rules import rules

TEXT = (Path(__file__).parents[2] / "docs" / "reference" / "dighere.md").read_text(encoding="utf-8")
(PROGRAM,) = re.findall(r"```python\n(.*?)```", TEXT, re.S)
(CONTROL,) = re.findall(r"```toml\n(.*?)```", TEXT, re.S)


def think():
    """Return the function of the program."""
    names = {}
    exec(PROGRAM.replace("raise SystemExit", "agent = ").replace(".run())", ")"), names)
    return names["think"]


def test_the_program_has_as_many_lines_as_it_says():
    lines = [line for line in PROGRAM.splitlines() if line.strip() and not line.startswith('"""')]
    assert len(lines) == 12


def test_the_program_beats_a_random_mover():
    gathered = [0, 0]
    for number in range(8):
        game, team = rules(Options(), number // 2), number % 2
        thinks = [Drunk(str(number)) for _ in range(4)]
        thinks[team], thinks[team + 2] = think(), think()
        *_, (position, _) = games(game, thinks)
        gathered[0] += position.public.scores[team]
        gathered[1] += position.public.scores[1 - team]
    assert gathered[0] > 1.5 * gathered[1]


def test_the_control_file_is_a_competition_of_dig_here(tmp_path):
    fields = Path(__file__).parents[2] / "examples" / "openings" / "dighere.jsonl"
    (tmp_path / "fields.jsonl").write_bytes(fields.read_bytes())
    (tmp_path / "event.toml").write_text(CONTROL)
    setup = load(tmp_path / "event.toml")
    assert (setup.game, setup.settings.matchups[0].number_of_games) == ("dighere", 10)
    assert "(400ms)" in TEXT
    assert setup.players["first"].budgets.close == 400_000_000


def test_all_that_a_state_knows_is_in_the_table():
    told = set(re.findall(r"`state\.(\w+)", TEXT))
    assert told == {name for name in dir(State) if not name.startswith("_")} - {"count", "index"}


def test_every_reason_for_a_plan_to_fail_is_explained():
    assert all(f"`{reason.value}`" in TEXT for reason in Reason)


def test_the_preset_is_what_the_document_says():
    preset = DIGHERE.presets["samurai-coding"]
    assert {key: preset[key] for key in ("invalid_plans", "asking", "ponder")} == {
        "invalid_plans": "shown",
        "asking": "in turn",
        "ponder": False,
    }
    assert dict(preset["clock"]) == {"control": "10s", "grain": "10ms", "by_opening": True}
    for setting in ('invalid_plans = "shown"', 'asking = "in turn"', "ponder = false", 'grain = "10ms"'):
        assert setting in TEXT


def test_its_commands_and_options_exist():
    lines = re.findall(r"[`$] ?gyoji ([^`\n>|]*)", TEXT)
    assert len(lines) > 10
    for line in lines:
        command, words = app, line.split()
        while words and isinstance(command, click.Group):
            command = command.get_command(click.Context(command), words.pop(0))
        assert command is not app, line
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= options | {"-1"}, line
