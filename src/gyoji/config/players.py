"""The players of a control file: programs, where and how to run them, and what protocol they speak.

A path in a command starts from one folder, that of the control file, whether it is the program's or an
argument's. A player that runs in that folder finds its files there by itself. For one that runs elsewhere
(`cwd`) the words that name a file there are written out.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_type_hints

from msgspec.structs import replace

from gyoji.config.document import Document, KeyPath, shown
from gyoji.config.named import not_for
from gyoji.config.people import is_second_person, person, read_person
from gyoji.config.programs import asks_agent, examine_program, find_command, needs_network
from gyoji.config.values import BAD, BudgetTable, Reader, Size, kinds_of, parse_command, plain_options
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import EXECUTORS, PROTOCOLS, AnyProtocol, check_plays
from gyoji.core.setup import Identifier
from gyoji.core.spec import Budgets, Containment, Player, Signature
from gyoji.core.text import quote
from gyoji.store.files import CompetitionFiles

DEFAULTS_OF_PLAYERS: Mapping[str, Any] = MappingProxyType(
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
"""The settings of a player that have their default at the top level."""

_KINDS: Mapping[str, Any] = MappingProxyType(
    {
        **DEFAULTS_OF_PLAYERS,
        "cwd": str | None,
        "environ": Mapping[str, str | bool] | None,
        "stderr": Literal["log", "discard", "inherit"],
        "discard_stderr": bool,
        "clock": TimeControl | None,
        "human": bool,
        "signature": Mapping[str, str] | None,
        "resources": Mapping[str, int],
        "writable": tuple[str, ...],
        "readable": tuple[str, ...],
        "devices": tuple[str, ...],
        "network": bool,
    }
)
KEYS = ("command", "partner", *_KINDS)
"""The settings of every player, whatever its protocol."""

_OF_PROCESSES = (
    "max_memory",
    "max_disk",
    "ponder",
    "cwd",
    "environ",
    "stderr",
    "discard_stderr",
    "signature",
)

CONTAINED = "contained"
"""The executor that players have who name none, and the one that knows levels of containment."""

PRIVATE = "private"
"""The working directory that is made anew for each game."""


class PlayerDefaults(NamedTuple):
    """Defaults of the players.

    values: those settings of `DEFAULTS_OF_PLAYERS` that the top level gives, or `BAD`. stderr: where it
    goes. game: the name of the game they play, "" if that is wrong. named: what `named_paths` finds in all of
    the control file.
    """

    values: Mapping[str, Any]
    stderr: str
    game: str
    named: frozenset[str] = frozenset()


def read_players(
    reader: Reader, plain: Any, document: Document, defaults: PlayerDefaults
) -> dict[str, Player]:
    """The players of the table `players` by code, without those that have mistakes."""
    table = reader.table(("players",), plain)
    if table is None:
        return {}
    if not table:
        reader.problems.add(("players",), "expected one player or more")
    players: dict[str, Player] = {}
    for code, entry in table.items():
        path: KeyPath = ("players", code)
        if isinstance(entry, str):  # its command, somebody thinks
            form, text = reader.form_of(path), shown(entry)
            reader.problems.add(path, f"expected {form}, got {text}; write {{ command = {text} }}")
            settings = None
        else:
            settings = reader.table(path, entry)
        name = reader.value(path, Identifier, code)
        if settings is not None:
            player = read_player(reader, path, settings, document, code=code, defaults=defaults)
            if player is not None and name is not BAD:
                players[code] = player
    return players


def read_player(
    reader: Reader,
    path: KeyPath,
    table: Mapping[str, Any],
    document: Document,
    *,
    code: str,
    defaults: PlayerDefaults,
) -> Player | None:
    """The player of the table at `path`; None, and complaints, if it has mistakes."""
    return _Entry(reader, path, table, document).player(code, defaults)


class _Entry:
    """One player's table on its way to a `Player`."""

    def __init__(self, reader: Reader, path: KeyPath, table: Mapping[str, Any], document: Document) -> None:
        self.reader = reader
        self.path = path
        self.table = table
        self.document = document

    def player(self, code: str, defaults: PlayerDefaults) -> Player | None:
        own = self.reader.values(self.path, _KINDS, self.table)
        is_person = own.get("human") is True
        has_second = is_second_person(self.table.get("partner"), self._complain)
        if is_person and "partner" in self.table and not has_second:  # a person, whose mate is a program
            program = self._program("partner", code, defaults, own)
            return program and replace(person(code, own), mate=replace(program, is_mate=True))
        made = (
            read_person(code, self.table, own, self._complain)
            if is_person
            else self._program("command", code, defaults, own)
        )
        return replace(made, mate=person(code, own, is_mate=True)) if made and has_second else made

    def _program(
        self, key: str, code: str, defaults: PlayerDefaults, own: Mapping[str, Any]
    ) -> Player | None:
        """The player that is a program. key: of its command; own: the settings of the table."""
        values = {"protocol": "gtp", **defaults.values, **own}
        if key not in self.table:
            self._complain(key, "required, but not given")
        environ = own.get("environ") or {}
        given = {} if environ is BAD else environ
        texts = {key: item for key, item in given.items() if isinstance(item, str)}
        search_path = texts.get("PATH")
        protocol = self._protocol(values["protocol"], defaults.game)
        is_private = protocol is not None and protocol.private_folder
        cwd = self._cwd(own.get("cwd"), is_private=is_private or bool(values.get("max_disk")))
        command = self._command(key, cwd, search_path)
        has_partner = key == "command" and isinstance(self.table.get("partner", {}), str | list)
        partner = self._command("partner", cwd, search_path) if has_partner else ()
        options = None if protocol is None else self._options(protocol)
        stderr = self._stderr(own, defaults.stderr)
        signature = self._signature(own.get("signature"))
        wrong = BAD in (*values.values(), defaults.values.get("budgets"))
        if command is None or partner is None or protocol is None or options is None:
            return None
        if wrong or self._has_nul(own):
            return None
        if not self._starts(values):
            return None
        self._check_command(key, command, protocol, options)
        if needs_network(command[0]) and not values.get("network"):
            advice = "engines have no network: network = true gives this player the machine's"
            self.reader.problems.doubt((*self.path, key), advice)
        if asks_agent(command[0]) and "SSH_AUTH_SOCK" not in environ:
            advice = "environ = { SSH_AUTH_SOCK = true } lets it ask your agent, as it may need to"
            self.reader.problems.doubt((*self.path, key), advice)
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
            budgets=_budgets(values, defaults.values.get("budgets", {}) | own.get("budgets", {})),
        )

    def _complain(self, key: str, message: str) -> None:
        self.reader.problems.add((*self.path, key), message)

    def _complain_where_given(self, key: str, message: str) -> None:
        """The same of a setting that may stand at the top level."""
        self.reader.problems.add((*self.path, key) if key in self.table else (key,), message)

    def _signature(self, given: Any) -> Signature | None:
        """The answer that the engine must give; None if nothing is said, or it is wrong."""
        if given in (None, BAD):
            return None
        wrong = [
            each for each in ("send", "expect") if not given.get(each, "").strip() or "\n" in given[each]
        ]
        if wrong or len(given) > 2:
            form = '{ send = "...", expect = "..." }, each of one line'
            self._complain("signature", f"expected {form}, got {shown(given)}")
            return None
        return Signature(send=given["send"].strip(), expect=given["expect"].strip())

    def _has_nul(self, values: Mapping[str, Any]) -> bool:
        """Whether a text for the operating system has a NUL in it, which no such text can have."""
        texts = {
            "cwd": values.get("cwd") or "",
            "environ": "".join(f"{key}{item}" for key, item in (values.get("environ") or {}).items()),
        }
        found = [key for key, text in texts.items() if "\0" in text]
        for key in found:
            self._complain(key, "there is a NUL character in it")
        return bool(found)

    def _command(self, key: str, cwd: str | None, search_path: str | None) -> tuple[str, ...] | None:
        """The words to execute: see `find_command`."""
        plain = self.table.get(key)
        if plain is None:
            return None
        try:
            words = parse_command(plain)
        except ValueError as error:
            self._complain(key, str(error))
            return None
        return find_command(words, self.document, cwd, search_path)

    def _check_command(
        self, key: str, command: tuple[str, ...], protocol: AnyProtocol, options: Mapping[str, Any]
    ) -> None:
        """Note what the protocol says of the program's name, and of a command that it does not allow."""
        problems, warnings = examine_program(command, protocol)
        for problem in problems:
            self._complain(key, problem)
        for warning in warnings:
            self.reader.problems.doubt((*self.path, key), warning)
        try:
            if protocol.check_command is not None:
                protocol.check_command(command, options)
        except ValueError as error:
            self._complain(key, str(error))

    def _cwd(self, given: Any, *, is_private: bool) -> str | None:
        """The working directory as `Player` has it: "" for a private one, the default where that is usual."""
        if given == PRIVATE or (given is None and is_private):
            return ""
        if given is BAD or (given is None and self.document.inherits_cwd):
            return None
        return self.document.resolve(given or ".")

    def _folder(self, code: str) -> str:
        """The lasting folder of a player."""
        if not code.strip("."):
            self.reader.problems.add(
                self.path, f"its folder cannot be called {quote(code)}: choose another name"
            )
        return str(CompetitionFiles(self.document.path).folders / code)

    def _containment(self, values: Mapping[str, Any], named: frozenset[str]) -> Containment:
        """The containment of the player; the files of the competition and of others are hidden from it."""
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
        """Whether there is such an executor, and it can do what is asked for; else complains."""
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
        """The player's protocol; None if it is wrong, which is told where it stands."""
        if name is BAD:
            return None
        try:
            protocol = PROTOCOLS.find(name)
            if game:
                check_plays(name, game)
        except ConfigError as error:
            self._complain_where_given("protocol", str(error))
            return None
        return protocol

    def _at_top(self, key: str) -> str:
        """The end of a message about a setting that belongs to the top level; "" for any other."""
        is_there = key in self.reader.top_keys
        return " of a player; it stands at the top of the file, above the first table" if is_there else ""

    def _options(self, protocol: AnyProtocol) -> Mapping[str, Any] | None:
        """The settings of the player's protocol; None if there is a mistake in them."""
        kinds = kinds_of(protocol.options)
        self.reader.refuse_unknown(self.path, self.table, (*KEYS, *kinds), self._at_top)
        values = self.reader.values(self.path, kinds, self.table)
        places = {key: (*self.path, key) for key in kinds}
        options = self.reader.make(
            self.path, protocol.options, values, places=places, missing="required, but not given"
        )
        return None if options is BAD else plain_options(options)


def _budgets(values: Mapping[str, Any], table: Mapping[str, int]) -> Budgets:
    """The budgets of a player with these settings and this table of those where no clock counts."""
    return Budgets(memory=values.get("max_memory", 0), disk=values.get("max_disk", 0), **table)
