"""What clients of CGOS made of an event of gyoji's (`bench.references.cgos`), as it was kept."""

import json
import re

from bench.references.cgos import GAMES, KEPT, KILLS

TOLD = json.loads((KEPT / "clients.json").read_text(encoding="utf-8"))


def test_both_clients_played_ten_games_unchanged_over_three_kills_and_nonsense_of_others():
    games = TOLD["games"]
    assert len(games) == len({each[0] for each in games}) == GAMES
    assert all(sorted(players) == ["python", "tcl"] for _, players, *_ in games)
    assert {ending for _, _, ending, *_ in games} <= {"score", "resignation"}
    assert (TOLD["verified"], TOLD["void"]) == (True, 0)
    assert TOLD["vandal"] > 100
    assert TOLD["opinions"] == GAMES


def test_each_of_them_was_told_every_game_and_its_result():
    results = [re.search(r"[BW]\+[\d.R]+", line)[0] for *_, line in TOLD["games"]]
    for name, heard in TOLD["heard"].items():
        kills = [who for who in KILLS.values() if who in (name, "serve")]
        assert len(heard["again"]) == len(kills)
        assert heard["setup"] == GAMES + len(kills)
        assert heard["protocol"] == 1 + len(kills)
        assert (heard["gameover"], heard["Error:"]) == (GAMES, 0)
        assert [result.replace(".0", "").replace("Resign", "R") for result in heard["results"]] == results


def test_a_game_that_was_taken_up_again_went_on_with_all_its_moves():
    for heard in TOLD["heard"].values():
        for line in heard["again"]:
            moves = line.split()[7:]
            assert len(moves) >= 10
            assert len(moves) % 2 == 0
            assert all(0 < int(left) <= 600_000 for left in moves[1::2])
