# A control file of gomill's, run unchanged by gyoji: Python source, so run it only if you trust it.
# GNU Go plays itself at two levels on 9x9, and level 1 also with its fuseki database turned off.

competition_type = "playoff"

from os.path import join

description = """
GNU Go: what a level is worth on a small board.
"""

record_games = True
stderr_to_log = True

LEVELS = (1, 2)


def gnugo(level, *options):
    """A player at a level, with further options."""
    return Player(
        ["gnugo", "--mode=gtp", "--chinese-rules", "--level=%d" % level] + list(options),
        environ={"LEVEL": str(level)},
    )


players = dict(("gnugo-l%d" % level, gnugo(level)) for level in LEVELS)
players["gnugo-nofuseki"] = gnugo(1, "--nofusekidb")
players["spare"] = Player(join(".", "my-build", "gnugo") + " --mode=gtp", discard_stderr=True)  # plays nowhere

board_size = 9
komi = 7.5
alternating = True
number_of_games = 4

matchups = [
    Matchup("gnugo-l1", "gnugo-l2"),
    Matchup("gnugo-l1", "gnugo-nofuseki", id="fuseki", name="with and without fuseki", number_of_games=2),
]
