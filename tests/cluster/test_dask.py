"""Real workers of dask as processes: a competition goes as on one machine."""

import pytest
from dask_cluster import (
    DIGHERE,
    GO,
    GOMOKU,
    SECONDS,
    Cluster,
    control,
    course,
    gyoji,
    run,
    stored,
    wait_for,
    write_event,
)

from gyoji.cluster.dasked import DaskHosts
from gyoji.cluster.keys import Keys, make_keys
from gyoji.cluster.pool import ClusterPool
from gyoji.core.faults import ConfigError

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path)
    cluster.start_scheduler()
    for number in range(4):
        cluster.start_worker(f"w{number}")
    yield cluster
    cluster.end()


def test_400_games_on_four_workers_are_those_of_one_machine_game_for_game(cluster, tmp_path):
    used, total = set(), 0
    for number, (event, count) in enumerate(((GO, 150), (GOMOKU, 150), (DIGHERE, 100))):
        alone = write_event(tmp_path / f"alone{number}", *event, count=count)
        many = write_event(tmp_path / f"many{number}", *event, count=count)
        run(alone, "-j", "2")
        run(many, "--cluster", cluster.file, "--keys", cluster.keys, "--transcripts")
        games, hosts = course(many)
        assert games == course(alone)[0]
        total += len(games)
        used |= hosts
        records = {path.name for path in alone.with_suffix(".games").iterdir()}
        assert {path.name for path in many.with_suffix(".games").iterdir()} == records
        assert len(list(many.with_suffix(".gtplogs").iterdir())) == count
    with gyoji("verify", many) as verify:
        assert "no differences" in verify.communicate(timeout=SECONDS)[0]
    assert used == {"w0", "w1", "w2", "w3"}
    assert total == 400


def test_a_run_on_a_cluster_is_stopped_and_resized_as_on_one_machine(cluster, tmp_path):
    event = write_event(tmp_path / "many", *GO, count=20000)
    process = cluster.run(event, cluster.file)
    wait_for(lambda: stored(event) > 2, "games are played")
    status = control(event, {"do": "parallel", "games": 2})
    assert status["parallel"] == 2
    assert sorted(host["name"] for host in status["hosts"]) == ["w0", "w1", "w2", "w3"]
    assert control(event, {"do": "stop"})["ok"]
    assert process.wait(SECONDS) == 3
    assert "stopped" in (tmp_path / "run.log").read_text()
    make_keys(tmp_path / "others")  # of another authority
    with pytest.raises(ConfigError, match="--cluster tls://"):
        ClusterPool(DaskHosts(cluster.address, keys=Keys(tmp_path / "others", "run")))
