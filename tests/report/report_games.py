"""Finished games, and all there is to tell of them, for tests of reports."""

import re
from html.parser import HTMLParser

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.results.cross import Cross
from gyoji.stats.ratings import rate
from gyoji.tables.digest import ReportDigest
from gyoji.tables.report_tables import Account

OUTCOMES = {
    "+": Outcome(points=won_by(0, 2), ending=Ending.SCORE, margin=3.5),
    "-": Outcome(points=won_by(1, 2), ending=Ending.RESIGNATION, seat=0),
    "=": Outcome(points=shared(2), ending=Ending.SCORE),
    "?": Outcome(points=None, ending=Ending.MOVE_LIMIT),
    "T": Outcome(points=lost_by(1, 2), ending=Ending.TIME, detail="forfeit", seat=1),
}

OPTIONS = {
    "go": {"board_size": 5, "komi": 0.5},
    "gomoku": {"board_size": 9},
    "dighere": {},
}
TURNS = {
    "go": [[(0, "C3", 0)], [(1, "B2", 4)], [(0, "pass", 1500)]],
    "gomoku": [[(0, "a1", 0)], [(1, "b2", 4)], [(0, "c3", 1500)]],
    "dighere": [[(0, "8", 0), (1, "-1", 4), (2, "1", 0), (3, "99", 1500)]] * 3,
}
"""(seat, move, ms) of the turns of a game."""


def game(number, players=("a", "b"), how="+", *, name="go", sides=(), turns=None, comment=""):
    """Return a game as (spec, record). how: a key of OUTCOMES, or an outcome."""
    seats = players if name != "dighere" else players * 2
    spec = GameSpec(
        id=f"0_{number}",
        pairing="0",
        game=name,
        players=tuple(Player(code=player, command=("x",)) for player in seats),
        options=OPTIONS.get(name, {}),
        seed=5,
    )
    played = TURNS.get(name, []) if turns is None else turns
    record = tuple(
        tuple(Played(seat, move, ms * 10**6, comment) for seat, move, ms in turn) for turn in played
    )
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(seats),
        outcome=how if isinstance(how, Outcome) else OUTCOMES[how],
        turns=len(record),
        engines=tuple(
            EngineReport(name=player, think_ns=3 * 10**9, slowest_ns=2 * 10**9, cpu_ns=10**9)
            for player in seats
        ),
        started=f"2026-11-21T01:{number % 60:02}:00+0000",
        wall_ns=7 * 10**9,
        sides=sides,
    )
    return spec, GameRecord(result=result, turns=record)


CUP = [game(0, how="+"), game(1, ("b", "a"), "-"), game(2, how="="), game(3, ("b", "c"), "T")]
CUP += [game(4, ("c", "a"), "?"), game(5, ("a", "b"), "+", sides=(1, 0))]


def account(games=None, *, most=200, name="go", **more):
    """Return everything that reports are made from, for one competition of these games."""
    games = CUP if games is None else games
    digest, cross = ReportDigest(most), Cross()
    for _, record in games:
        digest.add(record.result)
        cross.add(record.result)
    setup = {"code": "cup", "kind": "playoff", "players": {}, "settings": None, "game": name}
    known = {key: more.pop(key) for key in ("code", "description", "place") if key in more}
    rated = rate(digest.ledger) if digest.ledger.meetings().players else None
    newest = {result.id for result in digest.newest}
    told = {
        "setup": CompetitionSetup(**setup | known),
        "digest": digest,
        "crosses": {"": cross},
        "engines": {},
        "ratings": rated,
        "remaining": 0,
        "games": [each for each in games if each[1].result.id in newest],
    }
    return Account(**told | more)


class Outline(HTMLParser):
    """Reads a page, and demands that its elements are closed in order, ids are unique and nothing is loaded.

    texts   what stands between tags, by the innermost element's name.
    rows    the cells of every row of every table.
    blocks  the JSON blocks by id.
    """

    VOID = ("meta", "br", "input")
    KNOWN = re.compile(
        "html|head|meta|title|style|body|header|main|nav|section|h1|h2|h3|p|b|br|small|a|ul|ol|li|details|summary|pre|kbd|"
        "noscript|div|span|table|thead|tbody|tfoot|tr|th|td|script|button|input|label|select|option|svg|rect|"
        "line|circle|text|path"
    )

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.links, self.rows = [], [], [], []
        self.texts, self.blocks, self.attributes = {}, {}, []
        self._block = ""
        self.feed(page)
        self.close()
        assert self.open == [], "not all elements are closed"
        assert len(set(self.ids)) == len(self.ids), "an id is there twice"
        assert set(self.links) <= set(self.ids), "a link leads nowhere"

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        assert self.KNOWN.fullmatch(tag), f"who wrote {tag}?"
        assert len(given) == len(attrs), f"an attribute of {tag} is there twice"
        for name, value in attrs:
            assert name not in ("src", "style", "action", "data", "srcset"), f"{tag} {name}"
            assert not name.startswith("on"), f"{tag} {name}"
            if name == "href":
                assert value.startswith("#"), f"a link leads to {value}"
                self.links.append(value[1:])
            if name == "id":
                self.ids.append(value)
        self.attributes.append((tag, given))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
        if tag == "script":
            self._block = given.get("id", "script")
            self.blocks[self._block] = ""

    def handle_comment(self, data):
        raise AssertionError("who wrote a comment?")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        inner = self.open[-1] if self.open else ""
        self.texts.setdefault(inner, []).append(data)
        if inner == "script":
            self.blocks[self._block] += data
        elif inner != "small" and ("td" in self.open or "th" in self.open):
            self.rows[-1][-1] += data
