"""Hosts that say what a test has them say, and remember what they were told."""

from fake_pool import report_of
from gyoji import __version__
from gyoji.cluster.agent_messages import Assignment, Ended, Facts, read_to_agent
from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.core import wire
from gyoji.core.spec import GameSpec, Player
from gyoji.play.order import Order
from gyoji.scheduler.pool import PoolListener

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

    def open(self, loop, listener):
        self.listener = listener

    def send(self, host, line):
        self.tasks[host].append(read_to_agent(line))

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

    def join(self, host, slots=2, *, threads=8, version=__version__, kept=()):
        self.tasks[host] = []
        self.listener.joined(host)
        facts = Facts(version=version, slots=slots, threads=threads, kept=kept)
        self.say(host, facts)

    def leave(self, host, why="the network is down"):
        self.listener.left(host, why)

    def say(self, host, *news):
        for each in news:
            self.listener.heard(host, each if isinstance(each, bytes) else wire.dump_line(each))

    def given(self, host):
        """Return the games that it was told to play: (ticket, id)."""
        plays = [task for task in self.tasks[host] if isinstance(task, Assignment)]
        return [(play.ticket, play.order.spec.id) for play in plays]

    def end(self, host, ticket, spec, **changes):
        """It says that a game has ended, by its report if nothing else is said."""
        self.say(host, Ended(ticket=ticket, **(changes or {"report": report_of(spec).sent()})))


class Recorder(PoolListener):
    """What a pool has told."""

    def __init__(self):
        self.progress, self.warnings, self.changes = [], [], []

    def on_progress(self, progress):
        self.progress.append(progress)

    def on_change(self):
        self.changes.append(None)

    def on_warning(self, text):
        self.warnings.append(text)


class Scene:
    """A pool with such hosts. warnings: what it has told."""

    def __init__(self, *hosts, **options):
        self.hosts = ScriptedHosts()
        self.pool = ClusterPool(self.hosts, **options)
        self.told = self.pool.listener = Recorder()
        self.warnings = self.told.warnings
        for host in hosts:
            self.hosts.join(host)

    def order(self, *numbers, **changes):
        """Order games; their futures."""
        return [self.pool.submit(Order(spec=make_spec(number, **changes))) for number in numbers]

    def close(self):
        self.pool.loop.close()
