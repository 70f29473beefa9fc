"""`gyoji doctor`: the layers, the levels, the status."""

import json
import os

import pytest
from click.testing import CliRunner

from gyoji.cli import containment
from gyoji.cli.app import app
from gyoji.executors.contained.machine import Machine
from gyoji.scheduler.status import ExitStatus

pytestmark = pytest.mark.process
BARE = Machine(namespaces=0, is_root=False, landlock=0, seccomp=False)


def test_what_this_machine_has_is_told_by_layer_and_by_level():
    result = CliRunner().invoke(app, ["doctor"])
    values = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert values["root"] == (os.geteuid() == 0)
    for layer in values["layers"]:
        assert f"\n{layer['name']} " in result.stdout
        assert layer["remedy"] in result.stdout
    whole = all(level["available"] for level in values["levels"].values())
    assert result.exit_code == (ExitStatus.COMPLETE if whole else ExitStatus.HALTED)
    assert ("strict   can be had" in result.stdout) == values["levels"]["strict"]["available"]


def test_a_machine_that_lacks_what_a_level_promises_is_status_1(monkeypatch):
    monkeypatch.setattr(containment, "examine", lambda launcher: BARE)
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == ExitStatus.HALTED
    assert "guarded  in part: no reach to other processes (a pid namespace); no change" in result.stdout
    assert (
        "strict   cannot be had: no reach to other processes (a pid namespace); no reading" in result.stdout
    )
    assert "off      can be had" in result.stdout
    values = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert [level["available"] for level in values["levels"].values()] == [False, False, True]
