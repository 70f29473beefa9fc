"""The record files of a game, in folders where engines may have put links."""

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played, VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.play.game_files import write_records, write_void_records
from gyoji.play.order import Files

PLAYERS = tuple(Player(code=code, command=("/p",)) for code in "ab")
SPEC = GameSpec(id="0_0", pairing="0", game="go", players=PLAYERS, options={"board_size": 9, "komi": 7.5})
TURNS = ((Played(0, "E5", 1),),)
RESULT = GameResult(
    id="0_0",
    pairing="0",
    players=("a", "b"),
    outcome=Outcome(points=(1.0, 0.0), ending=Ending.RESIGNATION),
    engines=(),
    wall_ns=0,
    turns=1,
    started="",
)
RECORD = GameRecord(result=RESULT, turns=TURNS)
VOID = VoidGame(id="0_0", pairing="0", players=("a", "b"), reason="x", started="", turns=TURNS)


def files_of(folder):
    return Files(records=str(folder / "e.games"), voids=str(folder / "e.void"), formats=("sgf",))


def test_a_record_replaces_a_link_and_what_it_leads_to_stays(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("e.games", "e.void"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "0_0.sgf").symlink_to(victim)
    assert write_records(files_of(tmp_path), SPEC, RECORD) == []
    assert write_void_records(files_of(tmp_path), SPEC, VOID) == []
    assert victim.read_text() == "precious"
    for name in ("e.games", "e.void"):
        assert (tmp_path / name / "0_0.sgf").read_text().startswith("(;FF[4]")


def test_a_folder_that_has_become_a_link_gets_no_record_and_the_log_says_so(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "e.games").symlink_to(tmp_path / "mine")
    (line,) = write_records(files_of(tmp_path), SPEC, RECORD)
    assert line.startswith(
        f"cannot write {tmp_path}/e.games/0_0.sgf: {tmp_path}/e.games: it is a symbolic link"
    )
    assert line.endswith("; the game itself is stored")
    assert not list((tmp_path / "mine").iterdir())
