"""The USENIX codec: the words of the rules of 1984, however output is cut."""

from pathlib import Path

import pytest

from gyoji.config.competition import load
from gyoji.core.clocks import Clock, Meter, TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.messages import (
    Acknowledged,
    AskMove,
    AskScore,
    HasQuit,
    Moved,
    NewGame,
    Quit,
    Ready,
    Scored,
    TellMoves,
    Unsupported,
)
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.protocols.usenix import Options, UsenixCodec
from gyoji.testing.codec_kit import Exchange, check_codec

CONTROL = TimeControl(main=60, period=10, periods=1)
MAIN, BYO_YOMI = CONTROL.start(), Clock(0, 1, 1, 10)
PASS = -1


def rules(size=19, **options):
    return go_rules(GoOptions(**({"board_size": size, "komi": 5.5} | options)))


GO = rules()


def point(text):
    return GO.parse(text)


def ask(*news, clock=MAIN, phase=""):
    """Return the question after these (seat, vertex) pairs."""
    turns = tuple(((seat, point(text)),) for seat, text in news)
    return AskMove(None, turns, phase, clock)


def prepare(seat, game=GO):
    return NewGame(seat, game, None, CONTROL)


def ready(*unable):
    return Ready(unable=unable, can_score=False, resumes=False, takes_back=False)


def begun(seat):
    conversation = UsenixCodec(Options())
    conversation.send(prepare(seat))
    conversation.receive(b"")
    return conversation


def test_black_is_greeted_with_the_question_for_its_first_move():
    check_codec(
        lambda: UsenixCodec(Options()),
        [
            [
                Exchange(request=prepare(0), sent=b"", heard=b"hello\n", replies=(ready(),)),
                Exchange(request=ask(), sent=b"black\n", heard=b"G12\n", replies=(Moved(point("G12")),)),
                Exchange(
                    request=ask((0, "G12"), (1, "D4")),
                    sent=b"D4\n",
                    heard=b"pass\n",
                    replies=(Moved(PASS),),
                ),
                Exchange(request=Quit(), sent=b"", heard=b"bye\n", replies=(HasQuit(),)),
            ]
        ],
    )


def test_white_is_greeted_at_once():
    check_codec(
        lambda: UsenixCodec(Options()),
        [
            [
                Exchange(request=prepare(1), sent=b"white\n", heard=b"G7\n", replies=(ready(),)),
                Exchange(
                    request=ask((0, "T19")),
                    sent=b"T19\n",
                    heard=b"thinking\na1\nA1\n",
                    replies=(Moved(point("A1")),),
                ),
                Exchange(
                    request=TellMoves(None, (((0, PASS),),)),
                    sent=b"pass\n",
                    heard=b"D4\n",
                    replies=(Acknowledged(),),
                ),
            ]
        ],
    )


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (prepare(0), ready()),
        (TellMoves(None, ()), Acknowledged()),
        (AskScore(), Scored()),
        (Quit(), HasQuit()),
    ],
)
def test_what_no_program_answers_is_answered_without_a_word_from_it(request_, answer):
    conversation = begun(0) if not isinstance(request_, NewGame) else UsenixCodec(Options())
    conversation.send(request_)
    assert conversation.receive(b"") == [answer]
    assert conversation.receive(b"") == []


def test_byo_romi_is_announced_once_before_the_move():
    conversation = begun(1)
    assert conversation.send(ask((0, "D4"), clock=MAIN)) == b"D4\n"
    conversation.receive(b"E5\n")
    assert conversation.send(ask((1, "E5"), (0, "D5"), clock=BYO_YOMI)) == b"byo-romi\nD5\n"
    conversation.receive(b"E6\n")
    assert conversation.send(ask((1, "E6"), (0, "D6"), clock=BYO_YOMI)) == b"D6\n"


@pytest.mark.parametrize(
    "line",
    [
        b"g12",
        b"Pass",
        b"PASS",
        b"I5",
        b"G 12",
        b" G12",
        b"G12 ",
        b"G12\r",
        b"",
        b"G",
        b"12",
        b"G-1",
        b"\xff1",
    ],
)
def test_what_is_not_to_the_letter_is_garbage(line):
    conversation = begun(0)
    conversation.send(ask())
    assert conversation.receive(line + b"\n") == []
    assert conversation.receive(b"G12\n") == [Moved(point("G12"))]


@pytest.mark.parametrize("line", [b"Z99", b"T25", b"U1", b"A0", b"A" + b"9" * 5000])
def test_a_point_that_is_not_on_the_board_is_a_move_that_the_rules_refuse(line):
    conversation = begun(0)
    conversation.send(ask())
    (moved,) = conversation.receive(line + b"\n")
    with pytest.raises(Exception, match="no such point"):
        GO.check(GO.start(), 0, moved.move)


def test_a_move_before_the_question_is_garbage_but_a_line_counts_when_it_ends():
    conversation = begun(1)
    assert conversation.receive(b"D4\nE") == []
    conversation.send(ask((0, "Q16")))
    assert conversation.receive(b"5\nF6\n") == [Moved(point("E5"))]


def test_what_a_program_cannot_be_told_is_said():
    for game, unable in ((rules(9), ("the board size",)), (rules(komi=6.5), ("komi",))):
        conversation = UsenixCodec(Options())
        conversation.send(prepare(1, game))
        assert conversation.receive(b"") == [ready(*unable)]
    conversation = UsenixCodec(Options())
    assert conversation.send(prepare(1, rules(handicap=2))) == b""
    assert conversation.receive(b"") == [Unsupported("the protocol has no words for handicap stones")]


def test_a_last_line_without_an_end_is_no_answer():
    conversation = begun(0)
    conversation.send(ask())
    assert conversation.receive(b"D4") == []
    assert conversation.finish() == []


def test_the_example_has_no_mistakes():
    setup = load(Path(__file__).parents[2] / "examples/usenix.toml")
    assert setup.warnings == ()
    assert {player.protocol for player in setup.players.values()} == {"usenix"}
    assert {(matchup.clock.meter, matchup.scorer) for matchup in setup.settings.matchups} == {
        (Meter.USER, "judge")
    }


PROGRAM = """\
competition = "playoff"
board_size = 19
komi = 5.5
clock = {{ main = "60m", period = "10s", meter = "user" }}

[players.oog]
command = {command}
protocol = "usenix"
{more}
[[matchups]]
players = ["oog", "oog"]
"""


@pytest.fixture
def read(tmp_path):
    def read(command, more=""):
        path = tmp_path / "event.toml"
        path.write_text(PROGRAM.format(command=command, more=more))
        return load(path)

    return read


def test_a_program_has_no_arguments_unless_it_may(read):
    assert read('"./oog"').players["oog"].command[1:] == ()
    words = r"players.oog.command: by the rules of 1984 a program has no arguments \(argc is 1\), got 2"
    with pytest.raises(ConfigError, match=words):
        read('"./oog -x 3"')
    assert read('"./oog -x 3"', "arguments = true").players["oog"].command[1:] == ("-x", "3")


def test_the_move_that_uses_up_the_hour_is_not_limited_to_the_period(read):
    minute = 60 * 10**9
    clock = read('"./oog"').settings.matchups[0].clock
    assert clock.allowance(clock.start()) == 70 * minute
    late = clock.spend(clock.start(), 61 * minute)
    assert clock.allowance(late) == minute // 6


def test_forks_are_forbidden_unless_the_player_may():
    assert UsenixCodec(Options()).forks is False
    assert UsenixCodec(Options(forks=True)).forks is True
