"""`gyoji show --plans`: what became of every plan, and what was gathered on each field."""

from pathlib import Path

from msgspec.structs import replace

from gyoji.cli.exits import say
from gyoji.cli.files import open_event
from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible_json
from gyoji.pairing.games import known_names
from gyoji.report.plans import Account, account_lines, account_values
from gyoji.scheduler.event import Event, comparable
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store


def show_plans(path: Path, *, as_json: bool) -> ExitStatus:
    """The whole command. Raises ConfigError for a game that does not account for its moves."""
    account = _account(open_event(path))
    if as_json:
        say(legible_json(account_values(account), indent=2))
        return ExitStatus.COMPLETE
    for line in list(account_lines(account)) or ["no results yet"]:
        say(line)
    return ExitStatus.COMPLETE


def _account(event: Event) -> Account:
    """All stored games counted."""
    game = GAMES.find(event.setup.game)
    if game.counts is None:
        raise ConfigError(f"{event.source}: games of {game.name} have no plans to be counted")
    counts = game.counts()
    account = Account(game)
    with Store.read(event.files.database, competition=event.setup.code) as store:
        for result in comparable(store, event.comparison):
            spec, record = store.record(result.id)
            account.add(
                replace(result, players=known_names(result.players, event.setup.players)),
                counts.moves(spec, record),
                field=wire.dumps(spec.options.get("opening")) if spec.options.get("opening") else spec.id,
                description=counts.describe(spec.options, spec.seed),
            )
    return account
