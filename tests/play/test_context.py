"""What the games of a worker share."""

import pytest
from msgspec.structs import replace

from gyoji.core.faults import Breakdown
from gyoji.core.spec import Containment, GameSpec, Player
from gyoji.play.context import WorkerContext
from gyoji.testing.rules_kit import check_rules


@pytest.fixture
def context():
    context = WorkerContext()
    yield context
    context.close()


def spec(game, seed=0, **options):
    return GameSpec(id="0_0", pairing="0", game=game, players=(), options=options, seed=seed)


@pytest.mark.parametrize(
    ("game", "options"), [("go", {"board_size": 3, "komi": 0}), ("gomoku", {"board_size": 5})]
)
def test_games_without_chance_have_the_same_rules_whatever_their_seed(context, game, options):
    rules = context.rules(spec(game, **options))
    assert context.rules(spec(game, seed=5, **options)) is rules
    assert context.rules(spec(game, **(options | {"board_size": 7}))) is not rules
    check_rules(rules, games=3)
    check_rules(context.rules(spec(game, **options)), games=3)


def test_a_game_with_chance_has_rules_of_its_own(context):
    first, second = (context.rules(spec("dighere", seed=seed)).field for seed in (1, 2))
    assert first != second
    assert context.rules(spec("dighere", seed=1)).field == first


def test_options_that_make_no_rules_are_a_breakdown(context):
    with pytest.raises(Breakdown, match="go: "):
        context.rules(spec("go", board_size=0, komi=0))


@pytest.mark.process
def test_the_launcher_is_there_before_an_engine_is_once_a_game_was_prepared_that_needs_it(context):
    off, guarded = (
        Player(code=level, command=("/bin/true",), containment=Containment(level=level))
        for level in ("off", "guarded")
    )
    context.prepare(replace(spec("go", board_size=3, komi=0), players=(off, off)))
    assert not context.pids
    context.prepare(replace(spec("go", board_size=3, komi=0), players=(off, guarded)))
    assert len(context.pids) == 1


def test_what_is_wrong_with_a_game_is_not_told_when_it_is_prepared(context):
    nobody = Player(code="x", command=("/bin/true",), protocol="none", executor="none")
    context.prepare(replace(spec("go", board_size=0, komi=0), players=(nobody, nobody)))
