"""The pool of a cluster with two hosts that do as a test says, as `InstantPool` is one of this machine."""

from fake_pool import report_of, void_of
from gyoji.cluster.agent_messages import Ended
from gyoji.cluster.cluster_pool import ClusterPool
from scripted_hosts import ScriptedHosts


class HostsPool(ClusterPool):
    """Games go on until `finish`, `fail` or `abandon` is called."""

    def __init__(self):
        self.orders = []
        self.abandoned = False
        self.scripted = ScriptedHosts()
        super().__init__(self.scripted, most=1)
        for name in ("one", "two"):
            self.scripted.join(name, slots=8)

    def submit(self, order):
        self.orders.append(order)
        return super().submit(order)

    def finish(self, game_id, report=None):
        """Have the host say that the game has ended."""
        for host, ticket, spec in self._playing():
            if spec.id == game_id:
                self.scripted.end(host, ticket, spec, report=(report or report_of(spec)).sent())

    def fail(self, game_id):
        spec = next(order.spec for order in self.orders if order.spec.id == game_id)
        self.finish(game_id, void_of(spec))

    def abandon(self):
        self.abandoned = True
        playing = list(self._playing())
        super().abandon()
        for host, ticket, _ in playing:
            self.scripted.say(host, Ended(ticket=ticket))

    def _playing(self):
        for host in list(self._assigned.hosts.values()):
            for ticket, game in list(host.playing.items()):
                yield host.name, ticket, game.future.order.spec
