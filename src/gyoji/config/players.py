"""Reads the players of a control file: their commands, their protocols, and how to run them.

In commands, paths are relative to the control file's folder, and are replaced by absolute ones.
`gyoji.config.programs.find_command` has the exact rules.
"""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_type_hints

from msgspec.structs import replace

from gyoji.config.document import Document, KeyPath, shown
from gyoji.config.human_players import is_second_person, person, read_person
from gyoji.config.kinds import BudgetTable, Kinds, Size, json_options, kinds_of
from gyoji.config.named_paths import not_for
from gyoji.config.programs import asks_agent, find_command, name_warnings, needs_network
from gyoji.config.reader import REQUIRED, Reader, Rejected, parse_command
from gyoji.config.remote_players import remote_player
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import EXECUTORS, PROTOCOLS, AnyProtocol, check_plays
from gyoji.core.setup import Identifier, PersonName
from gyoji.core.spec import Budgets, Containment, Player, Signature
from gyoji.core.text import quote
from gyoji.store.files import CompetitionFiles

DEFAULTS_OF_PLAYERS: Kinds = MappingProxyType(
    {
        "protocol": str,
        "max_memory": Size,
        "max_disk": Size,
        "ponder": bool,
        "restart": get_type_hints(Player)["restart"],
        "sandbox": get_type_hints(Containment)["level"],
        "executor": str,
        "threads": int,
        "budgets": BudgetTable,
    }
)
"""The settings of players that may have a default at the top level."""

_KINDS: Kinds = MappingProxyType(
    {
        **DEFAULTS_OF_PLAYERS,
        "cwd": str | None,
        "environ": Mapping[str, str | bool] | None,
        "stderr": Literal["log", "discard", "inherit"],
        "discard_stderr": bool,
        "clock": TimeControl | None,
        "human": bool,
        "remote": bool,
        "signature": Mapping[str, str] | None,
        "resources": Mapping[str, int],
        "writable": tuple[str, ...],
        "readable": tuple[str, ...],
        "devices": tuple[str, ...],
        "network": bool,
        "outage_status": int,
    }
)
KEYS = ("command", "partner", *_KINDS)
"""The settings that all players have, whatever their protocol."""
# Settings without meaning for an executor that starts no process, such as that of Python functions
_OF_PROCESSES = (
    "max_memory",
    "max_disk",
    "ponder",
    "cwd",
    "environ",
    "stderr",
    "discard_stderr",
    "signature",
    "outage_status",
)

CONTAINED = "contained"
"""The default executor of players, the only one with levels of containment."""
PRIVATE = "private"
"""The value of `cwd` for a new working directory for each game."""


class PlayerDefaults(NamedTuple):
    """Values of a control file that are needed to read the table of any player: defaults, game and paths.

    Attributes:
        values: The settings of `DEFAULTS_OF_PLAYERS` that are given at the top level.
        stderr: The default of `stderr`.
        game: The name of the game; "" if that is wrong.
        named: All paths that the control file names (`named_paths`).
    """

    values: Mapping[str, Any]
    stderr: str
    game: str
    named: frozenset[str] = frozenset()


def read_players(reader: Reader, raw: Any, document: Document, defaults: PlayerDefaults) -> dict[str, Player]:
    """Return the players of the table `players` by code. Players with mistakes are reported and left out.

    Args:
        raw: The raw value of `players`.

    Raises:
        Rejected: `raw` is not a table.
    """
    table = reader.table(("players",), raw)
    if not table:
        reader.problems.add(("players",), "expected one player or more")
    players: dict[str, Player] = {}
    for code, entry in table.items():
        path: KeyPath = ("players", code)
        with suppress(Rejected):
            is_person = isinstance(entry, Mapping) and entry.get("human") is True
            reader.value(path, PersonName if is_person else Identifier, code)
        if isinstance(entry, str):  # perhaps meant as the command
            form, text = reader.form_of(path), shown(entry)
            reader.problems.add(path, f"expected {form}, got {text}; write {{ command = {text} }}")
            continue
        with suppress(Rejected):
            settings = reader.table(path, entry)
            players[code] = read_player(reader, path, settings, document, code=code, defaults=defaults)
    return players


def read_player(
    reader: Reader,
    path: KeyPath,
    table: Mapping[str, Any],
    document: Document,
    *,
    code: str,
    defaults: PlayerDefaults,
) -> Player:
    """Return the player of the table at `path`. If the table is wrong, report that and raise Rejected."""
    return _Entry(reader, path, table, document).player(code, defaults)


