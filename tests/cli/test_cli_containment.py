"""Containment, as a run tells of it before it starts, its report afterwards, and `gyoji doctor`."""

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs
from msgspec.structs import replace

from gyoji.cli import containment
from gyoji.cli.app import app
from gyoji.cli.containment import Kept, containment_line, is_whole, machine_for
from gyoji.core.spec import Budgets, Containment, Player
from gyoji.executors.contained.cgroups import Hierarchies
from gyoji.executors.contained.machine import NAMES, Machine
from gyoji.play.context import borrowed
from gyoji.scheduler.status import ExitStatus

WHOLE = Machine(
    namespaces=sum(NAMES),
    is_root=False,
    landlock=7,
    overlays=True,
    own_proc=True,
    read_only=True,
    counts_cpu=True,
)

BARE = Machine(namespaces=0, is_root=False, landlock=0, seccomp=False)
ROOT = replace(WHOLE, is_root=True)
REMEDY = "what engines need gets them one where every user may read it, as in /opt"
OWN = "containment: guarded for 1 player; as root, each engine has a uid of its own"


def players(*levels):
    return [Player(code="x", command=("x",), containment=Containment(level=level)) for level in levels]


@pytest.mark.parametrize(
    ("levels", "machine", "line"),
    [
        (["guarded"] * 2, WHOLE, "containment: guarded for 2 players"),
        (
            ["strict", "off", "guarded"],
            WHOLE,
            "containment: guarded for 1 player, strict for 1 player, off",
        ),
        (["off"], None, "containment: off for 1 player"),
        (
            ["guarded"],
            ROOT,
            "containment: guarded for 1 player; as root, engines keep uid 0, without cap",
        ),
        (
            ["guarded", "off"],
            replace(WHOLE, overlays=False, counts_cpu=False),
            "containment: guarded for 1 player, off for 1 player; missing: overlay, CPU counter (perf) (see",
        ),
    ],
)
def test_one_line_tells_the_levels_and_what_is_missing(levels, machine, line):
    found = containment_line(players(*levels), machine)
    assert found.startswith(line)
    assert is_whole(players(*levels), machine) == ("missing" not in line)


@pytest.mark.parametrize(
    ("kept", "line"),
    [
        ([], OWN),
        ([Kept("a", "/x")], f"{OWN}, but a with uid 0: /x is open to root alone; {REMEDY}"),
        ([Kept(code, "/y") for code in "abcde"],
         f"{OWN}, but a, b, c, d, e with uid 0: /y is open to root alone; {REMEDY}"),
        ([Kept("a", "/y"), Kept("b", "/z"), Kept("c", "/z")],
         f"{OWN}, but a with uid 0: /y is open to root alone; b, c with uid 0: /z is open to root alone; "
         f"{REMEDY}"),
    ],
)  # fmt: skip
def test_one_line_tells_whose_engines_have_no_uid_of_their_own(kept, line):
    found = containment_line(players("guarded"), replace(ROOT, own_uid=True), kept)
    assert found == line


def test_what_keeps_several_players_from_a_uid_is_told_once_and_where_it_is(tmp_path):
    closed = tmp_path / "closed"
    (closed / "bin").mkdir(parents=True)
    for folder in (closed, *closed.parents[:-1]):
        folder.chmod(folder.stat().st_mode | 0o001)
    closed.chmod(0o700)
    real, link = closed / "bin/python", tmp_path / "python"
    real.touch()
    link.symlink_to(real)
    kept = [Kept("a", str(real)), Kept("b", str(link))]
    found = containment_line(players("guarded"), replace(ROOT, own_uid=True), kept)
    assert f"but a, b with uid 0: {closed} is open to root alone; what" in found


@pytest.mark.parametrize(
    ("groups", "told"),
    [
        (None, "measured, without cgroups"),
        (Hierarchies(2, dict.fromkeys(("memory", "pids"), "/x")), "by cgroups v2 (memory, pids)"),
        (Hierarchies(1, {"memory": "/x"}), "by cgroups v1 (memory)"),
    ],
)
def test_one_line_tells_what_limits_all_that_an_engine_starts(groups, told):
    machine = replace(WHOLE, groups=groups)
    (limited,) = (structs.replace(each, budgets=Budgets(memory=1)) for each in players("guarded"))
    line = f"containment: guarded for 1 player; limits on all that an engine starts: {told}"
    assert containment_line([limited], machine) == line
    assert containment_line(players("strict"), machine) == line.replace("guarded", "strict")
    assert "limits" not in containment_line(players("guarded"), machine)


@pytest.mark.process
def test_a_program_that_is_open_to_root_alone_is_named_before_the_run():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        bot = Path(folder, "bot")
        bot.write_text("#!/bin/sh\n")
        bot.chmod(0o700)
        with borrowed(None) as context:
            machine, kept = machine_for([Player(code="x", command=(str(bot),)), *players("off")], context)
    assert kept == ([Kept("x", str(bot))] if machine.own_uid else [])


@pytest.mark.process
def test_a_report_tells_by_which_level_engines_were_contained(tmp_path):
    kozo = Path(sys.executable).parent / "gyoji-kozo"
    (tmp_path / "e.toml").write_text(
        'competition = "playoff"\nboard_size = 5\nkomi = 7.5\nskip_player_checks = true\n'
        f"[players.a]\ncommand = '{kozo} --random'\n[players.b]\ncommand = '{kozo} --random'\n"
        'sandbox = "off"\n[[matchups]]\nplayers = ["a", "b"]\nnumber_of_games = 1\n'
    )
    result = CliRunner().invoke(app, ["run", str(tmp_path / "e.toml")])
    assert "containment: guarded for 1 player, off for 1 player" in result.output
    report = (tmp_path / "e.report").read_text()
    assert "containment: guarded" in report
    assert "off: b" in report
    shown = json.loads(CliRunner().invoke(app, ["show", "--json", str(tmp_path / "e.toml")]).stdout)
    assert {"containment": "off", "players": ["b"]} in shown["tables"]["containment"]
    table = CliRunner().invoke(
        app, ["report", "--format", "csv", "--table", "containment", str(tmp_path / "e.toml")]
    )
    assert "off,b" in table.stdout


@pytest.mark.process
def test_what_this_machine_has_is_told_by_layer_and_by_level():
    result = CliRunner().invoke(app, ["doctor"])
    values = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert values["root"] == (os.geteuid() == 0)
    for layer in values["layers"]:
        assert f"\n{layer['name']} " in result.stdout
        assert layer["found"] in result.stdout
    whole = all(level["available"] for level in values["levels"].values())
    assert result.exit_code == (ExitStatus.COMPLETE if whole else ExitStatus.HALTED)
    assert ("strict   can be had" in result.stdout) == values["levels"]["strict"]["available"]


@pytest.mark.process
def test_a_machine_that_lacks_what_a_level_promises_is_status_1(monkeypatch):
    monkeypatch.setattr(containment, "examine", lambda launcher: BARE)
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == ExitStatus.HALTED
    assert "guarded  in part: no reach to other processes (a pid namespace); no change" in result.stdout
    assert (
        "strict   cannot be had: no reach to other processes (a pid namespace); no reading" in result.stdout
    )
    assert "off      can be had" in result.stdout
    assert result.stdout.endswith("remedies for missing layers: docs/how-to/trouble.md\n")
    values = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert [level["available"] for level in values["levels"].values()] == [False, False, True]
