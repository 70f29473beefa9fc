# The smallest control file of gomill: one matchup, and all else at its default.
competition_type = "playoff"

players = {
    "gnugo-l1": Player("gnugo --mode=gtp --chinese-rules --level=1"),
    "gnugo-l2": Player("gnugo --mode=gtp --chinese-rules --level=2", startup_gtp_commands=["set_random_seed 7"]),
}

matchups = [
    Matchup("gnugo-l1", "gnugo-l2", board_size=9, komi=7.5, alternating=True, number_of_games=6),
]
