"""Games as pictures: what the frames have put on the board is what the rules have there, after every turn."""

import pytest

from gyoji.core.faults import IllegalMove
from gyoji.core.game import Frame
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.core.spec import derive_seed
from gyoji.games.dighere import frames as dighere_frames
from gyoji.games.dighere.game_options import Options as DigHereOptions
from gyoji.games.dighere.rules import rules as dighere_rules
from gyoji.games.go import frames as go_frames
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.games.gomoku import frames as gomoku_frames
from gyoji.games.gomoku.game_options import Options as GomokuOptions
from gyoji.games.gomoku.game_options import rules as gomoku_rules

UNDECIDED = Outcome(points=None, ending=Ending.MOVE_LIMIT)

GAMES = {
    "go 9x9": (go_frames, go_rules(GoOptions(board_size=9, komi=7.5))),
    "go 5x3": (go_frames, go_rules(GoOptions(board_size=(5, 3), komi=0, ruleset="tromp-taylor"))),
    "go, fixed handicap": (go_frames, go_rules(GoOptions(board_size=9, komi=0, handicap=3))),
    "go, free handicap": (
        go_frames,
        go_rules(GoOptions(board_size=7, komi=0, handicap=4, handicap_style="free")),
    ),
    "gomoku with an opening": (gomoku_frames, gomoku_rules(GomokuOptions(opening="h8i9a15"))),
    "gomoku 20x10 with swap2": (gomoku_frames, gomoku_rules(GomokuOptions(board_size=(20, 10), swap2=True))),
    "continuous gomoku": (gomoku_frames, gomoku_rules(GomokuOptions(board_size=7, rule="continuous"))),
    "dig here": (dighere_frames, dighere_rules(DigHereOptions(), seed=5)),
}


def record(turns, outcome=UNDECIDED):
    result = GameResult(
        id="0",
        pairing="",
        players=("a", "b"),
        outcome=outcome,
        turns=len(turns),
        engines=(),
        started="",
        wall_ns=0,
    )
    return GameRecord(result=result, turns=tuple(turns))


def moves(rules, *texts):
    """Return a record of these moves, whoever's turn it is."""
    position, turns = rules.start(), []
    for text in texts:
        (seat,) = rules.acting(position)
        turns.append((Played(seat, text, 0, phase=rules.phase(position)),))
        position = rules.play(position, ((seat, rules.parse(text)),))
    return record(turns)


def random_game(rules, longest=150):
    """(turns, the positions before and after each) of a game that chance has played."""
    position, turns = rules.start(), []
    positions = [position]
    while (acting := rules.acting(position)) and len(turns) < longest:
        turn = []
        for seat in acting:
            legal = list(rules.legal(position, seat))
            turn.append((seat, legal[derive_seed(len(turns), seat) % len(legal)]))
        phase = rules.phase(position)
        turns.append(tuple(Played(seat, rules.format(move), 0, phase=phase) for seat, move in turn))
        position = rules.play(position, tuple(turn))
        positions.append(position)
    return turns, positions


def drawn(scene, signs):
    """Return what stands on the places, as the diagrams of the three games would have it."""
    letters = {"B": "X", "W": "O", "b": "#", "w": "#", "H": "o", "T": "$", "U": "?", "+": "."}
    agents = {"S0": "A", "S1": "B", "D0": "a", "D1": "b"}
    rows = []
    for row in range(len(scene.rows)):
        words = [signs.get(row * scene.width + x, "").split() for x in range(scene.width)]
        rows.append([agents.get(each[-1][:2], letters.get(each[-1][0])) if each else "." for each in words])
    return rows


def diagram(rules, position, scene):
    """Return the rows of the rules' own drawing, without names; the mark of a ko is none of ours."""
    lines = [line.split() for line in rules.render(position).replace("*", ".").splitlines()]
    return [line[1:] for line in lines if len(line) == scene.width + 1]


