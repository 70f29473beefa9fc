# A Monte Carlo tuning event of gomill's, run unchanged by gyoji: Python source, so run it only if you trust it.
# Needs nothing but gyoji: which way to run the small engine that comes with it takes most games from chance.
# Play it with: gyoji run -j 2 examples/gomill-mc-tuner.ctl

competition_type = "mc_tuner"

description = """\
Kozo in three styles, with different seeds, against Kozo.
"""

players = {
    "steady": Player("gyoji-kozo --seed 1"),
}


def kozo(*options):
    return Player(["gyoji-kozo"] + list(options))


parameters = [
    Parameter("style", scale=EXPLICIT(["plays", "resigns", "drunk"]), split=3, format="%s"),
    Parameter("seed", scale=LINEAR(-0.5, 3.5, integer=True), split=4, format="seed %d"),
]


def make_candidate(style, seed):
    if style == "drunk":
        return kozo("--random", "--seed", str(seed))
    if style == "resigns":
        return kozo("--resign", "--seed", str(seed))
    return kozo("--seed", str(seed))


board_size = 7
komi = 8.5
scorer = "internal"
opponent = "steady"
candidate_colour = "random"
number_of_games = 120

exploration_coefficient = 0.45
initial_visits = 10
initial_wins = 5

summary_spec = [12]
log_tree_to_history_period = 40
