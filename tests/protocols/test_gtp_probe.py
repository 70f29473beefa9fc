"""The probe of GTP engines: a good one, and engines that lack or break one thing each."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from probing import MS, Process, interview

from gyoji.core.faults import IllegalMove
from gyoji.core.probe import Verdict
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules
from gyoji.protocols.gtp.probe import probe

OK, LACKING, WRONG = Verdict.OK, Verdict.LACKING, Verdict.WRONG
SECOND = 1000 * MS


class Engine(Process):
    """An engine with all of GTP that plays the first free point."""

    sizes = range(2, 26)
    lacks = frozenset()
    ids = True
    comments = True
    goes = True  # at quit
    listed = ("kgs-genmove_cleanup",)

    def __init__(self):
        self.set_up(19)

    def set_up(self, size):
        self.rules = rules(Options(board_size=size, komi=0.0), 0)
        self.positions = [self.rules.start()]

    def answer(self, line):
        if self.comments:
            line = line.partition("#")[0]
        number, words = re.match(r"\s*(\d*)\s*(.*)", line).groups()
        if not words.strip():
            return []
        command, *arguments = words.split()
        try:
            if command in self.lacks or not hasattr(self, f"do_{command}"):
                raise ValueError("unknown command")
            mark, text = "=", getattr(self, f"do_{command}")(*arguments)
        except (ValueError, TypeError) as error:
            mark, text = "?", str(error)
        return [f"{mark}{number if self.ids else ''} {text}".rstrip(" "), ""]

    def do_protocol_version(self):
        return "2"

    def do_name(self):
        return "Toy"

    def do_version(self):
        return "1"

    def do_list_commands(self):
        own = [name[3:] for name in dir(self) if name.startswith("do_") and name[3:] not in self.lacks]
        return "\n".join([*own, *self.listed])

    def do_known_command(self, command):
        return "true" if hasattr(self, f"do_{command}") else "false"

    def do_boardsize(self, size):
        if int(size) not in self.sizes:
            raise ValueError("unacceptable size")
        self.set_up(int(size))
        return ""

    def do_clear_board(self):
        self.positions = [self.rules.start()]
        return ""

    def do_komi(self, komi):
        float(komi)
        return ""

    def do_play(self, colour, vertex):
        move = self.rules.parse(vertex)
        position = self.positions[-1]._replace(to_play="bw".index(colour.lower()[0]))
        try:
            self.positions.append(self.rules.play(position, ((position.to_play, move),)))
        except IllegalMove:
            raise ValueError("illegal move") from None
        return ""

    def do_genmove(self, colour):
        position, seat = self.positions[-1], "bw".index(colour)
        free = self.rules.legal(position._replace(to_play=seat), seat)
        vertex = self.rules.format(next(iter(free)))
        self.do_play(colour, vertex)
        return vertex

    def do_undo(self):
        self.positions.pop()
        return ""

    def do_time_settings(self, *_numbers):
        return ""

    def do_time_left(self, *_words):
        return ""

    def do_final_score(self):
        return "B+80"

    def do_final_status_list(self, _status):
        return ""

    def do_fixed_handicap(self, _number):
        return "C3 G7"

    def do_place_free_handicap(self, _number):
        return "G7 C3"

    def do_set_free_handicap(self, *_vertices):
        return ""

    def do_quit(self):
        self.ends = "exited (exit 0)" if self.goes else ""
        return ""


def made_of(**traits):
    return type("Made", (Engine,), traits)


def findings_of(kind=Engine, wanted=None):
    return interview(probe(wanted), kind)[0]


def verdicts(findings):
    return {each.trial: each.verdict for each in findings.trials}


def of(findings, trial):
    return next(each for each in findings.trials if each.trial == trial)


@pytest.fixture(scope="module")
def good():
    return findings_of()


def test_a_good_engine_is_found_good(good):
    assert {each.verdict for each in good.trials} == {OK}
    assert good.name == "Toy:1"
    assert good.deviations == good.unfit == ()
    assert dict(good.supports) == {
        "sizes": ("5", "7", "9", "13", "19", "25"),
        "clocks": ("time_settings", "time_left"),
        "rules": (),
        "scores": ("final_score", "final_status_list"),
        "handicaps": ("fixed_handicap", "place_free_handicap", "set_free_handicap"),
        "extensions": ("kgs-genmove_cleanup",),
    }
    assert dict(good.prospects)["an even game"] == "can play"


def test_answers_to_what_is_refused_are_in_the_table(good):
    assert of(good, "play on a stone").said == "? illegal move"
    assert of(good, "7 name").said == "Toy"


@pytest.mark.parametrize(
    ("traits", "trial", "verdict"),
    [
        ({"ids": False}, "7 name", WRONG),
        ({"comments": False}, "a comment first", WRONG),
        ({"goes": False}, "quit", WRONG),
        ({"sizes": (9, 19)}, "boardsize 13", LACKING),
        ({"do_boardsize": lambda *_: ""}, "boardsize 1000", WRONG),
        ({"lacks": {"undo"}}, "undo", LACKING),
        ({"lacks": {"time_settings"}}, "time_settings 0 1 1", LACKING),
        ({"lacks": {"final_score"}}, "final_score", LACKING),
        ({"lacks": {"final_status_list"}}, "final_status_list dead", LACKING),
        ({"lacks": {"place_free_handicap"}}, "place_free_handicap 2", LACKING),
        ({"lacks": {"komi"}}, "komi 7.5", WRONG),
        ({"lacks": {"clear_board"}}, "clear_board", WRONG),
        ({"do_protocol_version": lambda _: "1"}, "protocol_version", WRONG),
        ({"do_known_command": lambda *_: "true"}, "known_command gyoji-nonsense", WRONG),
        ({"do_komi": lambda *_: ""}, "komi seven", WRONG),
        ({"do_final_score": lambda _: "nobody knows"}, "final_score", WRONG),
        ({"do_final_score": lambda _: "0"}, "final_score", OK),
        ({"do_fixed_handicap": lambda *_: "C3"}, "fixed_handicap 2", WRONG),
        ({"do_genmove": lambda *_: "C3"}, "genmove w", WRONG),
        ({"do_genmove": lambda *_: "I5"}, "genmove w", WRONG),
        ({"do_genmove": lambda *_: "K10"}, "genmove w", WRONG),
        ({"do_genmove": lambda *_: "pass"}, "genmove w", OK),
        ({"do_genmove": lambda *_: "resign"}, "genmove w", OK),
        ({"do_play": lambda *_: ""}, "play on a stone", WRONG),
    ],
)
def test_what_an_engine_lacks_or_does_wrong_is_found(traits, trial, verdict):
    findings = findings_of(made_of(**traits))
    assert verdicts(findings)[trial] is verdict
    assert (verdict is WRONG) == any(line.startswith(f"{trial}: ") for line in findings.deviations)


class Numbering(Engine):
    """An engine that repeats a number before all later output, as Edax 4.6 does."""

    number = ""

    def answer(self, line):
        if number := re.match(r"\s*\d+", line):
            self.number, line = f" {number[0]}", line[number.end() :]
        answer = super().answer(line)
        return [f"{answer[0][0]}{self.number}{answer[0][1:]}", *answer[1:]] if answer else []


def test_an_engine_that_keeps_a_number_can_play_where_no_numbers_are_sent():
    findings = findings_of(Numbering)
    assert verdicts(findings)["7 name"] is WRONG
    assert verdicts(findings)["genmove w"] is OK
    assert findings.unfit == ()


@pytest.mark.parametrize("command", ["clear_board", "komi", "play", "genmove"])
def test_without_what_a_game_needs_an_engine_is_unfit(command):
    findings = findings_of(made_of(lacks={command}))
    assert findings.unfit
    assert findings.unfit[0].startswith(command)
    assert "answers '? unknown command'" in dict(findings.prospects)["an even game"]


def test_the_size_of_the_game_that_is_wanted_has_to_be_known():
    wanted = rules(Options(board_size=11, komi=6.5), 0)
    assert findings_of(wanted=wanted).unfit == ()
    assert verdicts(findings_of(wanted=wanted))["komi 6.5"] is OK
    assert findings_of(made_of(sizes=(9, 19)), wanted).unfit == (
        "boardsize 11: answers '? unacceptable size'",
    )


def test_a_list_of_commands_without_those_that_are_due_is_out_of_protocol():
    findings = findings_of(made_of(do_list_commands=lambda _: "play\ngenmove\nquit"))
    assert "list_commands: without boardsize, clear_board, komi" in findings.deviations


def test_a_vertex_in_lower_case_is_out_of_protocol_and_taken():
    findings = findings_of(made_of(do_genmove=lambda self, colour: Engine.do_genmove(self, colour).lower()))
    assert verdicts(findings)["genmove w"] is OK
    assert "genmove w: a vertex in lower case (1 more time)" in findings.deviations


def crash(self, *_arguments):
    self.ends = "exited (exit 1)"
    raise ValueError


class Brittle(Engine):
    """An engine that ends at a komi that is no number, as a bot does that only calls float()."""

    def do_komi(self, komi):
        try:
            float(komi)
        except ValueError:
            crash(self)
        return ""


def test_an_engine_that_ends_at_nonsense_can_play_and_that_is_told_once():
    findings, processes = interview(probe(), Brittle)
    assert findings.unfit == ()
    assert dict(findings.prospects)["an even game"] == "can play"
    assert findings.dies_of == ("komi seven",)
    assert findings.deviations == ("komi seven: exited (exit 1)",)
    assert [each.trial for each in findings.trials if each.verdict is not OK] == ["komi seven"]
    assert processes == 2


def test_no_question_that_a_referee_puts_comes_after_one_that_none_does(good):
    asked = [each.trial for each in good.trials]
    nonsense = asked.index("komi seven")
    assert asked[nonsense - 1] == "set_free_handicap C3 G7"
    assert not {"genmove", "time_settings", "final_score", "undo"} & {
        each.split()[0] for each in asked[nonsense:]
    }


@pytest.mark.parametrize(
    ("command", "trial"), [("undo", "undo"), ("set_free_handicap", "set_free_handicap C3 G7")]
)
def test_an_engine_that_ended_is_asked_on_on_the_same_board(command, trial):
    findings, processes = interview(probe(), made_of(**{f"do_{command}": crash}))
    assert findings.dies_of == (trial,)
    assert {each.trial for each in findings.trials if each.verdict is not OK} == {trial}
    assert findings.unfit == ()
    assert processes == 2


def test_what_ends_an_engine_at_several_questions_is_told_in_full_once():
    findings = findings_of(made_of(do_undo=crash, do_fixed_handicap=crash))
    assert of(findings, "undo").remark == "exited (exit 1)"
    assert of(findings, "fixed_handicap 2").remark == "dies as of undo"
    assert findings.deviations == ("undo: exited (exit 1) (1 more time)",)


@pytest.mark.parametrize("command", ["time_settings", "final_score", "name", "known_command"])
def test_an_engine_that_ends_at_what_a_referee_sends_is_unfit(command):
    findings = findings_of(made_of(**{f"do_{command}": crash}))
    assert findings.unfit
    assert findings.unfit[0].startswith(command)
    assert findings.dies_of == ()


def test_an_engine_that_ends_at_each_genmove_is_unfit_for_one_reason():
    assert findings_of(made_of(do_genmove=crash)).unfit == ("genmove w: exited (exit 1)",)


def test_an_engine_that_cannot_be_started_again_is_unfit_and_asked_no_more():
    starts = iter([Brittle(), made_of(answer=lambda _self, _line: [])()])
    findings, processes = interview(probe(), starts.__next__)
    assert findings.unfit == ("does not start again: no answer in 1m",)
    assert findings.trials[-1].trial == "komi seven"
    assert processes == 2


def test_a_late_answer_is_not_taken_for_one_to_the_next_question():
    class Late(Engine):
        owed = b""

        def hear(self, data):
            said, self.owed = self.owed + super().hear(data), b""
            if data.startswith(b"undo"):
                said, self.owed = b"", said
            return said

    findings = findings_of(Late)
    assert {each.trial: each.remark for each in findings.trials if each.verdict is not OK} == {
        "undo": "no answer in 5s"
    }


@pytest.mark.parametrize(
    ("command", "trial"),
    [
        ("known_command", "known_command play"),
        ("final_score", "final_score"),
        ("fixed_handicap", "fixed_handicap 2"),
    ],
)
def test_an_optional_command_that_is_not_listed_is_not_supported_whatever_it_answers(command, trial):
    listed = "\n".join(set(Engine().do_list_commands().split()) - {command})
    findings = findings_of(made_of(**{f"do_{command}": lambda *_: "", "do_list_commands": lambda _: listed}))
    assert verdicts(findings)[trial] is LACKING
    assert findings.deviations == ()


def test_a_slow_engine_does_not_keep_to_its_time():
    findings = findings_of(made_of(took=1500 * MS))
    assert "genmove b: took 1500 ms where 1000 ms are allowed" in findings.deviations
    assert dict(findings.prospects)["an even game"] == "can play; it does not keep to its time"


@pytest.mark.parametrize(
    ("said", "remark"),
    [
        (b"", "no answer in 1m"),
        (b"= 2\n", "no empty line after '= 2'"),
        (b"hello\n\n", "a line that begins no answer: 'hello'"),
        (b"= 2\n\n= 2\n\n", "2 answers where 1 is due"),
        (b"\xff\xfe", "no empty line after '\\\\xff\\\\xfe'"),
    ],
)
def test_what_speaks_no_gtp_is_found_out_at_once(said, remark):
    findings, processes = interview(probe(), made_of(answer=lambda *_: said))
    assert [each.remark for each in findings.trials] == [remark]
    assert findings.unfit == (f"protocol_version: {remark}",)
    assert processes == 1


def test_two_commands_at_once_have_to_be_answered_both():
    class OneAtATime(Engine):
        def hear(self, data):
            return super().hear(data[: data.find(b"\n") + 1] if data == b"name\nversion\n" else data)

    assert of(findings_of(OneAtATime), "two commands at once").remark == "1 of 2 answers in 5s"


def test_an_end_before_its_answer_is_out_of_protocol():
    def leave(self):
        self.ends = "exited (exit 0)"
        raise ValueError

    findings = findings_of(made_of(do_quit=leave))
    assert of(findings, "quit").remark == "an answer is due before it ends"


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=5))
def test_whatever_an_engine_says_there_are_findings(says):
    class Babbler(Process):
        count = 0

        def answer(self, _line):
            self.count += 1
            return says[self.count % len(says)]

    assert interview(probe(), Babbler)[0].trials


@given(st.lists(st.sampled_from(["= 2\n\n", "=\n\n", "? no\n\n", "= true\n\n", "= D4\n\n"]), min_size=1))
def test_whatever_an_engine_answers_there_are_findings(answers):
    class Oracle(Process):
        count = 0

        def answer(self, line):
            if line == "protocol_version":
                return b"= 2\n\n"
            self.count += 1
            return answers[self.count % len(answers)].encode()

    assert len(interview(probe(), Oracle)[0].trials) > 5
