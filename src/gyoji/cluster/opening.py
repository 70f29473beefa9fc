"""The pool that `gyoji run --cluster` plays with."""

from gyoji.cluster.dasked import DaskHosts
from gyoji.cluster.pool import ClusterPool
from gyoji.scheduler.event import Event
from gyoji.scheduler.run import OpenPool, RunOptions


def on_cluster(address: str) -> OpenPool:
    """What makes the pool of a run on the workers of the dask scheduler at `address`."""

    def open_pool(event: Event, options: RunOptions) -> ClusterPool:
        cores = event.setup.cores
        hosts = DaskHosts(address, words=("--cores", str(cores)) if cores else ())
        return ClusterPool(hosts, most=options.parallel, folder=event.files.folder)

    return open_pool
