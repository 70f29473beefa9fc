"""The seats of remote players in a worker, with an owner who is a part of the test."""

import os
import time

import msgspec
import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import Meter
from gyoji.core.faults import FaultKind
from gyoji.core.spec import REMOTE, Player
from gyoji.games.go.game import GAME
from gyoji.play.link import Link
from gyoji.play.loop import Loop
from gyoji.play.remote_seats import RemoteSeats, RemoteWords
from gyoji.play.remote_talk import MOST_UNACKED, Hello, Inbox, Outbox, Talk, encode, read_talk

PLAYER = Player(code="x", command=(REMOTE,), executor=REMOTE)
SECOND = 10**9


class Table:
    """A listener of a link that keeps what it hears."""

    def __init__(self):
        self.replies, self.is_closed = [], False

    def on_reply(self, _seat, reply, used):
        self.replies.append((reply, used))

    def on_expiry(self, _seat, _used, _waited, *, deaf):
        self.replies.append(("late", deaf))

    def on_closed(self, _seat):
        self.is_closed = True

    def on_failure(self, reason, _trace, *, by_death=False):
        raise AssertionError(reason)


class Scene:
    """A seat, its link, and what its owner has heard and not yet answered."""

    def __init__(self):
        self.loop, self.heard, self.table = Loop(), [], Table()
        self.seats = RemoteSeats(self.loop, self.take)
        self.seats.prepare("0_0")
        channel = self.seats.start(PLAYER, {"TOKEN": "t"})
        self.link = Link(self.loop, self.table, 0, channel=channel, codec=channel.codec, meter=Meter.WALL)
        rules = GAME.make_rules({"board_size": 5, "komi": 0.5}, 0)
        self.ready = m.NewGame(0, rules, rules.view(rules.start(), 0), _clock(), PLAYER, ())
        self.inbox, self.outbox, self.session = Inbox(), Outbox(), ""

    def take(self, news):
        assert (news.game, news.player) == ("0_0", "x")
        self.heard += map(read_talk, news.talk)

    def say(self, **values):
        talk = msgspec.Raw(encode(Talk(**values)))
        self.seats.hear(RemoteWords(game="0_0", player="x", talk=talk))

    def greet(self, session=None):
        self.say(hello=Hello(session=self.session if session is None else session, got=self.inbox.got))

    def rounds(self, number=3):
        for _ in range(number):
            self.loop.wait(0.005)

    def new(self):
        """Return the numbered messages that are new to the owner. Acknowledge all, and return pings."""
        talks, self.heard = self.heard, []
        new = [talk for talk in talks if talk.n and self.inbox.take(talk.n)]
        for talk in talks:
            self.session = talk.session or self.session
            if talk.p:
                self.say(p=talk.p, ack=self.inbox.got)
        return new

    def answer(self, text):
        self.say(**msgspec.structs.asdict(self.outbox.put(Talk(text=text))))

    def close(self):
        self.link.dismiss(kindly=False)
        self.loop.run(lambda: self.table.is_closed)
        self.seats.close()
        self.loop.close()


def _clock():
    from gyoji.core.clocks import TimeControl  # noqa: PLC0415

    return TimeControl(main=60 * SECOND)


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


def ask(scene, patience=60 * SECOND):
    """Send the first request of a game."""
    scene.link.send(scene.ready, patience)
    scene.rounds()


def test_the_owner_is_called_once_and_told_everything_in_order_when_it_says_hello(scene):
    ask(scene)
    (called,) = scene.heard
    scene.greet()
    opened, asked = scene.new()
    assert opened.open.environ == {"TOKEN": "t"}
    assert (opened.n, asked.n) == (1, 2)
    assert asked.text == "protocol_version\n"
    assert called == Talk(call=scene.session)


def test_what_was_not_acknowledged_is_sent_again_after_a_cut_and_what_comes_twice_is_dropped(scene):
    ask(scene)
    scene.greet()
    scene.new()
    scene.answer("= ")
    before = encode(scene.outbox.put(Talk(text="2\n\n")))
    scene.say(gone=True)
    scene.seats.hear(
        RemoteWords(game="0_0", player="x", talk=msgspec.Raw(before))
    )  # nobody is there to say it
    scene.rounds()
    scene.heard.clear()
    scene.greet()
    (back,) = [talk for talk in scene.heard if talk.session]
    assert (back.session, back.got) == (scene.session, 1)
    for talk in scene.outbox:  # both messages: the first one is there already
        scene.say(**msgspec.structs.asdict(talk))
    scene.rounds()
    (next_command,) = scene.new()
    assert next_command.text.startswith("name\nversion\n")  # the answer was read once and whole
    assert scene.table.replies == []


