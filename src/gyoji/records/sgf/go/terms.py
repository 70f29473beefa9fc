"""By which rules a recorded game is judged: those asked for, else those it names, else Chinese ones."""

from typing import NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.core.text import printable
from gyoji.games.go import GoRules, Options
from gyoji.games.go.house_rules import read_rules
from gyoji.games.go.ruleset_text import read
from gyoji.games.go.rulesets import Ruleset
from gyoji.records.sgf.go.mainline import MainLine

PLAIN = "plain"
"""What stands for no ruleset: simple ko, suicide allowed, area with all stones alive."""

DEFAULT = "chinese"
"""The rules of a file that names none, or none that we know."""


class Terms(NamedTuple):
    """The rules of a game, komi included. notes: what was assumed, a line each."""

    rules: GoRules
    notes: tuple[str, ...]

    @property
    def name(self) -> str:
        return str(self.rules.ruleset) or PLAIN


def check_ruleset(text: str) -> None:
    """Raise ConfigError unless `text` is `PLAIN` or a ruleset."""
    if text == PLAIN:
        return
    try:
        read_rules(text)
    except ValueError as error:
        raise ConfigError(f"rules: {error}; or {PLAIN}") from None


def terms_of(game: MainLine, *, ruleset: str | None = None, komi: float | None = None) -> Terms:
    """The terms of a game; ruleset, komi: what is asked for. Raises ValueError for a board we have not."""
    notes = []
    if ruleset is None:
        ruleset, note = _recorded_ruleset(game)
        notes += [note] if note else []
    ruleset = "" if ruleset == PLAIN else ruleset
    if komi is None and (komi := game.komi) is None:
        komi = read(ruleset.split(" +")[0]).komi if ruleset else Ruleset().default_komi
        notes.append(f"the file gives no komi: it is taken as {komi:g}")
    options = Options(
        board_size=(game.width, game.height),
        komi=komi,
        handicap=_handicap(game),
        handicap_style="free",
        ruleset=ruleset,
    )
    return Terms(GoRules(options), tuple(notes))


def _recorded_ruleset(game: MainLine) -> tuple[str, str]:
    """The ruleset that a file stands for, and what is to be said about that."""
    if game.rules:
        try:
            return read_rules(game.rules).name, ""
        except ValueError:
            return (
                DEFAULT,
                f"RU[{printable(game.rules, 60)}] is no ruleset we know: {DEFAULT} rules are taken",
            )
    if game.info.get("AP", "").startswith("gyoji:"):
        return PLAIN, ""  # a game of ours without RU was played so
    return DEFAULT, f"the file names no rules: {DEFAULT} rules are taken"


def _handicap(game: MainLine) -> int | None:
    """The stones of a handicap: more than one black one, and no white, before the first move."""
    black, white = first_stones(game)
    return len(black) if len(black) > 1 and not white and len(black) < game.width * game.height else None


def first_stones(game: MainLine) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The black and the white stones that are set up before the first move."""
    black: set[tuple[int, int]] = set()
    white: set[tuple[int, int]] = set()
    for after, for_black, for_white, empty in game.setups:
        if not after:
            black = (black - {*for_white, *empty}) | set(for_black)
            white = (white - {*for_black, *empty}) | set(for_white)
    return black, white
