"""A competition that is played again issues the games that it issued, whatever the format."""

from itertools import count

import pytest
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.plugins import FORMATS
from gyoji.scheduler.reload import Issued
from gyoji.testing.competition_kit import drawn_result

GAMES = """
board_size = 9
komi = 7.5
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}, d = {command = "d"}}
"""
CUPS = {
    "playoff": 'matchups = [{players = ["a", "b"], number_of_games = 12}, {players = ["c", "d"]}]',
    "allplayall": "rounds = 4",
    "gauntlet": 'champions = ["a"]\nrounds = 4',
    "swiss": "rounds = 3",
    "knockout": "",
    "ladder": "",
    "sprt": 'competitors = ["a", "b"]\nelo0 = 0\nelo1 = 300',
    "groups": 'rounds = 2\npromote = 1\ngroups = [{players = ["a", "b"]}, {players = ["c", "d"]}]',
}
SLOTS = 3


def competition_of(tmp_path, kind):
    path = tmp_path / "cup.toml"
    path.write_text(f'competition = "{kind}"\n{GAMES}{CUPS[kind]}\n')
    setup = load(path)
    return FORMATS.find(kind).competition(setup)


def played(competition, most=60):
    """(spec, result) in the order of completion, the newest of three games in progress first."""
    running = []
    for _ in count():
        while len(running) < SLOTS and (spec := competition.next_game()) is not None:
            running.append(spec)
        if not running or most == 0:
            return
        most -= 1
        spec = running.pop()
        result = drawn_result(spec)
        competition.add(result)
        yield spec, result


@pytest.mark.parametrize("kind", CUPS)
def test_each_game_is_issued_again_as_it_was(tmp_path, kind):
    games = list(played(competition_of(tmp_path, kind)))
    issued = Issued(competition_of(tmp_path, kind))
    assert len(games) >= 3
    assert [issued.add(spec, result) for spec, result in games] == [[]] * len(games)


@pytest.mark.parametrize("kind", CUPS)
def test_what_another_one_issued_is_not_taken_for_a_game_of_it(tmp_path, kind):
    issued = Issued(competition_of(tmp_path, kind))
    (spec, result), *_ = played(competition_of(tmp_path, kind))
    changed = replace(spec, seed=1, players=spec.players[::-1], options={**spec.options, "opening": ["E5"]})
    found = issued.add(changed, result)
    assert [each.what for each in found] == ["seed", "players in the order of their seats", "opening"]


@pytest.mark.parametrize(("before", "joined"), [("seating = 'list'", ""), ("", ', "e"'), ("", ', "e", "f"')])
def test_an_all_play_all_that_was_begun_in_another_way_is_issued_as_it_was(tmp_path, before, joined):
    """By the list, as earlier releases did, or before others joined."""
    rounds = 'competitors = ["a", "b", "c", "d"{}]\nrounds = 3'
    people = GAMES.replace(
        'd = {command = "d"}', 'd = {command = "d"}, e = {command = "e"}, f = {command = "f"}'
    )

    def made(more, names):
        path = tmp_path / "cup.toml"
        path.write_text(f'competition = "allplayall"\n{more}\n{rounds.format(names)}\n{people}')
        return FORMATS.find("allplayall").competition(load(path))

    games = list(played(made(before, ""), most=9))
    again = made("", joined)
    for _, result in games:
        again.add(result)
    games += played(again)
    competition = made("", joined)
    for _, result in games:
        competition.keep(result)
    issued = Issued(competition)
    assert [issued.add(spec, result) for spec, result in games] == [[]] * len(games)
    assert issued.end() == []