def test_a_message_after_a_gap_is_dropped_until_those_before_it_are_there(scene):
    ask(scene)
    scene.greet()
    scene.new()
    first, second = (scene.outbox.put(Talk(text=text)) for text in ("= ", "2\n\n"))
    scene.say(**msgspec.structs.asdict(second))
    scene.rounds()
    assert scene.table.replies == []
    assert [talk.ack for talk in scene.heard if talk.ack >= 0] == []
    scene.say(gone=True)
    scene.greet()
    for talk in (first, second):
        scene.say(**msgspec.structs.asdict(talk))
    scene.rounds()
    (next_command,) = scene.new()
    assert next_command.text.startswith("name\nversion\n")


def test_the_longest_measured_round_trip_is_credited_and_no_figure_of_the_owner_is(scene):
    ask(scene)
    scene.greet()
    talks, scene.heard = scene.heard, []
    time.sleep(0.03)
    for talk in talks:
        scene.session = talk.session or scene.session
        if talk.n:
            scene.inbox.take(talk.n)
        if talk.p:
            scene.say(p=talk.p, ack=scene.inbox.got)
    answers = {"protocol_version\n": "2", "list_commands\n": "boardsize\nclear_board\nkomi\nplay\ngenmove"}
    asked = "protocol_version\n"
    while asked:
        scene.answer(f"= {answers.get(asked, '')}\n\n" * (1 if asked in answers else asked.count("\n")))
        scene.rounds()
        asked = "".join(talk.text for talk in scene.new())
    (delay, *_) = [reply.ns for reply, _ in scene.table.replies if isinstance(reply, m.Delayed)]
    ((_, used),) = [each for each in scene.table.replies if isinstance(each[0], m.Ready)]
    assert 0.03 * SECOND <= delay <= used


def test_a_new_process_of_the_owner_has_no_engine_of_this_game(scene):
    ask(scene)
    scene.greet()
    scene.new()
    scene.greet("")
    scene.rounds()
    (reply, _), *_ = [each for each in scene.table.replies if isinstance(each[0], m.Broken)]
    assert reply.kind is FaultKind.EXIT
    assert "started `gyoji join` again" in reply.detail


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"ack": 99}, "acknowledges message 99 of 2"),
        ({"n": 1, "c": 5, "text": "x"}, "makes no sense"),
        ({"n": 1, "text": "€"}, "makes no sense"),
    ],
)
def test_an_owner_that_breaks_the_rules_has_lost_its_engine(scene, values, why):
    ask(scene)
    scene.greet()
    scene.new()
    scene.say(**values)
    scene.rounds()
    (reply,) = [reply for reply, _ in scene.table.replies if isinstance(reply, m.Broken)]
    assert why in reply.detail


def test_an_engine_that_ends_is_told_with_its_status(scene):
    ask(scene)
    scene.greet()
    scene.new()
    scene.say(**msgspec.structs.asdict(scene.outbox.put(Talk(end="exited (exit 3)"))))
    scene.rounds()
    (reply,) = [reply for reply, _ in scene.table.replies if isinstance(reply, m.Broken)]
    assert reply.detail == "exited (exit 3)"


def test_a_link_is_not_read_while_too_much_is_unacknowledged(scene):
    scene.link.send(scene.ready, 60 * SECOND)
    channel = scene.seats._sessions["x"]._channels[0]
    os.set_blocking(scene.link._channel.stdin, False)
    written = 0
    for _ in range(3000):
        try:
            written += os.write(scene.link._channel.stdin, b"x" * 4096)
        except BlockingIOError:
            if channel._is_held:
                break
        scene.loop.wait(0.001)
    assert MOST_UNACKED <= written < 2 * MOST_UNACKED


def test_numbers_have_no_gaps_and_count_once():
    outbox, inbox = Outbox(), Inbox()
    sent = [outbox.put(Talk(text=text)) for text in "abc"]
    assert [inbox.take(each.n) for each in (sent[0], sent[0], sent[1])] == [True, False, True]
    outbox.acked(inbox.got)
    assert [each.text for each in outbox] == ["c"]
    with pytest.raises(ValueError, match="sends message 5 after 2"):
        inbox.take(5)
    with pytest.raises(ValueError, match="acknowledges message 4 of 3"):
        outbox.acked(4)
