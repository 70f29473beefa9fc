"""Pages are what they say: links lead somewhere, and every command runs as printed and prints what is shown.

`pytest -m slow tests/docs -k NAME` runs the commands of one page.
"""

import fcntl
import re
import shutil
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from tests.docs.transcript import Shell, blocks, follow

REPOSITORY = Path(__file__).parents[2]
TOP = [REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md")]
PAGES = {str(path.relative_to(REPOSITORY)): path for path in sorted((REPOSITORY / "docs").rglob("*.md"))}
PAGES |= {path.name: path for path in TOP}
RUN = [name for name, path in PAGES.items() if any(block.is_run for block in blocks(path.read_text()))]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files_and_to_headings_in_them(name):
    path = PAGES[name]
    for link, anchor in re.findall(r"\]\(([^)#\s:]*)(?:#([^)]*))?\)", path.read_text()):
        target = path.parent / link if link else path
        assert target.exists(), link
        assert not anchor or target.suffix != ".md" or anchor in _anchors(target), f"{link}#{anchor}"


@cache
def _anchors(path):
    """Return what the headings of a page are called in links, as GitHub and the site call them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_no_command_of_the_cluster_pages_opens_a_page_of_dask_to_everybody():
    """Dask's scheduler and workers serve one by plain HTTP at all addresses, keys or not."""
    text = PAGES["docs/how-to/cluster.md"].read_text()
    commands = re.findall(r"^.*\bdask (?:scheduler|worker) (?:--protocol|tls).*$", text, re.M)
    assert len(commands) == 5
    assert all("--no-dashboard" in command for command in commands)


@pytest.mark.parametrize("folder", ["tutorials", "how-to", "reference", "explanation"])
def test_the_index_of_a_folder_has_each_of_its_pages_in_its_list_and_in_its_tree(folder):
    pages = {path.stem for path in (REPOSITORY / "docs" / folder).glob("*.md")} - {"index"}
    text = (REPOSITORY / "docs" / folder / "index.md").read_text()
    (tree,) = [block for block in blocks(text) if block.language == "{toctree}"]
    assert set(re.findall(r"^\* \[.*?\]\(([\w-]+)\.md\): ", text, re.MULTILINE)) == pages
    assert set(re.findall(r"^[\w-]+$", tree.text, re.MULTILINE)) == pages


@pytest.mark.parametrize("name", PAGES)
def test_every_block_has_a_language_and_commands_stand_in_consoles(name):
    for block in blocks(PAGES[name].read_text()):
        assert block.language, f"line {block.line}: no language"
        assert block.marks.get("not run") != "", f"line {block.line}: no reason"
        if block.language == "console":
            block.commands()
        else:
            assert not re.search(r"^\$ ", block.text, re.MULTILINE), f"line {block.line}: a command"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_installs_the_file_of_the_release_not_a_name_that_no_public_index_has(name):
    assert not re.search(r"install (-\S+ )*gyoji$", PAGES[name].read_text(), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("name", [name for name in RUN if name.startswith("docs/")])
def test_a_page_runs_as_printed(name, home, environment, wheel_environment):
    text = PAGES[name].read_text()
    environment["PATH"] = f"{wheel_environment}:{environment['PATH']}"
    (wheel,) = (wheel_environment.parents[1] / "wheels").glob("*.whl")
    environment["PIP_FIND_LINKS"] = str(wheel.parent)  # as if an index had it
    if wheel.name in text:
        shutil.copy(wheel, home)
    with _ports_of(text, wheel_environment), Shell(home, environment) as shell:
        follow(text, shell, home=home)


@contextmanager
def _ports_of(text, folder):
    """Servers of pages have the same port: one page at a time has any."""
    with (folder / "port.lock").open("w") as lock:
        if re.search(r"^\$ .*\b(gyoji serve|--serve|dask scheduler)", text, re.MULTILINE):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.slow
@pytest.mark.process
def test_the_readme_runs_as_printed_in_a_clone(home, clone, environment):
    with Shell(clone, environment) as shell:
        follow((clone / "README.md").read_text(), shell, home=home)
