"""Whole events in a moment: our own referee decides every game, and chance makes the moves. No processes."""

from random import Random

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.record import VoidGame
from gyoji.play.context import make_rules
from gyoji.play.game_files import write_records
from gyoji.protocols.gtp.dialogues import read_score
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Closing, Dismiss, Send
from gyoji.results.failures import NOT_TRIED, SkippedGame
from gyoji.scheduler.event import Event, count
from gyoji.scheduler.issued_games import GameFiles
from gyoji.store.game_texts import Voided
from gyoji.store.store import Store

MS = 1_000_000
PASS_FROM = 30
"""The turn from which both sides of Go may pass, so that games end."""

EVENTS = {
    "go": """
competition = "allplayall"
board_size = 5
komi = 0.5
ruleset = "tromp-taylor"
clock = { main = "2s", period = "100ms", periods = 3, margin = "5ms" }
rounds = 4
seed = 0
players = {a = {command = "a"}, b = {command = "b", clock = "1m"}, c = {command = "c"}}
""",
    "go told by players": """
competition = "playoff"
board_size = 5
komi = 0.5
move_limit = 60
clock = "10s"
seed = 0
players = {a = {command = "a"}, b = {command = "b"}}
matchups = [{players = ["a", "b"], number_of_games = 12, alternating = true}]
""",
    "adjudicated": """
competition = "playoff"
board_size = 7
komi = 0.5
ruleset = "tromp-taylor"
seed = 0
adjudication.length = 60
adjudication.win = { chance = 0.8, moves = 2, after = 8 }
adjudication.draw = { chance = 0.12, moves = 3 }
players = {a = {command = "a"}, b = {command = "b"}}
matchups = [{players = ["a", "b"], number_of_games = 12, alternating = true}]
""",
    "requests": """
competition = "playoff"
game = "gomoku"
board_size = 7
clock = "1m"
seed = 0
take_backs = "ask"
draw_offers = true
adjudication = { length = 30 }
players = {a = {command = "pbrain-a"}, b = {command = "pbrain-b"}}
matchups = [{players = ["a", "b"], number_of_games = 12, alternating = true}]
""",
    "usenix": """
competition = "playoff"
board_size = 5
komi = 0.5
ruleset = "japanese"
scorer = "judge"
clock = { main = "1s", period = "100ms", meter = "user" }
seed = 0
players = {a = {command = "a", protocol = "usenix"}, b = {command = "b", protocol = "usenix"}}
matchups = [{players = ["a", "b"], number_of_games = 8, alternating = true}]
""",
    "gomoku": """
competition = "swiss"
game = "gomoku"
board_size = 7
rule = "freestyle"
clock = "1s/move"
rounds = 2
seed = 0
players = {a = {command = "pbrain-a"}, b = {command = "pbrain-b"}, c = {command = "pbrain-c"}}
""",
    "dighere": """
competition = "playoff"
game = "dighere"
seed = 0
players = {a = {command = "a"}, b = {command = "b"}}
matchups = [{players = ["a", "b"], number_of_games = 2, alternating = true}]
""",
}


def refereed(spec, seed):
    """(record, positions) of a game whose engines do as chance says: they play, resign, or think too long."""
    rules, chance = make_rules(spec), Random(f"{spec.id} {spec.seed} {seed}")
    referee = Referee(spec, rules)
    due = list(referee.begin())
    while due:
        action = due.pop(0)
        if isinstance(action, Send):
            reply, used = _answer(action, referee, rules, chance)
            due += referee.replied(action.seat, reply, used)
            if isinstance(reply, m.Moved) and spec.adjudication.win is not None:
                due += referee.replied(action.seat, m.Comment("", _opinion(spec, action.seat, chance)), 0)
        else:
            assert isinstance(action, Dismiss)
    closings = [Closing("exit 0", 7)] * rules.seats
    return referee.record("2026-11-22T10:00:00+00:00", 5, closings), referee.played_out


def _answer(action, referee, rules, chance):
    request = action.request
    if isinstance(request, m.NewGame):
        return m.Ready(name="Chance", knows_rules=True, cleans_up=True, consents=True), 3 * MS
    if isinstance(request, m.AskMove):
        return _move(action.seat, request, referee, rules, chance)
    if isinstance(request, m.AskConsent):
        return chance.choice((m.Agreed(), m.Declined())), MS
    if isinstance(request, m.TellMoves):
        return m.Acknowledged(), MS
    if isinstance(request, m.AskScore):
        text = chance.choice(("B+3.5", "W+4.5", "0", "nonsense"))
        return replace(read_score(text), dead=()), MS
    return m.HasQuit(), MS


def _move(seat, request, referee, rules, chance):
    used = chance.randrange(1, 40) * MS
    if referee.spec.draw_offers and chance.random() < 0.2:
        return chance.choice((m.WantsTakeBack(), m.WantsTakeBack(), m.OffersDraw(), m.WantsHint())), used
    legal = list(rules.legal(referee.position, seat))
    if chance.random() < 0.002:
        return m.Resigned(), used
    if chance.random() < 0.002:
        return m.Moved(legal[0]), 10**14
    if chance.random() < 0.004 and rules.teams == (0, 1) and request.news:
        return m.Moved(request.news[-1][0][1]), used  # where the other one has just played
    if not isinstance(legal[0], tuple) and referee.turns >= PASS_FROM and chance.random() < 0.5:
        pass_ = [move for move in legal if rules.format(move) == "pass"]
        return m.Moved(*(pass_ or [chance.choice(legal)])), used
    return m.Moved(chance.choice(legal)), used


def _opinion(spec, seat, chance):
    """Return an evaluation. Black stands better, worse or level in a game, and engines err a little."""
    tone = Random(f"tone {spec.id[2:]}").choice((-0.4, 0.0, 0.4)) * (1 if seat == 0 else -1)
    return m.Evaluation(win=min(max(0.5 + tone + chance.gauss(0, 0.06), 0.0), 1.0), depth=3)


def write_event(folder, name, code="cup"):
    path = folder / f"{code}.toml"
    path.write_text(EVENTS[name])
    return path


def play(path, *, most=None, seed=0, skipped=()):
    """Play what is left of the event of a control file, or `most` games of it; its files are beside it.

    skipped: ids of games that are not played, because somebody is suspended.
    """
    event = Event.open(path)
    files = GameFiles(event.files, event.setup)
    played = 0
    with Store.open(event.files.database, event.setup.code, create=True) as store:
        event.take_secret(store)
        count(store, event.comparison, event.competition)
        while most is None or played < most:
            spec = event.competition.next_game()
            if spec is None:
                break
            spec = event.comparison.renamed(spec)
            if spec.id in skipped:
                event.competition.add(_skip(store, spec).result())
                continue
            record, played_out = refereed(spec, seed)
            store.append(spec, record)
            write_records(files.of(spec).below(event.files.folder), spec, record, played_out)
            event.competition.add(record.result)
            played += 1
    return event


def _skip(store, spec):
    codes = tuple(player.code for player in spec.players)
    void = VoidGame(
        id=spec.id,
        pairing=spec.pairing,
        players=codes,
        reason=f"{codes[0]} is suspended",
        started="now",
        suspended=codes[0],
        after=store.count,
    )
    store.append_many([], [Voided(void, NOT_TRIED)])
    return SkippedGame((void,))


def results(path):
    """(id, outcome) of all stored games of a database, by id."""
    with Store.read(path) as store:
        return sorted((result.id, str(result.outcome)) for result in store.results())
