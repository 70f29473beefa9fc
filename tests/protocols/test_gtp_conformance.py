"""The GTP codec keeps the promises of its port, however output is cut."""

import pytest
from gtp_engine_script import NO_CLOCK, introduction

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules
from gyoji.protocols.gtp import Options
from gyoji.protocols.gtp.codec import GtpCodec
from gyoji.testing.codec_kit import Exchange, check_codec

GO = rules(GoOptions(board_size=9, komi=6.5, ruleset="none"))
D4, E5, C3, PASS = map(GO.parse, ("D4", "E5", "C3", "pass"))
NO_TIME = NO_CLOCK.start()
PROTOCOL = FaultKind.PROTOCOL
BOTH_FAILED = "gomill-cpu_time failed: 'no'; quit failed: 'never'"


def put(sent, request):
    return Exchange(request=request, sent=sent)


def heard(text, *replies, **settings):
    return Exchange(heard=text, replies=replies, **settings)


def ask(*moves):
    return m.AskMove(None, tuple([((seat, move),) for seat, move in moves]), "", NO_TIME)


STARTED = (
    Exchange(
        request=m.NewGame(0, GO, None, TimeControl()),
        sent=b"protocol_version\n",
        heard=b"= 2\n\n",
        replies=(m.More("".join(f"{line}\n" for line in introduction()).encode()),),
    ),
)


def prepared(explains=b"false", cpu_time=b"false", scores=b"false"):
    """Return the exchanges up to `Ready` with an engine that has these commands."""
    return (
        *STARTED,
        heard(
            b"# a toy\n\n= Toy\r\n\r\n\n?\tno\n\n= true\n\n= %b\n\n= %b\n\n= %b\n\n"
            % (explains, cpu_time, scores),
            m.More(b"gomill-describe_engine\n"),
        ),
        heard(b"=\nToy\n for \xff\x00 tests\n\n", m.More(b"boardsize 9\nclear_board\nkomi 6.5\n")),
        heard(
            b"=\n\n= \n\n=\t\n\n",
            m.Ready("Toy", "Toy\n for ? tests", can_score=scores == b"true", gives_hints=True),
        ),
    )


PREPARED = prepared()
SECOND = ask((0, D4), (1, E5))
CONVERSATIONS = [
    (
        *prepared(b"true", b"true", b"true"),
        put(b"genmove b\n", ask()),
        heard(b"= d4\n\n", m.More(b"gomill-explain_last_move\n"), m.Moved(D4)),
        heard(b"= as always\n\n", m.Comment("as always")),
        put(b"play w E5\ngenmove b\n", SECOND),
        heard(b"=\n\n= C3\n\n", m.More(b"gomill-explain_last_move\n"), m.Moved(C3)),
        put(b"play w pass\n", m.TellMoves(None, (((0, C3),), ((1, PASS),)))),
        heard(b"=\n\n= \n\n", m.Acknowledged()),
        put(b"final_score\n", m.AskScore()),
        heard(b"= W+0.5\n\n", m.Scored("W+0.5", 1, margin=0.5)),
        put(b"gomill-cpu_time\nquit\n", m.Quit()),
        heard(b"= 0.5\n\n=\n\n", m.HasQuit(500_000_000)),
    ),
    (
        *PREPARED,
        put(b"genmove b\n", ask()),
        heard(b"= d4\n\n", m.Moved(D4)),
        put(b"play w E5\ngenmove b\n", SECOND),
        heard(b"=\n\n= C3\n\n", m.Moved(C3)),
        put(b"play w E5\ngenmove b\n", ask((0, C3), (1, E5))),
        heard(b"? illegal move\n\n= resign\n\n", m.RejectedMove("refused play w E5: 'illegal move'", True)),
        put(b"quit\n", m.Quit()),
        Exchange(replies=(m.HasQuit(),), closes=True),
    ),
    (
        *prepared(cpu_time=b"true"),
        put(b"gomill-cpu_time\nquit\n", m.Quit()),
        heard(b"? no\n\n? never\n\n", m.HasQuit(None, BOTH_FAILED)),
    ),
    *[
        (
            *prepared(cpu_time=b"true"),
            put(b"gomill-cpu_time\nquit\n", m.Quit()),
            heard(text, m.HasQuit(2_000_000_000), closes=True),
        )
        for text in (b"= 2\n\n", b"= 2\n", b"= 2", b"= 2\n\n# bye", b"= 2\n\n=")
    ],
    (*prepared(cpu_time=b"true"), Exchange(request=m.Quit(), closes=True)),
    (*PREPARED, put(b"genmove b\n", ask()), heard(b"= resig\x00n", m.Resigned(), closes=True)),
    (*PREPARED, put(b"genmove b\n", ask()), heard(b"# no\n\n", closes=True)),
    (
        *PREPARED,
        put(b"genmove b\n", ask()),
        heard(b"? two\nlines\n\n", m.Unsupported("refused genmove b: 'two\\nlines'")),
    ),
    (
        *PREPARED,
        put(b"genmove b\n", ask()),
        heard(b"oops\n= D4\n\n", m.Broken(PROTOCOL, "answered genmove b with 'oops'")),
    ),
    (*PREPARED, heard(b"= D4\n\n", m.Broken(PROTOCOL, "spoke out of turn: '="))),
    (
        Exchange(
            request=m.NewGame(0, GO, None, TimeControl()),
            heard=b"usage: toy\n",
            replies=(m.Broken(PROTOCOL, "answered its first command (protocol_version) with 'u"),),
        ),
    ),
    (
        Exchange(
            request=m.NewGame(0, GO, None, TimeControl()),
            heard=b"=1\n\n",
            replies=(m.Unsupported("speaks version '1' of GTP, expected 2"),),
        ),
    ),
]


@pytest.mark.parametrize("number", range(len(CONVERSATIONS)))
def test_a_conversation_is_the_same_wherever_the_bytes_are_cut(number):
    check_codec(lambda: GtpCodec(Options()), [CONVERSATIONS[number]])
