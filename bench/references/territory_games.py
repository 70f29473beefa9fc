"""The games of `bench.references.territory`: which engines play which, and what each game is once it is over.

GNU Go at three levels, Pachi, and KataGo with few visits: as shipped, and with `preventCleanupPhase = false`.
They are played by gyoji itself, in containment, as any competition is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gyoji import api
from gyoji.core.describe import result_code
from gyoji.core.game import make_options
from gyoji.core.outcome import Ending
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import GoRules

TERRITORY_RULESETS = (
    "japanese",
    "korean",
    "ancient-territory",
    "koSIMPLEscoreTERRITORYtaxNONEsui0",
    "koPOSITIONALscoreTERRITORYtaxSEKIsui0",
    "koSITUATIONALscoreTERRITORYtaxALLsui0",
)

_TWICE = (("japanese", "twin"), ("ancient-territory", "gnugo4"))


@dataclass(frozen=True, slots=True)
class Match:
    """Games of two players, who take Black in turn; handicap games keep their sides."""

    black: str
    white: str
    games: int
    size: int = 9
    handicap: int = 0
    ruleset: str = "japanese"
    dead_stones: str = "auto"

    @property
    def name(self) -> str:
        """The id of the matchup."""
        parts = [f"{self.size}x{self.size}", f"{self.handicap}" if self.handicap else "even", self.ruleset]
        way = [] if self.dead_stones == "auto" else [self.dead_stones]
        return ";".join([*parts, *way, self.black, self.white])

    def toml(self) -> str:
        """Return the matchup as a control file has it."""
        lines = [
            "[[matchups]]",
            f"id = '{self.name}'",
            f"players = ['{self.black}', '{self.white}']",
            f"number_of_games = {self.games}",
            f"board_size = {self.size}",
            f"komi = {0.5 if self.handicap else 6.5}",
            f"ruleset = '{self.ruleset}'",
            f"dead_stones = '{self.dead_stones}'",
            f"alternating = {'false' if self.handicap else 'true'}",
        ]
        lines += [f"handicap = {self.handicap}"] * bool(self.handicap)
        return "\n".join(lines)


MATCHES = (
    Match("gnugo1", "gnugo4", 12),
    Match("gnugo4", "gnugo8", 10),
    Match("gnugo1", "pachi", 8),
    Match("gnugo8", "pachi", 8),
    Match("shipped", "gnugo1", 8),
    Match("shipped", "pachi", 6),
    Match("cleaning", "gnugo4", 6),
    Match("cleaning", "shipped", 4),
    Match("gnugo1", "gnugo8", 6, handicap=3),
    Match("gnugo4", "shipped", 4, handicap=4),
    Match("gnugo1", "pachi", 4, handicap=2),
    Match("gnugo1", "gnugo4", 8, size=13),
    Match("gnugo4", "shipped", 4, size=13),
    Match("gnugo1", "pachi", 4, size=13),
    Match("gnugo1", "gnugo4", 6, size=13, handicap=5),
    Match("gnugo1", "shipped", 4, size=13, handicap=5),
    Match("gnugo1", "gnugo4", 6, dead_stones="play"),
    Match("cleaning", "gnugo4", 4, dead_stones="play"),
    Match("gnugo1", "pachi", 4, dead_stones="play"),
    Match("gnugo1", "gnugo4", 4, size=13, handicap=5, dead_stones="play"),
    *(
        Match(other, "shipped", 2 if (ruleset, other) in _TWICE else 1, ruleset=ruleset)
        for ruleset in TERRITORY_RULESETS
        for other in ("twin", "gnugo4", "pachi")
    ),
)
"""120 games by Japanese rules, and 20 of KataGo as shipped under six territory rulesets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A game that was counted, and what references say of its board when both had passed for the first time.

    moves    the moves of ordinary play, two passes at the end; cleanup: those of the phases that followed.
    settled, dead  as in its `GameResult`.   result: "B+3.5".
    said     by the name of a reference: (its final_score, the stones that it calls dead); of GNU Go
             where these do not fit, White's territory and Black's by its lists as well.
    """

    id: str
    players: Sequence[str]
    size: int
    komi: float
    handicap: int
    ruleset: str
    dead_stones: str
    moves: str
    cleanup: str
    settled: str
    dead: str
    result: str
    said: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def rules(self) -> GoRules:
        """Return the rules of the game."""
        return GoRules(
            Options(
                board_size=self.size,
                komi=self.komi,
                handicap=self.handicap or None,
                ruleset=self.ruleset,
                dead_stones=self.dead_stones,
            )
        )


def kept_games(control_file: Path) -> Iterator[Kept]:
    """Yield the games of an event that were counted, in their order."""
    for game in api.open_event(control_file).games():
        spec, record = game.spec, game.record
        result, options = record.result, make_options(Options, spec.options)
        if result.outcome.ending is not Ending.SCORE:
            continue
        played = [turn[0] for turn in record.turns]
        yield Kept(
            id=spec.id,
            players=result.players,
            size=options.size[0],
            komi=options.komi,
            handicap=options.handicap or 0,
            ruleset=options.ruleset,
            dead_stones=options.dead_stones,
            moves=" ".join(each.move for each in played if not each.phase),
            cleanup=" ".join(f"{each.phase[-1]}{each.move}" for each in played if each.phase),
            settled=result.settled,
            dead=" ".join(result.dead),
            result=result_code(result.outcome),
        )


_KATAGO = "numSearchThreads=1,allowResignation=false,ponderingEnabled=false,logDir=logs"
"""What is set beside KataGo's gtp_example.cfg; with preventCleanupPhase as it is there, it is "shipped"."""


def katago_command(paths: Mapping[str, Path], settings: str) -> tuple[str, ...]:
    """Return how KataGo is started. settings: more of them, after those of its config."""
    places = [str(paths[name]) for name in ("katago", "katago-net", "katago-config")]
    words = (places[0], "gtp", "-model", places[1], "-config", places[2])
    return (*words, "-override-config", f"{_KATAGO},{settings}")


def control_file(paths: Mapping[str, Path]) -> str:
    """Return the event. paths: of gnugo, pachi, katago, its net and its config."""
    commands = {
        **{f"gnugo{level}": f"{paths['gnugo']} --mode gtp --level {level}" for level in (1, 4, 8)},
        "pachi": f"{paths['pachi']} -d0 -t =500 threads=1,resign_threshold=0",
        "shipped": " ".join(katago_command(paths, "maxVisits=20")),
        "twin": " ".join(katago_command(paths, "maxVisits=20")),
        "cleaning": " ".join(katago_command(paths, "maxVisits=20,preventCleanupPhase=false")),
    }
    players = [f"[players.{code}]\ncommand = '{command}'" for code, command in commands.items()]
    heading = "competition = 'playoff'\nrecord_games = false\nboard_size = 9\nkomi = 6.5"
    return "\n\n".join([heading, *players, *(match.toml() for match in MATCHES)]) + "\n"
