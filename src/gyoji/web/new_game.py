"""The form for a new game: its questions, and the control file that is made from the answers.

Answers choose among the programs and settings that the form offers. They cannot name a command or a file.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Form
from gyoji.core.game import AnyGame, make_options
from gyoji.core.openings import InvalidOpenings
from gyoji.core.plugins import GAMES
from gyoji.core.setup import is_person_name
from gyoji.core.spec import OPENING, GameSpec, Player
from gyoji.core.text import printable, quote
from gyoji.web.live import LiveGame
from gyoji.web.opponents import Opponent, besides

CLOCKS = (
    ("10m", "10 minutes"),
    ("5m + 5s/move", "5 minutes, and 5 seconds more with each move"),
    ("10m + 3x30s", "10 minutes, then 3 periods of 30 seconds"),
    ("30m + 5x1m", "30 minutes, then 5 periods of 1 minute"),
    ("30s/move", "30 seconds for each move"),
    ("1h", "1 hour"),
    ("none", "no clock"),
)
"""Time controls that the form offers: (as in a control file, in words)."""
SHOW_UP = "15m"
"""The setting `show_up` of games not begun by the organiser, so that none waits for ever for a person."""

MOST_UPLOAD = 1 << 20
"""Longest file with an opening position, in characters."""

MOST_NAME = 30
"""Longest name of a person, in characters."""


def plain_name(text: str) -> str:
    """Return a text that can be part of a file name or of a player's name.

    ASCII letters, digits, - and _ stay. Letters with accents lose the accents. A run of other characters
    becomes one "-".

    >>> plain_name("1,000 moves"), plain_name("level 10"), plain_name("Jürg Müller"), plain_name("林")
    ('1-000-moves', 'level-10', 'Jurg-Muller', '-')
    """
    bare = "".join(each for each in normalize("NFKD", text) if not combining(each))
    return re.sub(r"[^A-Za-z0-9_\-]+", "-", bare)


def form_of(name: object) -> tuple[AnyGame, Form]:
    """Return a game and its questions for the form. Raise ConfigError for a game that has none."""
    game = GAMES.find(str(name))
    if game.form is None:
        raise ConfigError(f"game: {game.name} has no form for a new game")
    return game, game.form()


def described(game: AnyGame, form: Form, opponents: list[Opponent]) -> dict[str, Any]:
    """Return the questions of the form about one game as a JSON-ready object."""
    return {
        "name": game.name,
        "title": form.title,
        "sides": list(game.side_names),
        "fields": [each._asdict() for each in form.fields],
        "draws": form.drawn is not None,
        "reads": game.openings is not None,
        "mate": mate_of(game),
        "opponents": [
            {
                "key": each.key,
                "name": each.name,
                "where": each.where,
                "strengths": [strength.name for strength in each.strengths],
                # The two programs of a team have two commands, but share all other settings.
                "mates": [other.key for other in opponents if besides(each.table) == besides(other.table)],
            }
            for each in opponents
        ],
    }


def mate_of(game: AnyGame) -> str:
    """Return the role of a partner in a team, such as "dog"; "" if all seats have the same role."""
    return " and ".join(dict.fromkeys(role for role in game.roles if role != game.roles[0]))


# The answers


def chosen(form: Form, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a new game: for each, the answer to the form or else the form's default.

    Settings with the value None are left out.

    Args:
        told: The answers to the form.

    Raises:
        ConfigError: The form does not offer an answer.
    """
    given = told.get("settings", {})
    if not isinstance(given, dict):
        raise ConfigError("settings: expected an object")
    known = {field.key: field for field in form.fields}
    for key in given:
        if key not in known:
            raise ConfigError(f"settings: {quote(str(key))} is not asked for")
    values = {key: given.get(key, field.value) for key, field in known.items()}
    for key, value in values.items():
        if not known[key].takes(value):
            raise ConfigError(f"{known[key].label}: {quote(str(value))} cannot be chosen")
    return {key: value for key, value in values.items() if value is not None}


def name_of(told: object, what: str) -> str:
    """Return a person's name in its normal form, which can be a player's name in a control file.

    Args:
        told: The answer with the name.
        what: The name of the question, for the message.

    Raises:
        ConfigError: The name does not begin with a letter or digit, is longer than MOST_NAME, or has
            characters that no name may have.
    """
    name = normalize("NFC", " ".join(told.split())) if isinstance(told, str) else ""
    if not (name[:1].isalnum() and len(name) <= MOST_NAME and is_person_name(name)):
        expected = f"a name of at most {MOST_NAME} letters, digits, blanks and - _ . + !"
        raise ConfigError(f"{what}: expected {expected}, got {quote(name)}")
    return name


