"""The setup script, and what a machine is told that lacks pip. No environment is made here."""

import importlib.util
import os
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from gyoji.store.files import CompetitionFiles

ROOT = Path(__file__).parents[1]


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    """The script as a module, with an environment of its own that is not there yet."""
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", str(tmp_path / "venv"))
    monkeypatch.setattr(module, "MYPY_CACHE", str(tmp_path))
    return module


class Machine:
    """What commands do: `python -m venv` makes a folder; those with one of `missing` in them fail."""

    def __init__(self, bootstrap, missing):
        self.bootstrap, self.missing = bootstrap, missing
        self.done = []

    def __call__(self, command, **_options):
        self.done.append(command)
        if "venv" in command:
            os.makedirs(self.bootstrap.VENV, exist_ok=True)
        is_plain_venv = "venv" in command and "--without-pip" not in command
        return int(("ensurepip" in self.missing and is_plain_venv) or any(w in command for w in self.missing))


@pytest.fixture
def machine(bootstrap, monkeypatch):
    def machine(*missing):
        machine = Machine(bootstrap, missing)
        monkeypatch.setattr(bootstrap.subprocess, "call", machine)
        return machine

    return machine


def test_where_debian_has_taken_pip_out_the_package_is_named_and_nothing_is_left(bootstrap, machine):
    machine("ensurepip", "pip")
    with pytest.raises(SystemExit) as caught:
        bootstrap.set_up("web")
    assert "apt-get install python3-venv" in str(caught.value)
    assert "python3-pip" in str(caught.value)
    assert sys.executable in str(caught.value)
    assert not os.path.exists(bootstrap.VENV)


def test_an_environment_that_somebody_else_made_is_left_alone(bootstrap, machine):
    os.makedirs(bootstrap.tool(""))
    Path(bootstrap.tool("python")).touch()
    machine("pip")
    with pytest.raises(SystemExit):
        bootstrap.set_up("web")
    assert os.path.exists(bootstrap.tool("python"))


def test_the_pip_of_the_system_will_do(bootstrap, machine):
    done = machine("ensurepip").done
    bootstrap.set_up("web")
    assert done[-1][:3] == [bootstrap.tool("python"), "-m", "pip"]
    assert done[-1][3] == "install"


def test_nothing_is_fetched_but_by_pip():
    text = (ROOT / "bootstrap.py").read_text()
    assert "://" not in text
    assert not any(word in text for word in ("urllib", "socket", "pypi", "--index-url", "-i "))


@pytest.mark.parametrize(("word", "extra"), [("setup", "web"), ("", "web"), ("test", "dev")])
def test_what_the_examples_use_is_installed(bootstrap, machine, monkeypatch, word, extra):
    done = machine().done
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", *([word] if word else [])])
    bootstrap.main()
    installed = next(command for command in done if "install" in command)
    assert installed[-1] == f"{ROOT}[{extra}]"
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert any(each.startswith("starlette") for each in extras["web"])
    assert extras["dev"][0].startswith("gyoji[web")


def test_the_quickstart_writes_into_a_folder_that_git_ignores(bootstrap, machine, monkeypatch):
    done = machine().done
    monkeypatch.setattr(sys, "argv", ["bootstrap.py"])
    bootstrap.main()
    assert done[-1] == [bootstrap.tool("gyoji"), "demo"]
    assert "/gyoji-demo/" in (ROOT / ".gitignore").read_text().splitlines()


def test_what_the_examples_leave_is_ignored_by_git_and_so_no_part_of_a_package():
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    files = CompetitionFiles(Path("examples/quickstart.toml"))
    folders = (files.games, files.voids, files.transcripts, files.folders)
    plain = (files.database, files.log, files.history, files.report, files.page, files.lock, files.socket)
    for path in (*folders, *plain):
        assert any(fnmatch(f"/examples/{path.name}", line) for line in ignored), path.name


def test_the_checks_say_how_long_they_take_and_get_no_stdin(bootstrap, machine, monkeypatch, capfd):
    machine()
    given = []

    def call(command, **options):
        given.append((Path(command[0]).name, options.get("stdin")))
        return 0

    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    bootstrap.test()
    told = capfd.readouterr().out.splitlines()
    assert given == [(command[0], bootstrap.subprocess.DEVNULL) for command in bootstrap.CHECKS]
    assert all(
        bootstrap.LENGTHS[command[0]] in line for command, line in zip(bootstrap.CHECKS, told, strict=False)
    )
    assert told[-1] == "--- all passed in 0 min 0 s"


@pytest.mark.parametrize("status", [0, 1])
def test_where_nothing_was_checked_before_tests_are_compiled_beside_the_checks_before_them(
    bootstrap, monkeypatch, tmp_path, status
):
    done = []

    class Compiling:
        def __init__(self, command, **_options):
            done.append(" ".join(command[1:]))

        def wait(self):
            done.append("waited for")

        def kill(self):
            done.append("ended")

    def call(command, **_options):
        done.append(Path(command[0]).name)
        return status if done[-1] == "mypy" else 0

    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    monkeypatch.setattr(bootstrap.subprocess, "Popen", Compiling)
    monkeypatch.setattr(bootstrap, "MYPY_CACHE", str(tmp_path / "not there"))
    checks = [command[0] for command in bootstrap.CHECKS]
    if status:
        with pytest.raises(SystemExit):
            bootstrap.test()
        assert done == ["--collect-only -qq", *checks[: checks.index("mypy") + 1], "ended"]
    else:
        bootstrap.test()
        assert done == ["--collect-only -qq", *checks[:-1], "waited for", checks[-1], "ended"]


def test_the_licence_is_mit_as_a_file_and_in_the_metadata():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
    assert (ROOT / "LICENSE").read_text().startswith("MIT License\n\nCopyright (c) 2026 The gyoji team\n")
