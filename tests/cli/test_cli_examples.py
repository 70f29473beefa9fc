"""`gyoji examples`: all that is shipped is listed and copied, what competitions have left is not."""

import shutil
from pathlib import Path

from command_line import gyoji as run

import gyoji
from gyoji.cli import examples as shipped

EXAMPLES = Path(__file__).parents[2] / "examples"


def names(folder):
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def test_each_is_listed_with_what_it_is_for():
    lines = run("examples").stdout.partition("\n\n")[0].splitlines()
    files = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in {".toml", ".ctl"})
    assert [line.split()[0] for line in lines] == files
    assert all(len(line.split()) > 3 for line in lines)


def test_all_are_copied_but_for_plug_ins_and_what_a_competition_has_left(tmp_path, monkeypatch):
    here = tmp_path / "here"
    shutil.copytree(EXAMPLES, here)
    for left in ("quickstart.db", "quickstart.lock", "quickstart.games/1.sgf", "quickstart.report"):
        (here / left).parent.mkdir(exist_ok=True)
        (here / left).touch()
    monkeypatch.setattr(shipped, "examples_folder", lambda: here)
    told = run("examples", tmp_path / "new")
    assert told.exit_code == 0
    assert f"gyoji run {tmp_path / 'new' / 'quickstart.toml'}" in told.stdout
    copied = names(tmp_path / "new")
    assert {each.suffix for each in copied} <= shipped.DATA
    assert not any("quickstart.games" in str(each) or each.parts[0] == "plugins" for each in copied)
    assert {
        each for each in names(EXAMPLES) if each.suffix in {".toml", ".ctl"} and "/" not in str(each)
    } <= copied
    assert Path("openings/go.txt") in copied


def test_no_file_is_overwritten_and_none_written_then(tmp_path):
    (tmp_path / "playoff.toml").write_text("mine")
    told = run("examples", tmp_path)
    assert told.exit_code == 2
    assert "playoff.toml: is there already; name a folder that has no examples yet" in told.stderr
    assert names(tmp_path) == {Path("playoff.toml")}


def test_a_wheel_has_them_inside_the_package(tmp_path, monkeypatch):
    (tmp_path / "gyoji/examples").mkdir(parents=True)
    monkeypatch.setattr(gyoji, "__file__", str(tmp_path / "gyoji/__init__.py"))
    assert shipped.examples_folder() == tmp_path / "gyoji/examples"
