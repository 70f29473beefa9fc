"""The port `Rules` for a game that an umpire decides. These rules know nothing but the umpire's messages."""

# Theory of operation
# -------------------
# A position is due (`is_due`) when the umpire is to speak. Then no seat is acting.
#
#     start (due) -- question: begin --> umpire -- ready, tell ..., ask --> ruled: seats are acting
#           ^                                                                       |
#           |                                                    play, failed       v
#           +---- question: answers <---- due <------ every seat that was asked has answered or failed
#
#     ... -- end --> ruled: the game is over
#
# * An answer of a seat is a move. Any text or JSON is legal, because the umpire judges it.
# * A seat that failed is `gone`, and so is its engine. It never acts again. A question to it gets its answer
#   at once: the failure, if that has not been reported to the umpire yet, else "gone".
# * All messages to a seat since its last answer are sent together with its next question, in one write. So
#   the time at which a message arrives reveals nothing about other seats.
# * The rules of a recorded game (`replayed`) have its conversation with the umpire. As soon as a position is
#   due, `_advance` takes the umpire's answer from it. So a replay can use them like any other rules. How a
#   seat failed is read from the recorded line of answers.
#
# While a running game is watched, its conversation grows after `replayed` was called. A position that is due
# at the end of the conversation has no acting seats, and `_advance` continues from it in `play`.

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Turn
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.text import printable
from gyoji.games.umpire.game_options import Options, RelayOptions
from gyoji.games.umpire.leaks import find_leaks
from gyoji.games.umpire.messages import (
    ENDS_TURN,
    Ask,
    End,
    Picture,
    Tell,
    answers,
    begin,
    failed,
    read,
    said_in,
)
from gyoji.games.umpire.picture_checks import check_picture
from gyoji.games.umpire.position import (
    FAILURES,
    GONE,
    Position,
    View,
    answer_json,
    format_answer,
    outcome_of,
    parse_answer,
)
from gyoji.games.umpire.words import choices_of, picture_lines, said_to

_GONE = failed(GONE)
_new = tuple.__new__  # a named tuple's own constructor costs twice as much

_OfSeats: TypeAlias = list[tuple[int, str]]

MOST_IDLE = 1000
"""The maximum number of consecutive answers in which an umpire asks only seats that are gone."""


