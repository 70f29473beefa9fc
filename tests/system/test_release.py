"""What is released: it builds, its metadata are in order, and the wheel plays under each Python here."""

import email
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest

import commands
import gyoji

REPOSITORY = Path(__file__).parents[2]
pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.nightly]

CHECKED_ONLY = {"usenix.toml", "people.toml", "language-model.toml"}
"""Games of the one take minutes, by the rules of 1984, those of the other wait for a person."""

ONE_OF_EACH_GAME = {"quickstart.toml", "gomoku.toml", "dighere.toml"}


def pythons():
    """Return one of each supported version of Python on this machine, this one among them."""
    found = {sys.version_info.minor: Path(sys.executable)}
    for minor in range(11, 20):
        kept = Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3.{minor}")
        for python in filter(None, (shutil.which(f"python3.{minor}"), *kept)):
            if subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0:
                found.setdefault(minor, Path(python))
    return found


PYTHONS = pythons()


run = partial(commands.run, timeout=400)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The folder of what `python -m build` makes."""
    folder = tmp_path_factory.mktemp("released")
    run(sys.executable, "-m", "build", "--no-isolation", "-o", folder, REPOSITORY, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(released):
    (wheel,) = released.glob("*.whl")
    return wheel


def test_what_is_uploaded_passes_the_strict_check(released):
    files = sorted(released.iterdir())
    assert [file.name for file in files] == [
        f"gyoji-{gyoji.__version__}-py3-none-any.whl",
        f"gyoji-{gyoji.__version__}.tar.gz",
    ]
    told = run(sys.executable, "-m", "twine", "check", "--strict", *files, cwd=released, NO_COLOR="1")
    assert told.count("PASSED") == len(files)


@pytest.fixture(scope="module")
def metadata(wheel):
    with ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(archive.read(name))


def test_the_metadata_say_who_what_and_under_which_licence(wheel, metadata):
    with ZipFile(wheel) as archive:
        assert any(each.endswith("licenses/LICENSE") for each in archive.namelist())
    assert (metadata["Author"], metadata["License-Expression"]) == ("The gyoji team", "MIT")
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_the_description_is_the_readme_without_links_to_files(metadata):
    told = metadata.get_payload(decode=True).decode()
    assert [link for link in re.findall(r"\]\(([^)]*)\)", told) if not link.startswith("https://")] == []
    readme = (REPOSITORY / "README.md").read_text()
    assert told.strip() == re.sub(r"\[([^]]*)\]\((?!https://)[^)]*\)", r"\1", readme).strip()


def test_the_wheel_has_man_pages_and_completions(wheel):
    with ZipFile(wheel) as archive:
        shared = {
            each.partition(".data/data/share/")[2] for each in archive.namelist() if ".data/data/" in each
        }
    completions = {
        *("bash-completion/completions/gyoji", "zsh/site-functions/_gyoji"),
        "fish/vendor_completions.d/gyoji.fish",
    }
    assert completions <= shared
    assert {f"man/man1/gyoji{name}.1" for name in ("", "-run", "-match", "-serve", "-field-draw")} <= shared


def test_the_version_is_the_changelogs_newest_and_the_citations():
    changes = re.findall(r"^## (\d\S*)", (REPOSITORY / "CHANGELOG.md").read_text(), re.M)
    assert changes[0] == gyoji.__version__
    assert f"\nversion: {gyoji.__version__}\n" in (REPOSITORY / "CITATION.cff").read_text()


@pytest.fixture
def installed(wheel, tmp_path):
    """A function that makes an environment with the wheel alone; returns the environment's variables."""

    def installed(python):
        environment = tmp_path / "env"
        run(python, "-m", "venv", "--without-pip", environment, cwd=tmp_path)
        inside = environment / "bin" / "python"
        pip = (sys.executable, "-m", "pip", "--python", inside, "install", "-q")
        run(*pip, "--disable-pip-version-check", wheel, cwd=tmp_path)
        path = f"{environment / 'bin'}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": "", "VIRTUAL_ENV": str(environment)}

    return installed


@pytest.mark.parametrize("minor", PYTHONS)
def test_the_wheel_alone_plays_a_first_match_and_the_examples(minor, installed, tmp_path):
    environ = installed(PYTHONS[minor])
    told = run("gyoji", "match", "gyoji-kozo", "gyoji-kozo --random", "--size", 7, cwd=tmp_path, **environ)
    assert "2 games" in told
    run("gyoji", "examples", "here", cwd=tmp_path, **environ)
    examples = {path.name for path in (tmp_path / "here").iterdir() if path.suffix in {".toml", ".ctl"}}
    played = examples - CHECKED_ONLY
    # What differs from Python to Python are the packages it gets: one example of each game shows that they do

    def play(name):
        words = ("run", "-q", "-g", 1) if name in played else ("check", "--quick")
        run("gyoji", *words, f"here/{name}", cwd=tmp_path, **environ)

    with ThreadPoolExecutor(3) as pool:  # half of the time of each is waiting
        list(pool.map(play, sorted(examples if minor == min(PYTHONS) else ONE_OF_EACH_GAME)))
