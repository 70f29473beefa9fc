"""A GTP engine in the form of a table from commands to answers, for tests of the codec."""

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules
from gyoji.protocols.gtp import Options
from gyoji.protocols.gtp.codec import GtpCodec

NO_CLOCK = TimeControl()

ALWAYS_ASKED = ("gomill-describe_engine", "gomill-explain_last_move", "gomill-cpu_time", "final_score")
"""Commands that every engine is asked about, unless its settings forbid it."""


def introduction(*more):
    """Return the second write of a conversation: name, version, and questions about commands."""
    return ["name", "version", *(f"known_command {command}" for command in (*ALWAYS_ASKED, *more))]


class Script:
    """A codec with an engine that answers from a table. A command without an entry succeeds with empty text.

    Attributes:
        answers: The answer with its marker, or a list of answers to give in turn, by a command or its
            first word.
        known: Commands for which `known_command` is true.
        seen: All lines from the codec.
        writes: The lines of each write.
    """

    def __init__(self, answers=(), known=(), seat=0, control=NO_CLOCK, go=None, **options):
        self.rules = rules(GoOptions(**{"board_size": 9, "komi": 6, "ruleset": "none", **(go or {})}))
        self.seat, self.control = seat, control
        self.codec = GtpCodec(Options(**options))
        self.known = set(known)
        self.answers = {"protocol_version": "= 2", **dict(answers)}
        self.seen, self.writes = [], []

    def prepare(self):
        return self.put(m.NewGame(self.seat, self.rules, None, self.control))

    def put(self, request):
        """Put a request. Return its replies without `More`, which is carried out."""
        replies, unsent = [], self.codec.send(request)
        while unsent:
            got = self.codec.receive(self.say(unsent))
            unsent = b"".join([reply.data for reply in got if isinstance(reply, m.More)])
            replies += [reply for reply in got if not isinstance(reply, m.More)]
        return replies

    def say(self, sent):
        lines = sent.decode().splitlines()
        self.seen += lines
        self.writes.append(lines)
        return b"".join([self.answer(line).encode("utf-8", "surrogateescape") + b"\n\n" for line in lines])

    def answer(self, line):
        word, _, rest = line.partition(" ")
        answer = self.answers.get(line, self.answers.get(word))
        if isinstance(answer, list):
            return answer.pop(0)
        if answer is None and word == "known_command":
            return f"= {str(rest in self.known).lower()}"
        return "=" if answer is None else answer

    def forget(self):
        """Clear `seen` and `writes`."""
        self.seen.clear()
        self.writes.clear()

    def ask(self, *news, phase="", clock=None, taken_back=0):
        return self.put(self.question(*news, phase=phase, clock=clock, taken_back=taken_back))

    def question(self, *news, phase="", clock=None, taken_back=0):
        clock = clock or self.control.start()
        return m.AskMove(None, self.turns(*news), phase, clock, taken_back=taken_back)

    def hint(self, *news, taken_back=0):
        """Return the other seat's question for a hint."""
        return m.AskHint(1 - self.seat, None, self.turns(*news), self.control.start(), taken_back)

    def tell(self, *news, taken_back=0):
        return self.put(m.TellMoves(None, self.turns(*news), taken_back))

    def turns(self, *news):
        """Return turns from texts such as "b D4"."""
        return tuple([((" bw".index(text[0]) - 1, self.rules.parse(text[2:])),) for text in news])


def ready(answers=(), known=(), **settings):
    """Return a script whose engine is prepared. What that took is not in `seen`."""
    script = Script(answers, known, **settings)
    (reply,) = script.prepare()
    assert isinstance(reply, m.Ready), reply
    script.forget()
    return script