@pytest.mark.parametrize("name", GAMES)
def test_the_frames_draw_what_the_rules_draw_after_every_turn(name):
    module, rules = GAMES[name]
    turns, positions = random_game(rules)
    scene, signs = module.scene(rules), {}
    shown = list(module.frames(rules, record(turns)))
    assert len(shown) == len(positions) > 10
    for frame, position in zip(shown, positions, strict=True):
        places = [place for place, _ in frame.changes]
        assert len(set(places)) == len(places)
        assert all(0 <= place < scene.width * len(scene.rows) for place in (*places, *frame.marks))
        assert len(frame.tally) == (2 if scene.tally else 0)
        signs |= dict(frame.changes)
        assert drawn(scene, signs) == diagram(rules, position, scene)


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_is_shown_what_the_rules_draw_of_its_view(name):
    module, rules = GAMES[name]
    _, positions = random_game(rules)
    scene = module.scene(rules)
    for position in positions[::7]:
        for seat in range(rules.seats):
            view = rules.view(position, seat)
            frame = module.seen(rules, view, seat)
            assert drawn(scene, dict(frame.changes)) == diagram(rules, view, scene)[: len(scene.rows)]
            assert len(frame.tally) == (2 if scene.tally else 0)


@pytest.mark.parametrize("name", GAMES)
def test_the_moves_that_a_person_is_offered_are_moves(name):
    module, rules = GAMES[name]
    _, positions = random_game(rules)
    for position in positions[:40:3]:
        for seat in rules.acting(position):
            offered = module.offered(rules, rules.view(position, seat), seat)
            for choice in offered.choices:
                rules.check(position, seat, rules.parse(choice.move))
            assert offered.points or offered.choices


@pytest.mark.parametrize(
    ("name", "texts", "counts", "choices"),
    [
        ("go 9x9", [], (1,), ["pass"]),
        ("go, free handicap", [], (4,), []),
        ("gomoku with an opening", [], (1,), []),
        ("gomoku 20x10 with swap2", [], (3,), []),
        ("gomoku 20x10 with swap2", ["a1b1c1"], (1, 2), ["play as Black"]),
        ("gomoku 20x10 with swap2", ["a1b1c1", "d1e1"], (1,), ["play as Black"]),
        ("gomoku 20x10 with swap2", ["a1b1c1", "swap"], (1,), []),
    ],
)
def test_as_many_points_as_a_move_needs_are_asked_for(name, texts, counts, choices):
    module, rules = GAMES[name]
    position = rules.start()
    for text in texts:
        (seat,) = rules.acting(position)
        position = rules.play(position, ((seat, rules.parse(text)),))
    (seat,) = rules.acting(position)
    offered = module.offered(rules, position, seat)
    assert (offered.points, [choice.words for choice in offered.choices]) == (counts, choices)
    if counts:
        scene = module.scene(rules)
        names = [scene.columns[x] + scene.rows[-3] for x in range(max(counts))]
        rules.check(position, seat, rules.parse(offered.between.join(names)))


def test_the_plans_of_an_agent_are_offered_on_their_cells():
    module, rules = GAMES["dig here"]
    position = rules.start()
    for seat in range(4):
        offered = module.offered(rules, rules.view(position, seat), seat)
        on_field = [choice for choice in offered.choices if choice.place >= 0]
        verbs = {choice.words.split()[0] for choice in on_field}
        assert verbs == ({"move", "dig", "plug"} if seat < 2 else {"move"})
        assert offered.choices[-1].move == "-1"


@pytest.mark.parametrize("name", GAMES)
def test_the_names_of_columns_and_rows_are_those_of_the_notation(name):
    module, rules = GAMES[name]
    scene = module.scene(rules)
    assert len(set(scene.columns)) == len(scene.columns)
    if module is not dighere_frames:
        point = rules.parse(scene.columns[1] + scene.rows[0])
        top = getattr(rules, "column_row", None)
        assert (top or rules.coordinates)(point) == (1, rules.height - 1 if top else 0)


def test_what_is_taken_leaves_the_board_and_is_counted():
    rules = go_rules(GoOptions(board_size=3, komi=0))
    *_, last = go_frames.frames(rules, moves(rules, "A1", "A2", "C3", "B1"))
    assert last == Frame(changes=((6, ""), (7, "W")), marks=(7,), tally=(0, 1))


def test_a_pass_changes_and_marks_nothing():
    rules = go_rules(GoOptions(board_size=3, komi=0))
    assert list(go_frames.frames(rules, moves(rules, "pass")))[1] == Frame(changes=(), tally=(0, 0))


