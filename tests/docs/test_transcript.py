"""What runs the pages notices what is wrong with them."""

import os

import pytest
from tests.docs.transcript import Shell, blocks, difference, follow


@pytest.fixture
def shell(tmp_path):
    with Shell(tmp_path, {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}) as shell:
        yield shell


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("a\nb\n", "a  \nb\n\n"),
        ("took 1.2 s, at 2026-11-22 10:11:12\n", "took 350 ms, at 2027-01-02T03:04:05+0000\n"),
        (
            "http://127.0.0.1:8437/#steer=Nq0jGmXx5o2cM3kRZ1WfYw8u\n",
            "http://127.0.0.1:9000/#steer=" + "x" * 32,
        ),
        ("a\n...\nd\n", "a\nb\nc\nd\n"),
        ("a\n...\nd\n", "a\nd\n"),
        ("all ... games\n", "all 12 long games\n"),
        ("game 0_0: a\ngame 0_1: b\nend\n", "game 0_1: b\ngame 0_0: a\nend\n"),
    ],
)
def test_what_varies_by_itself_is_no_difference(shown, printed):
    assert difference(shown, printed) == ""


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        ("a\n", "b\n"),
        ("a\n", "a\nb\n"),
        ("a 3-0\n", "a 2-1\n"),
        ("a.c\n", "abc\n"),
        ("a\n...\nd\n", "a\nb\n"),
        ("end\ngame 0_0: a\n", "game 0_0: a\nend\n"),
    ],
)
def test_what_else_differs_is_told(shown, printed):
    assert "+ " in difference(shown, printed) or "- " in difference(shown, printed)


def test_figures_vary_where_a_page_says_so_and_words_do_not():
    assert difference("a  4 100.00%  W+5\n", "a   3  75.00% W+12.5\n", figures_vary=True) == ""
    assert difference("a 4\n", "b 4\n", figures_vary=True)


def test_games_whose_results_vary_are_still_in_the_order_of_their_names():
    shown = "game 0_0: a beat b B+R\n...\nend\n"
    assert (
        difference(shown, "game 0_1: b beat a W+2\ngame 0_0: a beat b W+1.5\nend\n", figures_vary=True) == ""
    )


def test_blocks_have_their_marks_and_lines():
    page = "x\n\n<!-- file: a b.toml -->\n```toml\nk = 1\n```\n\n"
    page += "<!-- figures vary -->\n<!-- not run: no net -->\n```console\n$ a\n```\n```\nb\n```\n"
    assert [(block.language, block.marks, block.line, block.is_run) for block in blocks(page)] == [
        ("toml", {"file": "a b.toml"}, 4, False),
        ("console", {"figures vary": "", "not run": "no net"}, 10, False),
        ("", {}, 13, False),
    ]


def test_a_command_may_have_several_lines():
    (block,) = blocks("```console\n$ cat <<E\n> a\n>\n> E\na\n\n$ b\n```\n")
    assert block.commands() == [("cat <<E\na\n\nE", "a\n\n"), ("b", "")]


@pytest.mark.process
def test_a_shell_goes_on_where_the_last_command_left_it(shell, tmp_path):
    (tmp_path / "in").mkdir()
    assert shell.run("cd in; X=5") == (0, "")
    assert shell.run("echo $X $PWD; sh -c 'exit 3'") == (3, f"5 {tmp_path}/in\n")
    assert shell.run("echo $?; cat") == (0, "3\n")


@pytest.mark.process
def test_a_command_that_does_not_end_is_told_with_its_output(shell):
    with pytest.raises(TimeoutError, match="halfway"):
        shell.run("echo halfway; sleep 60", within=0.5)


@pytest.mark.process
def test_a_command_that_ends_the_shell_is_told(shell):
    with pytest.raises(ChildProcessError, match="exit 2"):
        shell.run("exit 2")


@pytest.mark.process
@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("```console\n$ echo a\nb\n```\n", r"line 1: \$ echo a"),
        ("x\n```console\n$ false\n```\n", r"line 2: \$ false\nended with status 1"),
        ("<!-- status: 1 -->\n```console\n$ true\n```\n", "no command fails"),
        ("<!-- status: 1 -->\n```console\n$ sh -c 'exit 2'\n```\n", "ended with status 2"),
    ],
)
def test_a_page_that_is_wrong_is_told_with_its_line(shell, tmp_path, page, found):
    with pytest.raises(AssertionError, match=found):
        follow(page, shell, home=tmp_path)


@pytest.mark.process
def test_a_page_that_is_right_runs_in_its_order(shell, tmp_path):
    page = "```console\n$ mkdir d; cd d\n```\n<!-- file: e/f -->\n```\nx 1\n```\n<!-- status: 1 -->\n"
    page += "```console\n$ cat e/f; pwd; false\nx 1\n/home/you/d\n$ echo $?\n1\n```\n"
    follow(page, shell, home=tmp_path)


@pytest.mark.process
def test_a_command_that_goes_on_is_waited_for_until_it_has_printed_what_is_shown(shell, tmp_path):
    page = "<!-- goes on -->\n```console\n$ echo a; sleep 0.2; echo b; sleep 600\na\nb\n```\n"
    follow(page, shell, home=tmp_path)
