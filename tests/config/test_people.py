"""Persons of a control file, who may share the seats of their team with a program or a second person."""

import pytest

from gyoji.config.competition import load
from gyoji.core.spec import people_of
from gyoji.formats.playoff import FORMAT

CUP = """\
competition = "playoff"
game = "dighere"
[players.ann]
{ann}
[players.ben]
{ben}
[[matchups]]
players = ["ann", "ben"]
"""
PERSON = "human = true"
DOG = 'partner = "gyoji-horidashi --random"'
SECOND = "partner = { human = true }"
PROGRAM = 'command = "gyoji-horidashi"'


def seats(write, ann, ben=PROGRAM):
    """Who sits where in the first game: persons by their names, programs by their last word."""
    setup = load(write(CUP.format(ann=ann, ben=ben)))
    spec = FORMAT.competition(setup).next_game()
    words = [each.person if each.is_person else each.command[-1].rpartition("/")[2] for each in spec.players]
    assert {each.code for each in spec.players} == {"ann", "ben"}
    assert all(each.protocol == "dighere" for each in spec.players if not each.is_person)
    return words, people_of(setup.players.values())


def test_a_person_plays_all_seats_of_its_team(write):
    assert seats(write, PERSON) == (["ann", "gyoji-horidashi", "ann", "gyoji-horidashi"], ["ann"])


def test_a_person_plays_the_first_seat_and_a_program_the_others(write):
    words, persons = seats(write, f"{PERSON}\n{DOG}\nsandbox = 'off'")
    assert (words[0], words[2], persons) == ("ann", "--random", ["ann"])


def test_a_program_plays_the_first_seat_and_a_person_the_others(write):
    words, persons = seats(write, f"{PROGRAM}\n{SECOND}")
    assert (words[0], words[2], persons) == ("gyoji-horidashi", "ann (partner)", ["ann (partner)"])


def test_four_persons_have_a_name_each(write):
    words, persons = seats(write, f"{PERSON}\n{SECOND}", f"{PERSON}\n{SECOND}")
    assert words == ["ann", "ben", "ann (partner)", "ben (partner)"]
    assert persons == ["ann", "ann (partner)", "ben", "ben (partner)"]


def test_of_a_team_with_a_person_the_program_is_tried_alone(write):
    ann, ben = f"{PERSON}\n{DOG}", f"{PROGRAM}\n{SECOND}"
    setup = load(write(CUP.format(ann=ann, ben=ben)))
    for spec in FORMAT.competition(setup).checks():
        assert not any(player.is_person for player in spec.players)
        assert len({player.command for player in spec.players}) == 1


WRONG = [
    (f"{PERSON}\n{PROGRAM}", "players.ann.command: a person has none; there are human, partner, clock"),
    (f"{PERSON}\npartner = {{ human = 1 }}", "players.ann.partner: expected a command, or { human = true }"),
    (f"{PERSON}\npartner = 3", "players.ann.partner: expected a string, or a list of strings, got 3"),
    (SECOND, "players.ann.command: required, but not given"),
]


@pytest.mark.parametrize(("ann", "complaint"), WRONG)
def test_what_nobody_can_be_is_refused(ann, complaint, complaints):
    assert complaint in "\n".join(complaints(CUP.format(ann=ann, ben=PROGRAM)))
