"""The published kit for record formats, on our games and on formats that break a promise each."""

from types import MappingProxyType

import pytest
from msgspec.structs import replace

from gyoji.core.game import RecordFormat
from gyoji.core.plugins import GAMES
from gyoji.testing.record_kit import check_record_formats

GAME = GAMES.find("gomoku")
PSQ = GAME.record_format("psq")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("go", {"board_size": 5, "komi": 0.5}),
        ("go", {"board_size": 5, "komi": 6.5, "ruleset": "japanese"}),
        ("go", {"board_size": 5, "komi": 0.5, "handicap": 2, "handicap_style": "free"}),
        ("gomoku", {"board_size": 6}),
        ("gomoku", {"rule": "renju"}),
        ("dighere", {"invalid_plans": "shown"}),
    ],
)
def test_what_a_game_leaves_is_the_same_however_it_is_written_and_is_judged_as_it_was_played(game, options):
    check_record_formats(GAMES.find(game), options)


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ({"write_played": lambda spec, record, played: b""}, "write_played writes other bytes"),
        ({"content": lambda data: object()}, "content is not the same"),
        ({"replay": lambda data, wanted: [None]}, "another kind"),
        ({"write": lambda spec, record: repr(id(record)).encode()}, "written otherwise"),
        ({"replay": lambda data, wanted: PSQ.replay(shifted_in(data), wanted)}, "refuses what was played"),
    ],
)
def test_a_broken_promise_is_named(broken, complaint):
    form: RecordFormat = replace(PSQ, **broken)
    game = replace(GAME, record_formats=MappingProxyType({"psq": lambda: form}))
    with pytest.raises(AssertionError, match=complaint):
        check_record_formats(game, {"board_size": 6}, games=1)


def shifted_in(data):
    """Return the file with its second stone on the first one."""
    header, first, _, *rest = data.split(b"\r\n")
    return b"\r\n".join([header, first, first, *rest])
