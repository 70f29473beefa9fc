"""Small competitions of instant engines in which every game goes the same way each time it is played."""

from dataclasses import dataclass
from pathlib import Path

PROGRAM = """\
#!/bin/sh
case $GYOJI_GAME_TOKEN in ????????????????) token=$GYOJI_GAME_TOKEN ;; *) token=123456 ;; esac
exec {engine} $((0x${{token%%${{token#??????}}}})) {words}
"""
"""Shell script of a player. It seeds the engine from the game's token, so each game differs and can be
repeated.
"""


@dataclass(frozen=True, slots=True)
class Event:
    """A competition.

    Attributes:
        words: Arguments of the engine before and after its seed.
        players: Number of players.
        rest: The control file without its players.
        adapts: Results decide the pairings or the end, so that a killed engine would change all later games.
        decides: Whether it is a sequential test. Only games that its verdict counts are compared: those in
            progress at the decision are finished, and which these are is chance.
    """

    name: str
    source: str
    words: tuple[str, str]
    players: int
    rest: str
    adapts: bool = False
    decides: bool = False

    def write(self, folder: Path, engine: Path) -> Path:
        """Write the control file and the players' program below `folder`. Return the control file."""
        folder.mkdir(parents=True)
        before, after = self.words
        (bot := folder / "bot").write_text(PROGRAM.format(engine=f"{engine} {before}", words=after))
        bot.chmod(0o755)
        path = folder / "event.toml"
        codes = "abcdefgh"[: self.players]
        lines = [f'sandbox = "guarded"\nseed = 7\nskip_player_checks = true\n{self.rest}']
        lines += [f'[players.{code}]\ncommand = "{bot}"\n' for code in codes]
        if 'competition = "playoff"' in self.rest:
            lines.append('[[matchups]]\nplayers = ["a", "b"]\nalternating = true\n')
        path.write_text("\n".join(lines))
        return path


EVENTS = (
    Event(
        "playoff go",
        "gtp_instant.c",
        ("--seed", "--moves 40 --delay-us 15000"),
        2,
        'competition = "playoff"\nboard_size = 9\nkomi = 7.5\nnumber_of_games = 40\n',
    ),
    Event(
        "playoff Dig Here",
        "samurai_instant.c",
        ("", ""),
        2,
        'game = "dighere"\ncompetition = "playoff"\nnumber_of_games = 80\n',
    ),
    Event(
        "all-play-all Gomoku",
        "pbrain-instant.c",
        ("-d 10000 -near", ""),
        4,
        'game = "gomoku"\ncompetition = "allplayall"\nboard_size = 15\nrounds = 8\n',
    ),
    Event(
        "Swiss Go",
        "gtp_instant.c",
        ("--seed", "--moves 40 --delay-us 10000"),
        6,
        'competition = "swiss"\nboard_size = 9\nkomi = 7.5\nrounds = 5\ngames_per_match = 3\n',
        adapts=True,
    ),
    Event(
        "SPRT chess",
        "uci_instant.c",
        ("--seed", "--delay-us 1000"),
        2,
        'game = "chess"\ncompetition = "sprt"\nelo0 = 0\nelo1 = 90\nclock = "60+1"\n',
        adapts=True,
        decides=True,
    ),
)


NEXT = Event(
    "next", "gtp_instant.c", ("--seed", "--moves 4"), 2,
    'competition = "playoff"\nboard_size = 9\nkomi = 7.5\nnumber_of_games = 2\n',
)  # fmt: skip
