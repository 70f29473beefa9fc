"""The workflow of GitHub calls the gate, and builds wheels for every Python that the project names."""

import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/gate.yml").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def commands(job: str) -> list[str]:
    return [step["run"] for step in WORKFLOW["jobs"][job]["steps"] if "run" in step]


def test_the_gate_is_ci_run():
    assert commands("gate") == ["bash .ci/run"]
    assert commands("nightly") == ["bash .ci/run nightly"]
    assert (ROOT / ".ci/run").exists()


def test_wheels_are_compiled_for_every_python_that_is_classified():
    versions = [
        words[-1]
        for line in PROJECT["classifiers"]
        if line.startswith("Programming Language :: Python :: 3.") and (words := line.split())
    ]
    assert WORKFLOW["jobs"]["wheels"]["strategy"]["matrix"]["python"] == versions
    assert any("GYOJI_MYPYC=3" in command for command in commands("wheels"))
