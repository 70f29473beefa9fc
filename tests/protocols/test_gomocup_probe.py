"""The probe of brains: a good one, and brains that lack or break one thing each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from probing import MS, Process, interview

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.core.probe import Heard, Verdict
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.protocols.gomocup.lines import read_line
from gyoji.protocols.gomocup.probe import QUIET, QUIET_SIDE, probe, trial
from gyoji.protocols.gomocup.probe_asking import (
    LEAGUES,
    TURN,
    Answer,
    BrainNotes,
    Facts,
    board,
    lateness,
)

OK, LACKING, WRONG = Verdict.OK, Verdict.LACKING, Verdict.WRONG
SECOND = 1000 * MS


class Brain(Process):
    """A brain that plays the first free point."""

    sizes = range(5, 31)
    rectangles = True
    optional = frozenset(("RESTART", "TAKEBACK", "PLAY", "SWAP2BOARD"))
    refuses: dict[int, str] = {}  # noqa: RUF012 - by rule
    says_unknown = True
    wants_colours = False

    def __init__(self):
        self.rule, self.stones, self.lines, self.size = 0, [], None, (20, 20)

    def answer(self, line):
        word, _, rest = line.partition(" ")
        if self.lines is not None:
            return self.listed(line)
        if word in ("RESTART", "TAKEBACK", "PLAY", "SWAP2BOARD") and word not in self.optional:
            return self.unknown(word)
        return getattr(self, word.lower(), lambda _rest: self.unknown(word))(rest)

    def unknown(self, word):
        return [f"UNKNOWN {word}"] if self.says_unknown else []

    def about(self, _rest):
        return ['name="Toy", version="1"']

    def start(self, rest):
        return self.rectstart(f"{rest},{rest}") if int(rest) in self.sizes else ["ERROR size"]

    def rectstart(self, rest):
        width, height = map(int, rest.split(","))
        if width != height and not self.rectangles:
            return self.unknown("RECTSTART")
        self.size, self.stones = (width, height), []
        return ["OK"]

    def info(self, rest):
        key, _, value = rest.partition(" ")
        if key == "rule":
            self.rule = int(value)
        return []

    def begin(self, _rest):
        return self.move()

    def turn(self, rest):
        self.stones.append(tuple(map(int, rest.split(","))))
        return self.move()

    def takeback(self, rest):
        self.stones.remove(tuple(map(int, rest.split(","))))
        return ["OK"]

    def restart(self, _rest):
        self.stones = []
        return ["OK"]

    def play(self, rest):
        return [rest]

    def end(self, _rest):
        self.ends = "exited (exit 0)"
        return []

    def board(self, _rest):
        self.lines = []
        return []

    def swap2board(self, _rest):
        self.lines, self.stones = [], None
        return []

    def listed(self, line):
        if line != "DONE":
            self.lines.append(line)
            return []
        lines, self.lines = self.lines, None
        if self.stones is None:
            return self.swap2(lines)
        self.stones = [tuple(map(int, each.split(",")[:2])) for each in lines]
        return self.move()

    def swap2(self, lines):
        self.stones = []
        if lines and (lines[0].count(",") == 2) != self.wants_colours:
            return ["ERROR colour"]
        return {0: ["7,7 8,8 9,9"], 3: ["1,1 2,2"], 5: ["SWAP"]}[len(lines)]

    def move(self):
        if self.rule in self.refuses:
            return [self.refuses[self.rule]]
        width, height = self.size
        free = ((x, y) for y in range(height) for x in range(width) if (x, y) not in self.stones)
        point = next(free)
        self.stones.append(point)
        return [f"{point[0]},{point[1]}"]


def game(size, rule, stones):
    made = rules(Options(board_size=size, rule=rule), 0)
    position = made.start()
    for index, stone in enumerate(stones):
        position = made.play(position, ((index % 2, made.point(*stone)),))
    return made, position, len(stones) % 2


def ending(played, point):
    """Return how a stone ends the game: ILLEGAL_MOVE if it is forbidden, None if the game goes on."""
    made, position, seat = played
    try:
        after = made.play(position, ((seat, made.point(*point)),))
    except IllegalMove:
        return Ending.ILLEGAL_MOVE
    return None if made.acting(after) else made.outcome(after).ending


def made_of(**traits):
    return type("Made", (Brain,), traits)


def findings_of(kind=Brain, wanted=None):
    return interview(probe(wanted), kind)[0]


@pytest.fixture(scope="module")
def good():
    return findings_of()


def verdicts(findings):
    return {each.trial: each.verdict for each in findings.trials}


def remark(findings, trial):
    return next(each.remark for each in findings.trials if each.trial == trial)


# Positions


def test_in_the_quiet_position_nobody_has_a_five_to_make():
    for stones in (QUIET, (*QUIET, (0, 0))):
        played = game((QUIET_SIDE, QUIET_SIDE), 0, stones)
        free = [(x, y) for x in range(QUIET_SIDE) for y in range(QUIET_SIDE) if (x, y) not in stones]
        assert all(ending(played, point) is None for point in free)


@pytest.mark.parametrize(
    ("stones", "lines"),
    [
        ((), ("BOARD", "DONE")),
        (((7, 7),), ("BOARD", "7,7,2", "DONE")),
        (((7, 7), (8, 7)), ("BOARD", "7,7,1", "8,7,2", "DONE")),
    ],
)
def test_the_brain_is_to_move_on_a_board_that_it_is_told(stones, lines):
    assert board(stones) == lines


# Findings


def test_a_good_brain_is_found_good(good):
    assert {each.verdict for each in good.trials} == {OK}
    assert good.name == "Toy:1"
    assert good.deviations == good.unfit == ()
    assert good.supports["sizes"] == ("5", "8", "10", "15", "19", "20", "30")
    assert good.supports["rules"] == ("0", "1", "4", "8", "9")
    assert set(good.supports["commands"]) == {"RECTSTART", "RESTART", "TAKEBACK", "PLAY", "SWAP2BOARD"}
    assert {outcome for _, outcome in good.prospects} == {"can play"}
    assert len(good.prospects) == len(LEAGUES)


def test_what_was_said_and_how_long_it_took_is_in_the_table(good):
    begin = next(each for each in good.trials if each.trial == "BEGIN")
    assert (begin.said, begin.took) == ("0,0", MS)
    assert remark(good, "BEGIN") == ""


def test_a_brain_that_refuses_a_rule_at_the_board_is_found_out():
    findings = findings_of(made_of(refuses={4: "ERROR no Renju"}))
    prospects = dict(findings.prospects)
    assert prospects["Renju, 15x15, rule 4"] == "rule 4: answers 'ERROR no Renju'"
    assert prospects["Standard, 15x15, rule 1"] == "can play"
    wanted = rules(Options(rule="renju"), 0)
    assert findings_of(made_of(refuses={4: "ERROR no Renju"}), wanted).unfit == (
        "rule 4: answers 'ERROR no Renju'",
    )


@pytest.mark.parametrize(
    ("traits", "trial", "verdict"),
    [
        ({"sizes": (20,)}, "START 15", LACKING),
        ({"rectangles": False}, "RECTSTART 20,15", LACKING),
        ({"optional": frozenset()}, "RESTART", LACKING),
        ({"optional": frozenset()}, "TAKEBACK", LACKING),
        ({"optional": frozenset()}, "PLAY 3,3", LACKING),
        ({"optional": frozenset()}, "SWAP2BOARD, the first stones", LACKING),
        ({"optional": frozenset(), "says_unknown": False}, "RESTART", LACKING),
        ({"says_unknown": False}, "a word that is no command", WRONG),
        ({"about": lambda *_: []}, "ABOUT", LACKING),
        ({"about": lambda *_: ["UNKNOWN"]}, "ABOUT", LACKING),
        ({"about": lambda *_: ["by me"]}, "ABOUT", OK),
        ({"info": lambda *_: ["OK"]}, "INFO", WRONG),
        ({"end": lambda *_: []}, "END", WRONG),
        ({"begin": lambda *_: ["20,3"]}, "BEGIN on 20x20", WRONG),
        ({"begin": lambda *_: ["-1,3"]}, "BEGIN on 20x20", WRONG),
        ({"begin": lambda *_: ["1,1 2,2"]}, "BEGIN on 20x20", WRONG),
        ({"begin": lambda *_: ["1 1"]}, "BEGIN on 20x20", WRONG),
        ({"begin": lambda *_: ["resign"]}, "BEGIN on 20x20", WRONG),
        ({"begin": lambda *_: ["SUGGEST 3,3"]}, "BEGIN", OK),
        ({"begin": lambda *_: ["DEBUG 1,1", "MESSAGE 99,99", "3,3"]}, "BEGIN", OK),
        ({"turn": lambda _self, rest: [rest]}, "TURN", WRONG),
        ({"listed": lambda self, _line: self.unknown("")}, "BOARD", WRONG),
        ({"restart": lambda *_: ["I will"]}, "RESTART", WRONG),
        ({"play": lambda *_: ["4,4"]}, "PLAY 3,3", OK),
        ({"swap2": lambda *_: ["1,1"]}, "SWAP2BOARD, the first stones", WRONG),
        ({"swap2": lambda *_: ["1,1 1,1 2,2"]}, "SWAP2BOARD, the first stones", WRONG),
        ({"swap2": lambda *_: ["1,1 99,1 2,2"]}, "SWAP2BOARD, the first stones", WRONG),
    ],
)
def test_what_a_brain_lacks_or_does_wrong_is_found(traits, trial, verdict):
    findings = findings_of(made_of(**traits))
    assert verdicts(findings)[trial] is verdict
    assert (verdict is WRONG) == any(line.startswith(f"{trial}: ") for line in findings.deviations)


def test_a_brain_that_crashes_at_a_command_goes_on_being_asked():
    def crash(self, _rest):
        self.ends = "exited (signal 11)"
        return []

    findings = findings_of(made_of(play=crash))
    assert remark(findings, "PLAY 3,3") == "exited (signal 11)"
    assert verdicts(findings)["1 s a turn"] is OK


def crash(self, *_rest):
    self.ends = "exited (signal 11)"
    return []


@pytest.mark.parametrize(
    ("traits", "trial"),
    [
        ({"unknown": crash, "info": Brain.info}, "a word that is no command"),
        ({"about": crash}, "ABOUT"),
        ({"takeback": crash}, "TAKEBACK"),
        ({"restart": crash}, "RESTART"),
    ],
)
def test_a_brain_that_ends_at_what_no_game_needs_can_play_and_that_is_told_once(traits, trial):
    findings = findings_of(made_of(**traits))
    assert findings.dies_of == (trial,)
    assert {each.trial for each in findings.trials if each.verdict is not OK} == {trial}
    assert {outcome for _, outcome in findings.prospects} == {"can play"}
    assert findings.unfit == ()


def test_nonsense_comes_last(good):
    assert good.trials[-1].trial == "a word that is no command"


def test_unknown_once_a_line_is_counted():
    findings = findings_of(made_of(optional=frozenset(), swap2board=None))
    assert remark(findings, "SWAP2BOARD, the first stones") == "2 lines, one for each that it was sent"
    assert dict(findings.prospects)["Unlimited, 15x15, rule 1"] == "SWAP2BOARD: not supported"


def test_a_brain_that_knows_swap2_and_refuses_it_is_not_said_not_to_know_it():
    findings = findings_of(made_of(swap2=lambda *_: ["ERROR swap2 not supported"]))
    assert dict(findings.prospects)["Unlimited, 15x15, rule 1"] == "SWAP2BOARD: not supported"


def test_a_brain_that_wants_the_colours_of_stones_knows_swap2():
    findings = findings_of(made_of(wants_colours=True))
    assert "SWAP2BOARD" in findings.supports["commands"]
    assert findings.deviations == (
        "SWAP2BOARD: wants the colours of the stones (see swap2_colours) (1 more time)",
    )


def test_lines_beside_the_answer_are_out_of_protocol_once():
    def chatty(self, rest):
        return ["hello", *Brain.turn(self, rest), "bye"]

    findings = findings_of(made_of(turn=chatty))
    assert findings.deviations == ("TURN: said more than its answer: 'hello' (2 more times)",)


class Late(Brain):
    """A brain that takes the value of an INFO line for a command, and says so with its next answer."""

    unsaid = ()

    def info(self, rest):
        if rest.startswith("game_type"):
            self.unsaid = ("ERROR Unknown command: 1",)
        return super().info(rest)

    def answer(self, line):
        said = super().answer(line)
        if said:
            said, self.unsaid = [*self.unsaid, *said], ()
        return said


def test_what_is_said_late_to_info_is_not_taken_for_an_answer_to_begin():
    findings = findings_of(Late)
    assert verdicts(findings)["INFO"] is WRONG
    assert "INFO: an answer where none is due" in findings.deviations


class Slow(Late):
    """A brain that answers TURN only at the next question."""

    def turn(self, rest):
        self.unsaid = tuple(super().turn(rest))
        return []


def test_a_move_that_comes_too_late_is_not_taken_for_an_answer_to_restart():
    findings = findings_of(type("_Made", (Slow,), {"info": Brain.info}))
    assert verdicts(findings)["TURN"] is WRONG
    assert verdicts(findings)["RESTART"] is verdicts(findings)["END"] is OK
    assert not [line for line in findings.deviations if line.startswith(("RESTART", "BEGIN", "END"))]
    assert "RESTART" in findings.supports["commands"]


def test_a_brain_that_tells_the_time_in_its_answer_to_about_says_nothing_to_info():
    times = iter(range(1000))
    findings = findings_of(made_of(about=lambda *_: [f'name="Toy", version="{next(times)}"', "by me"]))
    assert verdicts(findings)["INFO"] is OK


def test_words_behind_the_point_are_out_of_protocol_and_it_is_a_move():
    findings = findings_of(made_of(turn=lambda self, rest: [f"{Brain.turn(self, rest)[0]} ok"]))
    assert verdicts(findings)["TURN"] is OK
    assert any(line.startswith("TURN: said more than its answer: ") for line in findings.deviations)


def test_two_answers_are_out_of_protocol():
    findings = findings_of(made_of(begin=lambda *_: ["3,3", "4,4"]))
    assert any("answered twice: '3,3; 4,4'" in line for line in findings.deviations)


@pytest.mark.parametrize(
    ("took", "outcome"),
    [
        (900, "can play"),
        (5900, "can play; it does not keep to its time, and may lose by that"),
        (6100, "takes 6.1s for a move, told to take less"),
    ],
)
def test_a_slow_brain_can_play_where_there_is_time(took, outcome):
    findings = findings_of(made_of(took=took * MS))
    assert dict(findings.prospects)["Fastgame, 20x20, rule 0"] == outcome


def test_an_illegal_move_when_time_is_short_costs_games():
    def short(self, rest):
        Brain.info(self, rest)
        self.is_short = getattr(self, "is_short", False) or rest == "time_left 300"
        return []

    def move(self):
        return ["-4,-4"] if self.is_short else Brain.move(self)

    findings = findings_of(made_of(info=short, move=move))
    assert "it may lose when short of time" in dict(findings.prospects)["Freestyle, 20x20, rule 0"]


@pytest.mark.parametrize("answer", [[], ["ERROR no"], ["UNKNOWN"], ["what?"], b"OK", b"\xff\x00\n"])
def test_a_brain_that_cannot_start_is_unfit_and_little_is_asked(answer):
    findings, processes = interview(probe(), made_of(start=lambda *_: answer, rectangles=False))
    assert findings.unfit == ("cannot play in any league of Gomocup",)
    assert processes <= 8


def test_a_brain_that_is_slow_to_start_can_play():
    findings = findings_of(made_of(startup=12 * SECOND))
    assert findings.unfit == ()
    assert {outcome for _, outcome in findings.prospects} == {"can play"}
    assert "RECTSTART" in findings.supports["commands"]


@pytest.mark.parametrize("budget", [5, 15])
def test_the_players_budget_is_how_long_a_brain_may_take_to_start(budget):
    findings, _ = interview(probe(), made_of(startup=12 * SECOND), budget=budget * SECOND)
    assert bool(findings.unfit) == (budget == 5)


def test_a_machine_that_is_busy_is_blamed_for_what_a_brain_takes():
    patient = Answer((), Heard(b"", 6 * SECOND, delay=5 * SECOND))
    assert patient.trouble == "no answer in 6s (5s of it without a processor: the machine was busy)"
    assert Answer((), Heard(b"", 6 * SECOND, delay=SECOND)).trouble == "no answer in 6s"
    notes = BrainNotes()
    late = Answer((read_line(b"7,7"),), Heard(b"7,7\n", 6 * SECOND, complete=True, delay=5 * SECOND))
    notes.move("TURN", late, (15, 15), (), limit=500)
    assert notes.trials[0].remark.endswith(
        "500 ms are allowed (5s of it without a processor: the machine was busy)"
    )


@pytest.mark.parametrize("answer", [[], [f"MESSAGE {number}" for number in range(9999)]])
def test_a_brain_that_never_starts_is_asked_twice(answer):
    findings, processes = interview(probe(), made_of(start=lambda *_: answer))
    assert processes == 2
    assert dict(findings.prospects)["Standard, 15x15, rule 1"] == "START 15: no answer in 1m"


def test_a_line_that_does_not_end_is_no_answer():
    findings = findings_of(made_of(start=lambda *_: b"OK"))
    assert remark(findings, "START 20") == "no end of line after 'OK'"


def test_the_game_that_is_wanted_is_tried_too():
    findings = findings_of(made_of(sizes=(12,)), rules(Options(board_size=12), 0))
    assert verdicts(findings)["START 12"] is OK
    assert findings.unfit == ()


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=5), st.booleans())
def test_whatever_a_brain_says_there_are_findings(says, ends):
    class Babbler(Process):
        def __init__(self):
            self.count = 0

        def answer(self, _line):
            self.count += 1
            self.ends = "exited (exit 1)" if ends and self.count > 3 else ""
            return says[self.count % len(says)]

    findings, _ = interview(probe(), Babbler)
    assert findings.trials


# Trials


@pytest.mark.parametrize(
    ("traits", "options", "unfit"),
    [
        ({}, {}, ()),
        ({}, {"swap2": True}, ()),
        ({"optional": frozenset()}, {"swap2": True}, ()),  # the startup asks for that
        ({"refuses": {4: "ERROR no Renju"}}, {"rule": "renju"}, ("BEGIN: answers 'ERROR no Renju'",)),
        ({"refuses": {4: "ERROR no Renju"}}, {}, ()),
        ({"listed": lambda *_: ["ERROR"]}, {"opening": "h8i9"}, ("BOARD: answers 'ERROR; ERROR; ERROR'",)),
        ({"listed": lambda *_: ["ERROR"]}, {}, ()),
        ({"begin": lambda *_: []}, {}, ()),
        ({"begin": lambda *_: ["hello"]}, {}, ()),
        ({"startup": 12 * SECOND, "begin": lambda *_: []}, {}, ()),
        ({"startup": 99 * SECOND, "begin": lambda *_: []}, {}, ()),  # the check before it has waited as long
        ({"begin": lambda self, _: self.end("")}, {}, ("BEGIN: exited (exit 0)",)),
        ({}, {"board_size": (10, 12)}, ()),
    ],
)
def test_a_trial_tells_what_keeps_a_brain_from_a_game(traits, options, unfit):
    findings, _ = interview(trial(rules(Options(**options), 0)), made_of(**traits))
    assert findings.unfit == unfit


def test_whether_a_brain_has_to_know_swap2_is_for_the_game_to_say():
    wanted = rules(Options(rule="standard", swap2=True), 0)
    assert findings_of(made_of(optional=frozenset()), wanted).unfit == ()


# Words


@pytest.mark.parametrize(
    ("took", "limit", "said"),
    [
        (500, 500, ""),
        (501, 500, "took 501 ms where 500 ms are allowed; Gomocup forgives 1000 ms"),
        (1501, 500, "took 1501 ms where 500 ms are allowed"),
        (900, 0, ""),
        (1001, 0, "took 1001 ms where 0 ms are allowed"),
    ],
)
def test_lateness_in_words(took, limit, said):
    assert lateness(took, limit) == said


def test_what_was_not_asked_is_a_hindrance():
    assert "20x20: not asked" in Facts().hindrances(LEAGUES[0])


def test_a_turn_is_short_enough_for_a_probe_of_seconds():
    assert TURN <= 1000


def swap2_settings(**traits):
    findings, _ = interview(trial(rules(Options(swap2=True), 0)), made_of(**traits))
    assert findings.unfit == ()
    return findings.settings


def as_rapfi(self, lines):
    """Answer as Rapfi's getPosition does: ERROR for each stone without a colour, which it ignores."""
    coloured = [line for line in lines if line.count(",") == 2]
    errors = ["ERROR Color is not a valid value, must be one of [1, 2, 3]."] * (len(lines) - len(coloured))
    return [*errors, {0: "5,2 1,5 1,6", 3: "SWAP"}[len(coloured)]]


@pytest.mark.parametrize(
    ("traits", "settings"),
    [
        ({}, {}),
        ({"wants_colours": True}, {"swap2_colours": True}),
        ({"swap2": as_rapfi}, {"swap2_colours": True}),
        ({"swap2": lambda *_: ["1,1 2,2 3,3"]}, {}),
        ({"swap2": lambda *_: ["SWAP"]}, {}),
        ({"swap2": lambda *_: []}, {}),
        ({"optional": frozenset()}, {}),
    ],
)
def test_the_trial_before_a_run_finds_the_dialect_of_swap2board(traits, settings):
    assert swap2_settings(**traits) == settings


def test_games_without_swap2_need_no_dialect():
    findings, processes = interview(trial(rules(Options(), 0)), made_of(swap2=as_rapfi))
    assert (findings.settings, processes) == ({}, 1)