def plain_game(told: Mapping[str, Any], found: list[Opponent], *, is_limited: bool) -> dict[str, Any]:
    """Return the settings of a control file, as in TOML, for the game that the answers describe.

    Args:
        told: The answers to the form.
        found: The programs to choose from.
        is_limited: Whether the game must end by itself: it needs a clock, and a time limit for people to show
            up.

    Raises:
        ConfigError: An answer is wrong.
    """
    game, form = form_of(told.get("game"))
    person = name_of(told.get("name"), "your name")
    other = _other(told, found, person)
    own, its = _mates(told, game, found)
    players = {person: _with_mate(_PERSON, own), other.name: _with_mate(other.table, its)}
    others = [each for each in (other, own, its) if each is not None]
    resources = {name: number for each in others for name, number in each.resources.items()}
    is_alone = _PERSON not in [each.table for each in others]
    clock = str(told.get("clock") or "none")
    if is_limited and clock == "none":
        raise ConfigError("clock: games here have one: nobody else could play while nobody moves")
    if told.get("untimed") is True and other.table != _PERSON and not is_limited:
        players[person]["clock"] = "none"
    side = told.get("side")
    if isinstance(side, bool) or side not in (0, 1, None):
        raise ConfigError("side: expected 0 or 1, or null for one by lot")
    order = [person, other.name]
    if (secrets.randbelow(2) if side is None else side) == 1:
        order.reverse()
    take_backs = told.get("take_backs", "never")
    return {
        "competition": "playoff",
        "game": game.name,
        "description": " - ".join((person, other.label) if order[0] == person else (other.label, person)),
        **form.settings,
        **chosen(form, told),
        **_opening(told),
        "clock": clock,
        "take_backs": take_backs if is_alone or take_backs != "always" else "ask",
        "draw_offers": True,
        "hints": told.get("hints") is True and other.table != _PERSON,
        "alternating": True,
        **({"show_up": SHOW_UP} if is_limited else {}),
        **({"resources": resources} if resources else {}),
        "players": players,
        "matchups": [{"id": "0", "players": order, "number_of_games": 1}],
    }


_PERSON: Mapping[str, Any] = {"human": True}
"""The table of a person in a control file."""


class _Chosen(NamedTuple):
    """An opponent or a partner, as chosen by the answers.

    Attributes:
        table: The player's table in the control file.
        resources: The machine's resources that the player needs, by name.
        name: The player's name in the control file; "" for a partner in a team, which has none.
        label: The name to show to people.
    """

    table: Mapping[str, Any] = _PERSON
    resources: Mapping[str, int] = {}
    name: str = ""
    label: str = ""


def _other(told: Mapping[str, Any], found: list[Opponent], person: str) -> _Chosen:
    """Return the opponent: a program, or another person.

    Args:
        told: The answers to the form.
        found: The programs to choose from.
        person: Name of the person who answers.

    Raises:
        ConfigError: There is no such program, or the other person's name is wrong.
    """
    opponent = told.get("opponent")
    if not isinstance(opponent, dict):
        raise ConfigError("opponent: expected an object")
    if "person" in opponent:
        name = name_of(opponent["person"], "the other person's name")
        if name == person:
            raise ConfigError(f"the other person's name: you are {person}")
        return _Chosen(name=name, label=name)
    program = _program("opponent", opponent, found)
    return program if program.name != person else program._replace(name=f"{person}-2")


def _program(what: str, told: Mapping[str, Any], found: list[Opponent]) -> _Chosen:
    """Return the program and strength that an answer chooses.

    Args:
        what: Name of the question, for the message.
        told: The answer.
        found: The programs to choose from.

    Raises:
        ConfigError: There is no such program.
    """
    named = next((each for each in found if each.key == told.get("key")), None)
    if named is None:
        raise ConfigError(f"{what}: there is none of that name any more")
    strength = str(told.get("strength") or "")
    is_default = strength in ("", named.strengths[0].name)
    name = named.name if is_default else f"{named.name}-{plain_name(strength)}"
    label = named.name if is_default else f"{named.name}, {strength}"
    return _Chosen(named.at(strength), named.resources, name, label)


