"""Messages reach all readers once, in order; who does not keep up is dropped, who was cut off catches up."""

import asyncio

from served import awaited

from gyoji.web.broadcast import MOST_KEPT, MOST_WAITING, Broadcast


async def read(reader, count):
    """The first `count` events that a reader gets."""
    text = b""
    async for data in reader.messages():
        text += data
        if text.count(b"\n\n") >= count:
            break
    return [
        dict(line.split(": ", 1) for line in event.splitlines()) for event in text.decode().split("\n\n")[:-1]
    ]


def test_every_reader_gets_the_journal_and_its_own_topics():
    async def scene():
        broadcast = Broadcast("e")
        one, other = broadcast.read(["a"]), broadcast.read(["b"])
        broadcast.record("started", "1")
        broadcast.send("a", "move", "2")
        broadcast.record("finished", "3")
        return await read(one, 3), await read(other, 2)

    one, other = awaited(scene())
    assert [(each["event"], each["data"], each.get("id")) for each in one] == [
        ("started", "1", "e-1"),
        ("move", "2", None),
        ("finished", "3", "e-2"),
    ]
    assert [each["event"] for each in other] == ["started", "finished"]


def test_who_was_cut_off_gets_what_it_missed():
    async def scene():
        broadcast = Broadcast("e")
        for number in range(5):
            broadcast.record("n", str(number))
        return await read(broadcast.read([], "e-3"), 2)

    assert [each["data"] for each in awaited(scene())] == ["3", "4"]


def test_who_asks_for_what_is_gone_is_told_to_begin_anew():
    async def scene():
        broadcast = Broadcast("e")
        for number in range(MOST_KEPT + 10):
            broadcast.record("n", str(number))
        asked = ("e-5", "other-3", "e-x", "nonsense", f"e-{MOST_KEPT + 11}")
        return [(await read(broadcast.read([], after), 1))[0] for after in asked]

    found = awaited(scene())
    assert [(each["event"], each["id"]) for each in found] == [("anew", f"e-{MOST_KEPT + 10}")] * 5


def test_who_missed_nothing_is_sent_nothing():
    broadcast = Broadcast("e")
    broadcast.record("n", "1")
    reader = broadcast.read([], broadcast.last)
    broadcast.record("n", "2")
    assert [each["data"] for each in awaited(read(reader, 1))] == ["2"]


def test_a_reader_that_does_not_read_is_dropped_and_costs_the_others_nothing():
    async def scene():
        broadcast = Broadcast("e")
        lazy, eager = broadcast.read(["a"]), broadcast.read(["a"])
        for number in range(MOST_WAITING + 1):
            broadcast.send("a", "move", str(number))
            if number == MOST_WAITING // 2:
                first = await read(eager, number + 1)
        rest = await read(eager, MOST_WAITING - MOST_WAITING // 2)
        lazy_got = [data async for data in lazy.messages()]
        return first + rest, lazy.is_dropped, lazy_got

    got, is_dropped, lazy_got = awaited(scene())
    assert [int(each["data"]) for each in got] == list(range(MOST_WAITING + 1))
    assert (is_dropped, lazy_got) == (True, [])


def test_a_broadcast_that_is_closed_ends_its_readers():
    async def scene():
        broadcast = Broadcast("e")
        reader = broadcast.read(["a"])
        assert broadcast.has_readers("a")
        broadcast.close()
        return [data async for data in reader.messages()], broadcast.has_readers("a")

    assert awaited(scene()) == ([], False)


def test_what_comes_within_a_period_is_sent_at_once_when_it_is_over():
    async def scene():
        broadcast = Broadcast("e")
        reader, sent = broadcast.read(["a"]), []
        messages = reader.messages(period=0.2)
        for number in range(3):
            broadcast.send("a", "move", str(number))
        sent.append(await anext(messages))  # the first is not kept back
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number in range(3, 20):
            loop.call_later(number / 200, broadcast.send, "a", "move", str(number))
        sent.append(await anext(messages))
        return sent, loop.time() - began

    sent, seconds = awaited(scene())
    assert [data.count(b"event: move") for data in sent] == [3, 17]
    assert seconds >= 0.2


def test_a_message_is_made_once_for_all_its_readers():
    broadcast = Broadcast("e")
    readers = [broadcast.read(["a"]) for _ in range(50)]
    broadcast.send("a", "move", "1")
    assert len({id(reader._waiting[0]) for reader in readers}) == 1
    broadcast.leave(readers[0])
    assert broadcast.has_readers("a")
    for reader in readers:
        broadcast.leave(reader)
    assert not broadcast.has_readers("a")
