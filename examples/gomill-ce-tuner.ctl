# A cross-entropy tuning event of gomill's, run unchanged by gyoji: Python source, so run it only if you trust it.
# GNU Go looks for its level, and for how much it remembers, against itself at level 8.

competition_type = "ce_tuner"

players = {
    "gnugo-l8": Player("gnugo --mode=gtp --chinese-rules --level=8"),
}


def level(x):
    """A level that GNU Go has."""
    return max(1, min(10, round(x)))


def megabytes(x):
    """The distribution is of logarithms."""
    return 2.0**x


parameters = [
    Parameter("level", initial_mean=5.0, initial_variance=9.0, transform=level, format="level %d"),
    Parameter("cache", initial_mean=4.0, initial_variance=2.0, transform=megabytes, format="cache %.1f MB"),
]


def make_candidate(level, cache):
    return Player(
        ["gnugo", "--mode=gtp", "--chinese-rules", "--level=%d" % level, "--cache-size=%.2f" % cache],
    )


board_size = 9
komi = 7.5
opponent = "gnugo-l8"
candidate_colour = "w"

number_of_generations = 5
samples_per_generation = 20
batch_size = 4
elite_proportion = 0.2
step_size = 0.8