def _mates(told: Mapping[str, Any], game: AnyGame, found: list[Opponent]) -> list[_Chosen | None]:
    """Return the chosen partners: [partner in the person's team, partner in the other team].

    None stands for no partner: one player makes the moves of all seats of its team.

    Args:
        told: The answers to the form.
        found: The programs to choose from.

    Raises:
        ConfigError: There is no such program, or the game has no partners.
    """
    given = told.get("mates") or [None, None]
    if not isinstance(given, list) or len(given) != 2:
        raise ConfigError("mates: expected a list of two")
    mates: list[_Chosen | None] = []
    for mate in given:
        if mate is None:
            mates.append(None)
        elif not isinstance(mate, dict) or not mate_of(game):
            raise ConfigError(f"mates: expected {'an object or ' if mate_of(game) else ''}null for each")
        else:
            mates.append(_Chosen() if mate.get("person") is True else _program("mates", mate, found))
    return mates


def _with_mate(table: Mapping[str, Any], mate: _Chosen | None) -> dict[str, Any]:
    """Return the table of a player in the control file, with its partner `mate` if there is one.

    Raises:
        ConfigError: The two programs of the team have different settings.
    """
    if mate is None:
        return dict(table)
    if mate.table == _PERSON:
        return {**table, "partner": dict(_PERSON)}
    if table != _PERSON and besides(table) != besides(mate.table):
        raise ConfigError("mates: two programs of a team have the same settings but for their commands")
    return {**table, **besides(mate.table), "partner": mate.table["command"]}


def _opening(told: Mapping[str, Any]) -> dict[str, Any]:
    opening = told.get(OPENING, "")
    if not isinstance(opening, str | dict):
        raise ConfigError("opening: expected a text")
    return {OPENING: opening} if opening else {}


# The position that a game starts from


def position(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position that a new game starts from, for the page.

    Args:
        told: Game and settings as for a new game, and the position in one of three forms: `opening`, as in a
            control file; `file`, with its name and text; or `stones`, a list of [kind of stone or piece,
            place], with the side `to_move`.

    Returns:
        A JSON-ready object: `opening`, the opening in its normal form; `board`, the position; `to_move`, the
            number of the side to move. `board` and `to_move` are None if the position is chosen at random
            when the game begins. `to_move` is also None if several seats move at once.

    Raises:
        ConfigError: The position is impossible.
    """
    game, form = form_of(told.get("game"))
    options = chosen(form, told)
    try:
        given = _given_position(told, game, form, options)
        made = wire.encode(make_options(game.options, {**options, **({OPENING: given} if given else {})}))
        rules = game.make_rules(made, 0)
        acting = rules.acting(rules.start())
    except InvalidOpenings as error:
        raise ConfigError(str(error)) from None
    except (TypeError, ValueError) as error:
        raise ConfigError(printable(str(error), 400)) from None
    if not acting:
        raise ConfigError("nobody is to move in this position: the game is over")
    if not given and game.has_chance:
        return {"opening": "", "to_move": None, "board": None}  # it is drawn when the game begins
    players = tuple(Player(code=f"seat{seat}", command=()) for seat in range(game.seats))
    spec = GameSpec(id="position", pairing="", game=game.name, players=players, options=made)
    return {
        "opening": made.get(OPENING, ""),
        "to_move": rules.teams[acting[0]] if len(acting) == 1 else None,
        "board": LiveGame(spec, "", hidden=False).values(),
    }


def _given_position(told: Mapping[str, Any], game: AnyGame, form: Form, options: Mapping[str, Any]) -> object:
    """Return the setting `opening` for a typed, drawn or uploaded position; "" if none is given.

    Args:
        told: The request, as for `position`.
        options: The game's settings.

    Raises:
        ValueError: The position is impossible.
    """
    if (file := told.get("file")) is not None:
        if game.openings is None or not isinstance(file, dict) or len(str(file.get("text"))) > MOST_UPLOAD:
            raise ValueError("file: expected a text of at most 1 MB")
        data, name = str(file.get("text", "")).encode(), str(file.get("name", ""))
        if not (found := list(game.openings(data, name, options))):
            raise ValueError("file: there is no position in it")
        return found[0]
    if (stones := told.get("stones")) is not None:
        to_move = told.get("to_move")
        if form.drawn is None or to_move not in (0, 1, None):
            raise ValueError("stones: expected a game that draws them, and to_move 0, 1 or null")
        try:
            placed = wire.decode(list[tuple[str, str]], stones)
        except ValueError:
            raise ValueError("stones: expected [sign, place] of each") from None
        return form.drawn(placed, to_move, options)
    return _opening(told).get(OPENING, "")