class UmpireRules:
    """The rules of one game that an umpire decides (`gyoji.core.ports.Umpired`).

    Attributes:
        seats: Number of seats.
        teams: The team of each seat.
    """

    notation = "what the question asks for"

    def __init__(
        self, options: Options | RelayOptions, seed: int, conversation: Sequence[str] | None = None
    ) -> None:
        """Create the rules.

        Args:
            conversation: The conversation of a recorded game; None for a game to be played.
        """
        self.options = options
        self.seats = options.seats
        self.teams = options.team_of_seats
        self._seed = seed
        self._told = conversation

    # The umpire

    def replayed(self, lines: Sequence[str]) -> "UmpireRules":
        return UmpireRules(self.options, self._seed, lines)

    def begun_again(self, lines: Sequence[str]) -> str:
        begun: dict[str, Any] = json.loads(lines[0])
        if kept := [json.loads(bytes(value)) for name, value in said_in(lines) if name == "keep"]:
            begun["begin"]["kept"] = kept
        return json.dumps(begun, separators=(",", ":"), ensure_ascii=False)

    def leaks(self, lines: Sequence[str]) -> Sequence[tuple[int, int, str]]:
        return find_leaks(list(said_in(lines)), self.seats)

    @property
    def conversation(self) -> Sequence[str]:
        """The conversation of the recorded game; () for a game to be played."""
        return self._told or ()

    def start(self) -> Position:
        return self._advance(Position(tuple([View(seat) for seat in range(self.seats)])))

    def question(self, position: Position, players: Sequence[str]) -> str:
        if not position.is_due:
            return ""
        if position.heard:
            return answers(position.given)
        options = self.options
        return begin(
            self.seats,
            self.teams,
            players,
            self._seed,
            settings=options.settings,
            opening=options.opening,
        )

    def ruled(self, position: Position, lines: Sequence[str]) -> Position:
        asked, views, names, faults, picture, end = self._taken_in(position, lines)
        gone, unsaid, acting = position.gone, position.unsaid, asked
        given: tuple[tuple[int, str], ...] = ()
        if gone:
            how = dict(unsaid)
            given = tuple([(each.seat, how.pop(each.seat, _GONE)) for each in asked if each.seat in gone])
            acting = tuple([each for each in asked if each.seat not in gone])
            unsaid = tuple(how.items())
        idle = 0 if acting else position.idle + 1
        if idle > MOST_IDLE:
            raise ValueError(f"asked only seats that are out of the game, {MOST_IDLE} times in a row")
        return _new(
            Position,
            (
                *(tuple(views), position.heard + len(lines) + 1, end is None and not acting, acting),
                *(given, gone, unsaid, picture, tuple(names), tuple(faults), end, idle),
            ),
        )

    def _taken_in(
        self, position: Position, lines: Sequence[str]
    ) -> tuple[tuple[Ask, ...], list[View], _OfSeats, _OfSeats, Picture | None, End | None]:
        """Parse the lines of an umpire's answer, and return the new parts of the position.

        Returns:
            (questions, views of the seats, names of moves, faults, picture for spectators, end of the game or
            None).

        Raises:
            ValueError: A message is invalid, or the umpire refuses the game.
        """
        views, names, faults = list(position.views), list[tuple[int, str]](), list[tuple[int, str]]()
        picture, end = position.picture, position.end
        asked: tuple[Ask, ...] = ()
        for line in lines:
            name, value = read(line)
            if name == "ask":
                asked = self._asked(value)
            elif name == "tell":
                self._tell(views, value)
            elif name == "move":
                self._check_seat("move", value.seat)
                names.append((value.seat, printable(value.text)))
            elif name == "picture":
                check_picture(value, picture)
                if value.seats is None or not value.seats:
                    picture = value
                for seat in range(self.seats) if value.seats is None else value.seats:
                    self._check_seat("picture: for", seat)
                    views[seat] = views[seat]._replace(picture=value)
            elif name == "fault":
                self._check_seat("fault", value.seat)
                faults.append((value.seat, value.why))
            elif name == "end":
                outcome_of(value, self.teams)
                end = value
            elif name == "refuse":
                raise ValueError(f"refuses this game: {printable(value)}")
        return asked, views, names, faults, picture, end

    def _check_seat(self, what: str, seat: int) -> None:
        if not 0 <= seat < self.seats:
            raise ValueError(f"{what}: there is no seat {seat}: expected 0 to {self.seats - 1}")

    def _asked(self, asked: Sequence[Ask]) -> tuple[Ask, ...]:
        """Check an umpire's questions, and return them in the order of the seats.

        Raises:
            ValueError: There is no question, a seat does not exist or is asked twice, or a number of lines is
                out of range.
        """
        if not asked:
            raise ValueError("ask: expected a question for one seat or more, got none")
        for each in asked:
            self._check_seat("ask", each.seat)
            if not 1 <= each.lines <= 1000:
                raise ValueError(f"ask: lines: expected 1 to 1000, got {each.lines}")
        if len(asked) > 1:
            asked = sorted(asked, key=lambda each: each.seat)
            if len({each.seat for each in asked}) < len(asked):
                raise ValueError("ask: the same seat is asked twice at once")
        return tuple(asked)

    def _tell(self, views: list[View], tell: Tell) -> None:
        seats: Iterable[int] = range(self.seats)
        if tell.seat != "all":
            seats = (tell.seat,) if isinstance(tell.seat, int) else tell.seat
        said = bytes(tell.say).decode()
        for seat in seats:
            self._check_seat("tell", seat)
            view = views[seat]
            views[seat] = view._replace(told=(*view.told, said))

    def failed(self, position: Position, seat: int, ending: Ending) -> Position | None:
        if self.options.failure == "loses":
            return None
        return self._without(position, seat, failed(FAILURES.get(ending, "fault")))

    def _without(self, position: Position, seat: int, how: str) -> Position:
        asked = tuple([each for each in position.asked if each.seat != seat])
        position = position._replace(gone=tuple(sorted({*position.gone, seat})))
        if len(asked) == len(position.asked):  # between two questions
            return position._replace(unsaid=(*position.unsaid, (seat, how)))
        given = tuple(sorted((*position.given, (seat, how))))
        is_due = not asked
        return self._advance(position._replace(asked=asked, given=given, is_due=is_due))

    def faults(self, position: Position) -> Sequence[tuple[int, str]]:
        return position.faults

    def is_untold(self, position: Position, seat: int) -> bool:
        return bool(position.views[seat].told)

    def _advance(self, position: Position) -> Position:
        """Return the position after the umpire's next answers in the recorded conversation.

        The answers are taken until one asks a seat or ends the game. If the game has no recorded
        conversation, the position is unchanged.
        """
        told = self._told
        if told is None:
            return position
        while position.is_due and position.heard < len(told):
            first = last = position.heard + 1
            while last < len(told) and read(told[last])[0] not in ENDS_TURN:
                last += 1
            if last >= len(told):  # the answer is not complete yet
                break
            self._check_sent(position, told[first - 1])
            position = self.ruled(position, told[first : last + 1])
        return position

    def _check_sent(self, position: Position, line: str) -> None:
        """Raise ValueError if a recorded line to the umpire is not the one that the seats' answers give."""
        if position.heard and line != (expected := answers(position.given)):
            raise ValueError(f"the umpire was sent {line}, but the game has {expected}")

    def _failure(self, position: Position, seat: int) -> str:
        """Return the JSON of a seat's failure in a recorded conversation. Its kind is "fault" if the record
        does not have it.
        """
        told = self._told or ()
        with_kinds = json.loads(told[position.heard]) if position.heard < len(told) else {}
        how = with_kinds.get("answers", {}).get(str(seat), {}).get("failed", "fault")
        return failed(how)

    # The game

    def acting(self, position: Position) -> tuple[int, ...]:
        asked = position.asked
        return (asked[0].seat,) if len(asked) == 1 else tuple([each.seat for each in asked])

    def phase(self, position: Position) -> str:
        return ""

    def legal(self, position: Position, seat: int) -> Sequence[str]:
        """Return the choices of the question, or one example of an answer. Any other answer is legal too."""
        ask = _ask_to(position.asked, seat)
        return () if ask is None else choices_of(ask) or ("",)

    def check(self, position: Position, seat: int, move: str) -> None:
        if _ask_to(position.asked, seat) is None:
            raise IllegalMove(seat, "was not asked")

    def play(self, position: Position, turn: Turn[str]) -> Position:
        if position.is_due and self._told is not None:  # the conversation has grown since
            position = self._advance(position)
        if len(turn) != len(position.asked):
            raise IllegalMove(turn[0][0] if turn else 0, "was not asked, or not alone")
        views, given = list(position.views), list(position.given)
        for (seat, move), ask in zip(turn, position.asked, strict=True):
            if ask.seat != seat:
                raise IllegalMove(seat, "was not asked")
            given.append((seat, answer_json(move)))
            views[seat] = _new(View, (seat, (), None, move, views[seat].picture))
        if len(given) > 1:
            given.sort()
        _, heard, _, _, _, gone, unsaid, picture, names, faults, end, idle = position
        after: Position = _new(
            Position,
            (tuple(views), heard, True, (), tuple(given), gone, unsaid, picture, names, faults, end, idle),
        )
        return after if self._told is None else self._advance(after)

    def drop(self, position: Position, seat: int) -> Position | None:
        if self.options.failure == "loses":
            return None
        return self._without(position, seat, self._failure(position, seat))

    def outcome(self, position: Position) -> Outcome:
        if position.end is None:
            raise ValueError("the game is not over")
        return outcome_of(position.end, self.teams)

    def simplify(self, position: Position, move: str) -> str:
        return move

    # What a seat may know

    def view(self, position: Position, seat: int) -> View:
        view = position.views[seat]
        ask = _ask_to(position.asked, seat)
        return view if ask is None else _new(View, (seat, view.told, ask, view.said, view.picture))

    def news(self, turn: Turn[str], seat: int) -> Turn[str]:
        """Return the seat's own answer. The umpire itself tells the seat about other moves."""
        return tuple([each for each in turn if each[0] == seat])

    def render(self, shown: Position | View, last: Turn[str] = ()) -> str:
        """Return a picture as lines of text: the spectators', or a seat's with its messages and question."""
        lines = [] if shown.picture is None else picture_lines(shown.picture)
        if isinstance(shown, View):
            lines += said_to(shown)
        return "\n".join(lines)

    def parse(self, text: str) -> str:
        return parse_answer(text)

    def read(self, view: View, text: str) -> str:
        """Return the answer that a human player's text means: a choice, or the text itself."""
        for choice in choices_of(view.ask) if view.ask is not None else ():
            if text in (format_answer(choice), str(choice)):
                return choice
        return parse_answer(text)

    def format(self, move: str) -> str:
        return format_answer(move)


def _ask_to(asked: Sequence[Ask], seat: int) -> Ask | None:
    for each in asked:
        if each.seat == seat:
            return each
    return None


def rules(options: Options | RelayOptions, seed: int = 0) -> UmpireRules:
    """Return the rules of a game to be played.

    Args:
        seed: The seed for the umpire, its only source of randomness.
    """
    return UmpireRules(options, seed)
