"""Hosts that say what a test has them say, and remember what they were told."""

from gyoji import __version__
from gyoji.cluster.messages import Ended, Facts, News, read_task
from gyoji.cluster.pool import ClusterPool
from gyoji.core import wire
from gyoji.core.spec import GameSpec, Player
from gyoji.play.order import Order
from gyoji.play.speed import ANSWER, Speed
from gyoji.testing.fake_pool import report_of

USUAL = Speed(1.0, ANSWER)
PLAYERS = tuple(Player(code=code, command=("/bin/true",)) for code in "ab")


def make_spec(number, note="", **changes):
    return GameSpec(
        id=f"g{number}",
        pairing="0",
        game="go",
        players=changes.pop("players", PLAYERS),
        seed=number,
        note=note,
        **changes,
    )


class ScriptedHosts:
    """The port `Hosts`."""

    def __init__(self):
        self.tasks = {}  # by host, those of its agent now
        self.ended = []
        self.dropped = []

    def open(self, loop, ears):
        self.ears = ears

    def send(self, host, line):
        self.tasks[host].append(read_task(line))

    def restart(self, host):
        self.ended.append(host)
        self.leave(host, "was started anew")
        self.join(host)

    def drop(self, host):
        self.dropped.append(host)
        self.leave(host, "is not used")

    def close(self):
        pass

    # What happens

    def join(self, host, slots=2, *, speed=USUAL, threads=8, version=__version__, kept=()):
        self.tasks[host] = []
        self.ears.joined(host)
        facts = Facts(version=version, slots=slots, threads=threads, speed=speed, kept=kept)
        self.say(host, News(ready=facts))

    def leave(self, host, why="the network is down"):
        self.ears.left(host, why)

    def say(self, host, *news):
        self.ears.heard(
            host, [each if isinstance(each, bytes) else wire.dumps(each).encode() for each in news]
        )

    def given(self, host):
        """The games that it was told to play: (ticket, id)."""
        plays = [task.play for task in self.tasks[host] if task.play]
        return [(play.ticket, play.order.spec.id) for play in plays]

    def end(self, host, ticket, spec, **changes):
        """It says that a game has ended, by its report if nothing else is said."""
        self.say(host, News(ended=Ended(ticket=ticket, **(changes or {"report": report_of(spec).line()}))))


class Scene:
    """A pool with such hosts. warnings: what it has told."""

    def __init__(self, *hosts, **options):
        self.hosts = ScriptedHosts()
        self.pool = ClusterPool(self.hosts, **options)
        self.warnings = []
        self.pool.on_warning = self.warnings.append
        for host in hosts:
            self.hosts.join(host)

    def order(self, *numbers, **changes):
        """Order games; their futures."""
        return [self.pool.submit(Order(spec=make_spec(number, **changes))) for number in numbers]

    def close(self):
        self.pool.loop.close()