class _Entry:
    """The reader of one player's table. `player` returns the `Player`."""

    def __init__(self, reader: Reader, path: KeyPath, table: Mapping[str, Any], document: Document) -> None:
        self.reader = reader
        self.path = path
        self.table = table
        self.document = document

    def player(self, code: str, defaults: PlayerDefaults) -> Player:
        own = self.reader.values(self.path, _KINDS, self.table)
        if own.get("remote") is True:
            return self._remote(code, defaults, own)
        is_person = own.get("human") is True
        has_second = is_second_person(self.table.get("partner"), self._complain)
        if (
            is_person and "partner" in self.table and not has_second
        ):  # a human player whose partner is a program
            program = self._program("partner", code, defaults, own)
            return replace(person(code, own), mate=replace(program, is_mate=True))
        made = (
            read_person(code, self.table, own, self._complain)
            if is_person
            else self._program("command", code, defaults, own)
        )
        return replace(made, mate=person(code, own, is_mate=True)) if has_second else made

    def _is_wrong(self, key: str) -> bool:
        """Return whether a setting is wrong, in the player's table or as a default at the top level."""
        is_default = key in DEFAULTS_OF_PLAYERS and key not in self.table
        return self.reader.problems.has((key,) if is_default else (*self.path, key))

    def _remote(self, code: str, defaults: PlayerDefaults, own: Mapping[str, Any]) -> Player:
        """Return a remote player, whose engine runs on its owner's computer.

        Args:
            code: The player's code.
            defaults: The defaults of players.
            own: The settings of the player's table, without wrong ones.

        Raises:
            Rejected: A setting is wrong, or applies only to programs that gyoji starts.
        """
        values = {"protocol": "gtp", **defaults.values, **own}
        protocol = None if self._is_wrong("protocol") else self._protocol(values["protocol"], defaults.game)
        options = None if protocol is None else self._options(protocol)
        if protocol is None or options is None or any(map(self._is_wrong, _KINDS)):
            raise Rejected
        if protocol.adapter is not None and (needed := protocol.adapter(options)):
            self._complain(
                "protocol", f"a remote player's engine has to speak it itself; it needs {' '.join(needed)}"
            )
            raise Rejected
        values["budgets"] = {**defaults.values.get("budgets", {}), **own.get("budgets", {})}
        kinds = kinds_of(protocol.options)
        given = [key for key in self.table if key not in kinds]
        return remote_player(code, given, values, options, self._complain)

    def _program(self, key: str, code: str, defaults: PlayerDefaults, own: Mapping[str, Any]) -> Player:
        """Return a player that is a program, after checking all settings of its table.

        Args:
            key: The setting with the command: `command`, or `partner` for a human player's partner.
            code: The player's code.
            defaults: The defaults of players.
            own: The settings of the table, without wrong ones.

        Raises:
            Rejected: A setting is wrong.
        """
        values = {"protocol": "gtp", **defaults.values, **own}
        if key not in self.table:
            self._complain(key, REQUIRED)
        environ = own.get("environ") or {}
        texts = {key: item for key, item in environ.items() if isinstance(item, str)}
        search_path = texts.get("PATH")
        protocol = None if self._is_wrong("protocol") else self._protocol(values["protocol"], defaults.game)
        is_private = protocol is not None and protocol.private_folder
        cwd = self._cwd(own.get("cwd"), is_private=is_private or bool(values.get("max_disk")))
        command = self._command(key, cwd, search_path)
        has_partner = key == "command" and isinstance(self.table.get("partner", {}), str | list)
        partner = self._command("partner", cwd, search_path) if has_partner else ()
        options = None if protocol is None else self._options(protocol)
        stderr = self._stderr(own, defaults.stderr)
        signature = self._signature(own.get("signature"))
        is_wrong = any(map(self._is_wrong, _KINDS)) or self.reader.problems.has(("budgets",))
        if command is None or partner is None or protocol is None or options is None or is_wrong:
            raise Rejected
        if not self._starts(values):
            raise Rejected
        doubts = [*name_warnings(command, protocol)]
        if needs_network(command[0]) and not values.get("network"):
            doubts.append("engines have no network: network = true gives this player the machine's")
        if asks_agent(command[0]) and "SSH_AUTH_SOCK" not in environ:
            doubts.append("environ = { SSH_AUTH_SOCK = true } lets it ask your agent, as it may need to")
        for doubt in doubts:
            self.reader.problems.doubt((*self.path, key), doubt)
        try:
            if protocol.check_command is not None:
                protocol.check_command(command, options)
        except ValueError as error:
            self._complain(key, str(error))
        return Player(
            code=code,
            command=command,
            partner=partner,
            cwd=cwd,
            environ=MappingProxyType(texts),
            inherits=tuple(key for key, item in environ.items() if item is True),
            lacks=tuple(key for key, item in environ.items() if item is False),
            protocol=values["protocol"],
            options=options,
            stderr=stderr,
            clock=own.get("clock"),
            restart=values.get("restart", "on"),
            ponders=values.get("ponder", True),
            folder=self._folder(code) if is_private else None,
            containment=self._containment(values, defaults.named),
            executor=values.get("executor", CONTAINED),
            threads=values.get("threads", 1),
            signature=signature,
            resources=MappingProxyType(dict(own.get("resources", {}))),
            outage_status=self._outage_status(own.get("outage_status", 0)),
            budgets=Budgets(
                memory=values.get("max_memory", 0),
                disk=values.get("max_disk", 0),
                **(defaults.values.get("budgets", {}) | own.get("budgets", {})),
            ),
        )

    def _outage_status(self, given: int) -> int:
        if not 0 <= given <= 255:
            self._complain("outage_status", f"expected an exit status, 1 to 255, or 0 for none, got {given}")
        return given

    def _complain(self, key: str, message: str) -> None:
        self.reader.problems.add((*self.path, key), message)

    def _complain_where_given(self, key: str, message: str) -> None:
        """Report a mistake in the setting `key`. The place is in the player's table or, for a default, the
        top level.
        """
        self.reader.problems.add((*self.path, key) if key in self.table else (key,), message)

    def _signature(self, given: Any) -> Signature | None:
        """Return the value of the setting `signature`; None if it is not given, or wrong."""
        if given is None:
            return None
        wrong = [
            each for each in ("send", "expect") if not given.get(each, "").strip() or "\n" in given[each]
        ]
        if wrong or len(given) > 2:
            form = '{ send = "...", expect = "..." }, each of one line'
            self._complain("signature", f"expected {form}, got {shown(given)}")
            return None
        return Signature(send=given["send"].strip(), expect=given["expect"].strip())

    def _command(self, key: str, cwd: str | None, search_path: str | None) -> tuple[str, ...] | None:
        """Return the words of the command in the setting `key`, as `find_command` completes them.

        Return None if the setting is missing or wrong.
        """
        raw = self.table.get(key)
        if raw is None:
            return None
        try:
            words = parse_command(raw)
        except ValueError as error:
            self._complain(key, str(error))
            return None
        return find_command(words, self.document, cwd, search_path)

    def _cwd(self, given: Any, *, is_private: bool) -> str | None:
        """Return the working directory in the form of `Player.cwd`: "" for a private one, None for that of
        gyoji.

        Args:
            given: The value of the setting `cwd`; None if it is not given.
            is_private: Whether a player without the setting has a private directory.
        """
        if given == PRIVATE or (given is None and is_private):
            return ""
        if given is None and self.document.inherits_cwd:
            return None
        return self.document.resolve(given or ".")

    def _folder(self, code: str) -> str:
        """Return the path of the folder that a player keeps from game to game."""
        if not code.strip("."):
            self.reader.problems.add(
                self.path, f"its folder cannot be called {quote(code)}: choose another name"
            )
        return str(CompetitionFiles(self.document.path).folders / code)

    def _containment(self, values: Mapping[str, Any], named: frozenset[str]) -> Containment:
        """Return the containment of the player. The files of the competition and of other players are
        hidden.
        """
        resolve = self.document.resolve
        return Containment(
            level=values.get(
                "sandbox", "guarded" if values.get("executor", CONTAINED) == CONTAINED else "off"
            ),
            hidden=tuple(map(str, CompetitionFiles(self.document.path).of_competition())),
            foreign=not_for(self.document, self.table, named),
            writable=tuple(map(resolve, values.get("writable", ()))),
            readable=tuple(map(resolve, values.get("readable", ()))),
            devices=tuple(values.get("devices", ())),
            network=values.get("network", False) is True,
        )

    def _starts(self, values: Mapping[str, Any]) -> bool:
        """Return whether the executor exists and supports the settings of the table. If not, report that."""
        name = values.get("executor", CONTAINED)
        try:
            executor = EXECUTORS.find(name)
        except ConfigError as error:
            self._complain_where_given("executor", str(error))
            return False
        given = () if executor.has_processes else [key for key in _OF_PROCESSES if key in self.table]
        for key in given:
            self._complain(key, f"executor {quote(name)} starts no process that it could be about")
        if name != CONTAINED and (level := values.get("sandbox", "off")) != "off":
            self._complain_where_given(
                "sandbox",
                f'executor {quote(name)} contains no engines: expected "off" or nothing, got {quote(level)}',
            )
            return False
        return not given

    def _stderr(self, values: Mapping[str, Any], default: str) -> str:
        chosen = values.get("stderr", default)
        if values.get("discard_stderr") is True:
            if values.get("stderr", "discard") != "discard":
                self._complain("stderr", "contradicts discard_stderr: give one of them")
            return "discard"
        return str(chosen)

    def _protocol(self, name: Any, game: str) -> AnyProtocol | None:
        """Return the player's protocol. If it is wrong, report that and return None."""
        try:
            protocol = PROTOCOLS.find(name)
            if game:
                check_plays(name, game)
        except ConfigError as error:
            self._complain_where_given("protocol", str(error))
            return None
        return protocol

    def _at_top(self, key: str) -> str:
        """Return the end of the message about an unknown setting that belongs to the top level, not to a
        player.

        Return "" if `key` is no setting of the top level.
        """
        is_there = key in self.reader.top_keys
        return " of a player; it stands at the top of the file, above the first table" if is_there else ""

    def _options(self, protocol: AnyProtocol) -> Mapping[str, Any] | None:
        """Return the `Options` of the player's protocol, JSON-ready; None if they are wrong."""
        kinds = kinds_of(protocol.options)
        self.reader.refuse_unknown(self.path, self.table, (*KEYS, *kinds), self._at_top)
        values = self.reader.values(self.path, kinds, self.table)
        places = {key: (*self.path, key) for key in kinds}
        with suppress(Rejected):
            return json_options(self.reader.make(self.path, protocol.options, values, places=places))
        return None
