"""Every protocol sends an engine equal bytes in games that differ only in what it may not know.

In Go and gomoku all moves are visible. Hidden are the other players, their remarks and thinking times, the
game's id and competition, and the seed.
"""

import json

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.spec import GameSpec, Player
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import json_field
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.protocols.human import HumanCodec
from gyoji.testing.secrecy_kit import Story, check_secrecy


def players(seats, seat, others):
    """Return the player in `seat` and others of some kind."""
    ours = Player(code="ours", command=("ours",))
    return tuple(ours if each == seat else others for each in range(seats))


STRANGERS = (
    Player(code="white", command=("one",)),
    Player(
        code="another", command=("two", "--words"), options={"x": 1}, clock=TimeControl.parse("7s"), threads=4
    ),
)


def stories(game, seat, moves, seats=2, **options):
    """Return the same moves in two games that have nothing else in common."""
    module, found = GAMES.find(game), []
    for number, stranger in enumerate(STRANGERS):
        spec = GameSpec(
            id=f"{number}_{number}",
            pairing=f"{number}",
            game=game,
            players=players(seats, seat, stranger),
            options=options,
            clock=TimeControl.parse("10m"),
            seed=number,
            competition=f"cup{number}",
            event=f"event {number}",
            place=f"place {number}",
            note=f"note {number}",
        )
        rules = module.rules(module.options(**options), number)
        turns = tuple(((index % 2, rules.parse(move)),) for index, move in enumerate(moves))
        found.append(Story(spec=spec, rules=rules, turns=turns))
    return found


def codec(protocol):
    module = PROTOCOLS.find(protocol)
    return lambda: module.codec(module.options())


def gtp(moves):
    left = list(moves)

    def answer(line):
        word = line.split()[0]
        texts = {"protocol_version": "2", "name": "x", "version": "1"}
        return left.pop(0) if word == "genmove" else texts.get(word, "")

    return lambda data: b"".join(f"= {answer(line)}\n\n".encode() for line in data.decode().splitlines())


def gtp_that_knows_all(moves):
    simple = gtp(moves)

    def say(data):
        lines = data.decode().splitlines()
        known = [b"= true\n\n" if line.startswith("known_command") else None for line in lines]
        return b"".join(yes or simple(f"{line}\n".encode()) for yes, line in zip(known, lines, strict=True))

    return say


def usenix(moves):
    left = list(moves)

    def say(data):
        is_asked = data != b"white\n" and not data.startswith(b"byo")
        return f"{left.pop(0)}\n".encode() if is_asked and left else b""

    return say


def gomocup(moves):
    rules = GAMES.find("gomoku").rules(GAMES.find("gomoku").options(), 0)
    names = {rules.point(x, y): f"{x},{y}" for x in range(15) for y in range(15)}
    left = [names[rules.parse(move)] for move in moves]

    def answer(line):
        word = line.split()[0]
        if word in ("START", "RESTART"):
            return "OK\r\n"
        if word == "ABOUT":
            return 'name="x"\r\n'
        return left.pop(0) + "\r\n" if word in ("BEGIN", "TURN", "DONE") else ""

    return lambda data: "".join(map(answer, data.decode().splitlines())).encode()


GO = ("D4", "Q16", "Q4", "D16", "C17", "K10", "pass", "pass")
GOMOKU = ("h8", "h9", "i8", "i9", "g8", "g9", "j8", "j9", "k8")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("game", "moves", "protocol", "speaker", "options"),
    [
        ("go", GO, "gtp", gtp, {"board_size": 19, "komi": 7.5}),
        ("go", GO, "gtp", gtp_that_knows_all, {"board_size": 19, "komi": 7.5}),
        ("go", GO[:5], "usenix", usenix, {"board_size": 19, "komi": 5.5}),
        ("gomoku", GOMOKU, "gomocup", gomocup, {}),
        ("gomoku", GOMOKU[:6], "gomocup", gomocup, {"opening": "h8h9"}),
    ],
)
def test_an_engine_is_sent_nothing_but_the_game(game, moves, protocol, speaker, options, seat):
    if "opening" in options:
        moves = moves[2:]
    sent = check_secrecy(stories(game, seat, moves, **options), seat, codec(protocol), speaker)
    assert sent


