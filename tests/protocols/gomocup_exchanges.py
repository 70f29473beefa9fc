"""Parts of scripted conversations with a Gomocup brain."""

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.spec import Budgets, Player
from gyoji.games.gomoku.game_options import Options as GomokuOptions
from gyoji.games.gomoku.game_options import rules as gomoku_rules
from gyoji.protocols.gomocup import Options
from gyoji.protocols.gomocup.codec import GomocupCodec
from gyoji.testing.codec_kit import Exchange, check_codec

NONE = TimeControl()
MATCH = TimeControl.parse("3m")
ABOUT = b'name="Swine", version="1.0"\r\n'


def game(size=15, **options):
    return gomoku_rules(GomokuOptions(board_size=size, **options), 0)


def ready(name="Swine:1.0", description=None, unable=()):
    return m.Ready(
        name,
        name if description is None else description,
        unable,
        can_score=False,
        knows_rules=True,
        gives_hints=True,
        takes_limits=True,
    )


def infos(match=0, turn=None, memory=0, rule=0, game_type=2, folder=None):
    turns = [] if turn is None else [("timeout_turn", turn)]
    told = [
        ("max_memory", memory),
        ("timeout_match", match),
        *turns,
        ("game_type", game_type),
        ("rule", rule),
    ]
    if folder is not None:
        told.append(("folder", folder))
    return lines(*[f"INFO {key} {value}" for key, value in told])


def lines(*texts):
    return "".join([text + "\r\n" for text in texts]).encode()


class Table:
    """One seat's view of a game, which makes requests from moves in the notation of the rules."""

    def __init__(self, seat=0, rules=None, control=NONE, player=None, **options):
        self.seat, self.control, self.player = seat, control, player
        self.rules = rules or game()
        self.options = Options(**options)
        self.position = self.rules.start()
        self.heard = 0
        self.turns = []

    def codec(self):
        return GomocupCodec(self.options)

    def move(self, text):
        return self.rules.parse(text)

    def moved(self, text):
        return m.Moved(self.move(text))

    def play(self, *texts):
        """Play moves such as h8, for whichever side is to move."""
        for text in texts:
            (seat,) = self.rules.acting(self.position)
            turn = ((seat, self.move(text)),)
            self.turns.append(turn)
            self.position = self.rules.play(self.position, turn)
        return self

    def _news(self):
        news, self.heard = tuple(self.turns[self.heard :]), len(self.turns)
        return news

    def prepare(self):
        player = self.player or Player(code="brain", command=("brain",), budgets=Budgets())
        view = self.rules.view(self.position, self.seat)
        return m.NewGame(self.seat, self.rules, view, self.control, player)

    def ask(self, *texts, clock=None):
        """Return the question for a move after these further moves."""
        self.play(*texts)
        view, phase = self.rules.view(self.position, self.seat), self.rules.phase(self.position)
        return m.AskMove(view, self._news(), phase, clock or self.control.start())

    def hint(self, *texts, clock=None):
        """Return the other seat's question for a hint after these further moves."""
        self.play(*texts)
        view = self.rules.view(self.position, self.seat)
        return m.AskHint(1 - self.seat, view, self._news(), clock or self.control.start())

    def take_back(self, *texts):
        """Return the question for a move after the last turns were taken back and others made.

        As many turns remain as there are names before "|".
        """
        names = [*texts]
        kept = names.index("|")
        taken = len(self.turns) - kept
        told, self.turns, self.position = self.turns[:kept], [], self.rules.start()
        self.play(*names[:kept])
        assert self.turns == told
        self.heard = kept
        return replace(self.ask(*names[kept + 1 :]), taken_back=taken)

    def tell(self, *texts):
        self.play(*texts)
        return m.TellMoves(self.position, self._news())

    def prepared(self, told=None, start=b"ABOUT\r\nSTART 15\r\n", heard=ABOUT + b"OK\r\n"):
        """Return the exchange that prepares a brain with these INFO lines."""
        more = m.More(infos() if told is None else told)
        return Exchange(request=self.prepare(), sent=start, heard=heard, replies=(more, ready()))

    def asked(self, sent, heard, reply, *news, clock=None):
        """Return the exchange of a question, its answer, and a move's name or replies."""
        replies = (self.moved(reply),) if isinstance(reply, str) else reply
        return Exchange(request=self.ask(*news, clock=clock), sent=sent, heard=heard, replies=replies)

    def check(self, *exchanges, tail=b"\r\n"):
        check_codec(self.codec, [exchanges], tail=tail)

    def begun(self, *played, answer=b"7,7\n"):
        """Return a conversation up to the brain's first answer."""
        conversation = self.codec()
        conversation.send(self.prepare())
        conversation.receive(b"OK\n")
        conversation.send(self.ask(*played))
        conversation.receive(answer)
        return conversation


END = Exchange(request=m.Quit(), sent=b"END\r\n", closes=True, replies=(m.HasQuit(),))
