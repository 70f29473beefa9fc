"""Parts of scripted conversations with a UCI engine."""

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.games.chess.game_options import Options as ChessOptions
from gyoji.games.chess.game_options import rules as chess_rules
from gyoji.protocols.uci import Options
from gyoji.protocols.uci.codec import UciCodec
from gyoji.testing.codec_kit import Exchange, check_codec

BLITZ = TimeControl.parse("8+0.08")
GREETING = b"id name Toy 1\nid author Me\noption name Hash type spin default 16 min 1 max 64\n"
READY = m.Ready(
    "Toy 1",
    "Toy 1 by Me",
    can_score=False,
    knows_rules=True,
    resumes=False,
    tells_dead=False,
    gives_hints=True,
    takes_limits=True,
)
NEW_GAME = m.More(b"ucinewgame\nisready\n")


class Board:
    """One seat's view of a game of chess, which makes requests from moves in UCI's notation."""

    def __init__(self, seat=0, control=BLITZ, controls=(), opening="", variant="standard", **options):
        self.seat, self.control, self.controls = seat, control, controls
        self.rules = chess_rules(ChessOptions(opening=opening, variant=variant))
        self.options = Options(**options)
        self.position = self.rules.start()
        self.turns = []
        self.heard = 0

    def play(self, *moves):
        for move in moves:
            (seat,) = self.rules.acting(self.position)
            turn = ((seat, self.rules.parse(move)),)
            self.turns.append(turn)
            self.position = self.rules.play(self.position, turn)
        return self

    def prepare(self):
        return m.NewGame(self.seat, self.rules, self.position, self.control, controls=self.controls)

    def prepared(self, greeting=GREETING, options=b"", ready=READY):
        """Return the exchange that prepares an engine and sets these options."""
        return Exchange(
            request=self.prepare(),
            sent=b"uci\n",
            heard=greeting + b"uciok\nreadyok\nreadyok\n",
            replies=(m.More(options + b"isready\n"), NEW_GAME, ready),
        )

    def ask(self, *moves, clock=None, clocks=(), taken_back=0):
        self.play(*moves)
        news, self.heard = tuple(self.turns[self.heard :]), len(self.turns)
        clock = clock or self.control.start()
        return m.AskMove(self.position, news, "", clock, clocks, taken_back=taken_back)

    def asked(self, sent, heard, *replies, news=(), **clocks):
        """Return the exchange of a question. A reply that is a text is a move."""
        told = tuple([m.Moved(each) if isinstance(each, str) else each for each in replies])
        return Exchange(request=self.ask(*news, **clocks), sent=sent, heard=heard, replies=told)

    def check(self, *exchanges, tail=b"\n"):
        check_codec(lambda: UciCodec(self.options), [exchanges], tail=tail)


GO = b"go wtime 8000 btime 8000 winc 80 binc 80\n"


def first_answer(heard, *replies, **settings):
    """Check that an engine which says this when it is first asked makes these replies."""
    board = Board(**settings)
    board.check(board.prepared(), board.asked(b"position startpos\n" + GO, heard, *replies))


def refusal(text, **settings):
    """Check that an engine is refused before its first game, with this reason."""
    board = Board(**settings)
    greeting = settings.pop("greeting", GREETING)
    replies = (m.Unsupported(text),)
    board.check(
        Exchange(request=board.prepare(), sent=b"uci\n", heard=greeting + b"uciok\n", replies=replies)
    )
