"""The log of a game after turns were taken back."""

from gyoji.core.clocks import TimeControl
from gyoji.core.messages import Comment, Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import GoRules
from gyoji.referee.game_log import GameLog
from gyoji.referee.seat_state import Closing, seat_states


def test_what_was_said_of_the_turns_of_a_phase_that_is_taken_back_stands_at_no_later_move():
    players = tuple(Player(code=code, command=(code,)) for code in "xy")
    spec = GameSpec(id="0", pairing="0", game="go", players=players, clock=TimeControl())
    rules = GoRules(Options(board_size=5, komi=0.5))
    states = seat_states(spec, rules)
    log = GameLog(spec, rules)
    start = rules.start()
    for phase, text, win in (("opening", "of the opening", 0.9), ("", "of the game", 0.4)):
        turn = ((0, rules.parse("C3")),)
        log.add(start, phase, turn, (1,), rules.play(start, turn))
        states[0].last = 0
        log.note_comment(states[0], Comment(text, Evaluation(win=win)))
        if phase:
            log.take_back_phase(states)
    record = log.record(
        Outcome(points=(1.0, 0.0), ending=Ending.SCORE),
        states,
        [Closing(), Closing()],
        scores=(),
        sides=(),
        started="",
        wall_ns=0,
    )
    assert [each.comment for turn in record.turns for each in turn] == ["of the game"]
    assert record.final_remarks == ((0, "of the opening"),)
    assert [(each.turn, each.evaluation.win) for each in record.opinions] == [(0, 0.4)]
