"""docs/how-to/extending.md says what is so: groups, names of members, and the object of the example."""

import re
import sys
from pathlib import Path

import pytest

from commands import run
from distributions import REGISTRIES, lay_out
from gyoji.core import ports
from gyoji.protocols.gtp import dialogues
from gyoji.testing.rules_kit import check_rules

REPOSITORY = Path(__file__).parents[2]
DOC = (REPOSITORY / "docs/how-to/extending.md").read_text()


def test_the_groups_of_entry_points_are_those_of_the_registries():
    named = re.findall(r"^\|[^|]*\| `(gyoji\.\w+)` \|", DOC, re.MULTILINE)
    assert set(named) == {*REGISTRIES, "gyoji.commands"}


def test_the_object_of_the_example_is_the_example_s():
    source = (REPOSITORY / "examples/plugins/othello/src/gyoji_othello/__init__.py").read_text()
    without_comments = "".join(line for line in source.splitlines(True) if not line.strip().startswith("#"))
    (shown,) = re.findall(r"```python\n(GAME = .*?)```", DOC, re.DOTALL)
    assert shown in without_comments


def test_every_protocol_of_rules_is_named_and_every_member_that_gtp_looks_for():
    own = [name for name, kind in vars(ports).items() if getattr(kind, "__module__", "") == ports.__name__]
    of_rules = own[own.index("HasRoles") : own.index("SettlesDead") + 1]
    assert all(f"`{name}`" in DOC for name in of_rules)
    parts = (dialogues.HasName, dialogues.HasKomi, dialogues.HasOpening, dialogues.HasHandicap)
    for part in (dialogues.GtpRules, *parts, dialogues.HasRulesets):
        assert all(f"`{member}`" in DOC for member in ports._members(part))


@pytest.fixture
def tictactoe(tmp_path):
    """The folder with the game and the bot of the page, laid out as an installed distribution."""
    files = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", DOC, re.DOTALL))
    (tmp_path / "bot.py").write_text(files["bot.py"])
    ((group, name, value),) = re.findall(r'entry-points."(.+?)"\]\n(\w+) = "(.+?)"', files["pyproject.toml"])
    return lay_out(tmp_path, {"tictactoe": files["tictactoe.py"]}, [(group, name, value)], name="tictactoe")


def test_the_game_of_the_page_keeps_the_promises_of_rules(tictactoe, monkeypatch):
    monkeypatch.syspath_prepend(tictactoe)
    import tictactoe as module  # noqa: PLC0415 - it is there now

    check_rules(module.GAME.rules(module.Options(), 0), games=20)


@pytest.mark.process
def test_the_game_of_the_page_is_played_by_its_bot(tictactoe):
    bot = f"{sys.executable} bot.py"
    words = ("match", "--game", "tictactoe", bot, bot, "--games", "2")
    told = run(sys.executable, "-m", "gyoji", *words, cwd=tictactoe, timeout=300, PYTHONPATH=str(tictactoe))
    assert "(2/2 games)" in told