def field(hidden):
    """Return a field with four agents in the corners and no hole."""
    return Field(
        size=8,
        steps=20,
        agents=(Agent(0, 0), Agent(7, 7), Agent(0, 7), Agent(7, 0)),
        holes=(),
        known=(Treasure(4, 4, 10),),
        hidden=tuple(Treasure(*cell, amount) for cell, amount in hidden),
    )


def dighere(moves):
    left = list(moves)
    return lambda data: f"{left.pop(0)}\n".encode() if left else b""


def digging(hidden, plans, seat=0, seed=0, invalid_plans="hidden"):
    module = GAMES.find("dighere")
    options = module.options(opening=dict(json_field(field(hidden))), invalid_plans=invalid_plans)
    spec = GameSpec(
        id=f"0_{seed}", pairing="0", game="dighere", players=players(4, seat, STRANGERS[seed]), seed=seed
    )
    turns = tuple(tuple(enumerate(turn)) for turn in plans)
    return Story(spec=spec, rules=module.rules(options, seed), turns=turns)


STAYING = [(-1, -1, -1, -1)] * 3


@pytest.mark.parametrize("seat", range(4))
def test_treasure_that_a_dog_does_not_sense_is_told_to_nobody(seat):
    one = digging([(Cell(3, 3), 6), (Cell(5, 2), 4)], STAYING, seat)
    other = digging([(Cell(5, 5), 8), (Cell(2, 3), 2)], STAYING, seat, seed=1)
    assert check_secrecy([one, other], seat, codec("dighere"), dighere).count(b"\n") == 13 * 4


@pytest.mark.parametrize(("seat", "is_told"), [(0, False), (1, False), (2, True), (3, False)])
def test_treasure_beside_a_dog_is_told_to_that_dog_alone(seat, is_told):
    stories = [digging([(cell, 6)], STAYING, seat) for cell in (Cell(1, 6), Cell(3, 3))]
    if not is_told:
        check_secrecy(stories, seat, codec("dighere"), dighere)
        return
    with pytest.raises(AssertionError, match=f"seat {seat} can tell story 0 from story 1"):
        check_secrecy(stories, seat, codec("dighere"), dighere)


@pytest.mark.parametrize("seat", range(4))
def test_a_person_at_a_page_is_shown_no_treasure_that_its_agent_does_not_know(seat):
    def answer(data):
        asked = [event for event in map(json.loads, data.splitlines()) if event["event"] == "ask"]
        return "".join(f'{{"question":{event["question"]},"move":"-1"}}\n' for event in asked).encode()

    one = digging([(Cell(3, 3), 6), (Cell(5, 2), 4)], STAYING, seat)
    other = digging([(Cell(5, 5), 8), (Cell(2, 3), 2)], STAYING, seat, seed=1)
    pictures = GAMES.find("dighere").pictures()
    sent = check_secrecy([one, other], seat, lambda: HumanCodec(pictures), lambda _: answer)
    assert b'"frame"' in sent


def test_plans_that_are_none_are_told_as_staying_unless_all_are_to_see_them():
    hidden = [(Cell(3, 3), 6)]
    plans = [[(-1, number, 17 + number, 90 + number)] * 2 for number in (1, 3)]
    check_secrecy([digging(hidden, each) for each in plans], 0, codec("dighere"), dighere)
    rules = digging(hidden, plans[0]).rules
    turn = ((0, 3), (1, 5), (2, 17), (3, 7))
    assert [rules.news(turn, seat) for seat in (0, 2)] == [
        ((0, 3), (1, -1), (2, -1), (3, 7)),
        ((0, -1), (1, -1), (2, 17), (3, 7)),
    ]
    shown = [digging(hidden, each, invalid_plans="shown") for each in plans]
    assert shown[0].rules.news(turn, 0) == turn
    with pytest.raises(AssertionError, match="seat 0 can tell story 0 from story 1"):
        check_secrecy(shown, 0, codec("dighere"), dighere)