COUNTED = Outcome(points=won_by(0, 2), ending=Ending.SCORE, margin=9.0)


@pytest.mark.parametrize(
    ("outcome", "owned"),
    [
        (COUNTED, {0: "+0", 1: "+0", 2: "+0", 3: "+0", 5: "+0", 6: "+0", 7: "+0", 8: "+0"}),
        (Outcome(points=won_by(1, 2), ending=Ending.SCORE, margin=3.0), {}),
        (Outcome(points=won_by(0, 2), ending=Ending.TIME), {}),
    ],
    ids=["counted by the rules", "counted otherwise", "not counted"],
)
def test_territory_is_shown_only_where_the_rules_have_counted_it(outcome, owned):
    rules = go_rules(GoOptions(board_size=3, komi=0))
    played = record(moves(rules, "B2", "pass", "pass").turns, outcome)
    *_, last = go_frames.frames(rules, played)
    assert dict(last.changes) == owned


def test_dead_stones_fade_in_the_territory_of_the_other_side():
    rules = go_rules(GoOptions(board_size=(5, 2), komi=0, ruleset="chinese"))
    texts = ["B1", "E1", "B2", "pass", "D1", "pass", "D2", "pass", "C1", "pass", "pass"]
    outcome = Outcome(points=won_by(0, 2), ending=Ending.SCORE, margin=10.0)
    *_, last = go_frames.frames(rules, record(moves(rules, *texts).turns, outcome))
    assert dict(last.changes)[9] == "w +0"


def test_the_row_that_wins_is_marked():
    rules = gomoku_rules(GomokuOptions())
    texts = ["a1", "a3", "b1", "b3", "c1", "c3", "d1", "d3", "e1"]
    *_, before, last = gomoku_frames.frames(rules, moves(rules, *texts))
    assert before.marks == (33,)
    assert last == Frame(changes=((4, "B"),), marks=(0, 1, 2, 3, 4))


def test_a_player_that_could_not_swap_has_played_from_the_opening():
    rules = gomoku_rules(GomokuOptions(swap2=True, opening="h8i9j10"))
    first, second = gomoku_frames.frames(rules, record([(Played(1, "a1", 0),)]))
    assert {sign for _, sign in first.changes} == {"B", "W"}
    assert second.changes == ((0, "W"),)


def test_an_agent_that_is_out_stays_where_it_is():
    rules = dighere_rules(DigHereOptions(), seed=5)
    turn = tuple(Played(seat, "0", 0) for seat in (0, 2, 3))
    first, second = dighere_frames.frames(rules, record([turn]))
    (place,) = [place for place, sign in first.changes if "S1" in sign]
    assert place not in dict(second.changes)
    assert len(second.words) == 3


def test_an_agent_is_offered_what_it_can_do_digging_first_where_treasure_is():
    field = {
        "size": 6,
        "steps": 9,
        "agents": [{"x": x, "y": y} for x, y in ((0, 0), (5, 5), (0, 2), (1, 3))],
        "holes": [{"x": 1, "y": 0}],
        "known": [{"x": 0, "y": 1, "amount": 4}],
        "hidden": [{"x": 1, "y": 1, "amount": 4}],
    }
    rules = dighere_rules(DigHereOptions(opening=field), seed=0)
    start = rules.start()

    def offered(seat):
        choices = dighere_frames.offered(rules, rules.view(start, seat), seat).choices
        return [(each.move, each.place, each.key) for each in choices]

    assert offered(0) == [("8", 6, "s"), ("0", 6, "2"), ("22", 1, "l"), ("-1", -1, "5")]
    dog = {("0", 18, "2"), ("4", 6, "8"), ("5", 7, "9"), ("6", 13, "6"), ("-1", -1, "5")}
    assert set(offered(2)) == dog
    assert all(rules.notes(start, ((0, int(move)),)) == ("",) for move, *_ in offered(0))


def test_what_comes_before_a_move_that_the_rules_refuse_can_be_seen():
    rules = go_rules(GoOptions(board_size=3, komi=0))
    shown = go_frames.frames(rules, record([(Played(0, "A1", 0),), (Played(1, "A1", 0),)]))
    assert [next(shown).changes, next(shown).changes] == [(), ((6, "B"),)]
    with pytest.raises(IllegalMove):
        next(shown)
