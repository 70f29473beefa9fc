"""Who may use a cluster: keys are made once, and engines that could reach its ports are refused."""

import json
import re

import pytest

from gyoji.cluster.keys import Keys, keys_beside, make_keys
from gyoji.cluster.open_cluster import address_of, check_players
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Containment, Player


def test_keys_are_made_that_only_their_owner_can_read(tmp_path):
    folder = tmp_path / "deep" / "keys"
    made = make_keys(folder)
    assert sorted(folder.iterdir()) == sorted(made)
    assert {path.stat().st_mode & 0o777 for path in made} == {0o600}
    for role in ("scheduler", "worker", "run"):
        Keys(folder, role).check()
    assert not any("authority-key" in path.name for path in made)
    assert keys_beside(folder / "run-key.pem") == sorted(map(str, made))


def test_keys_are_not_replaced(tmp_path):
    make_keys(tmp_path / "keys")
    before = (tmp_path / "keys" / "run-key.pem").read_bytes()
    with pytest.raises(ConfigError, match="is there already"):
        make_keys(tmp_path / "keys")
    assert (tmp_path / "keys" / "run-key.pem").read_bytes() == before


def test_keys_that_are_missing_or_open_are_refused(tmp_path):
    keys = Keys(tmp_path / "keys", "run")
    with pytest.raises(ConfigError, match=r"authority\.pem: there is no such file: `gyoji keys"):
        keys.check()
    make_keys(tmp_path / "keys")
    keys.key.chmod(0o644)
    with pytest.raises(ConfigError, match=r"run-key\.pem: others can read it: `chmod 600"):
        keys.check()


def player(level, *, network=False, **changes):
    contained = Containment(level=level, network=network)
    return Player(code="a", command=("/x",), containment=contained, **changes)


@pytest.mark.parametrize(
    ("open_to_all", "is_closed", "setting", "remedy"),
    [
        (player("guarded", network=True), False, "network: true", "use keys (--keys), or leave network out"),
        (player("strict", network=True), False, "network: true", "use keys (--keys), or leave network out"),
        (player("off"), False, 'sandbox: "off"', "contain it"),
        (player("off"), True, 'sandbox: "off"', "contain it"),
    ],
)
def test_engines_that_could_reach_the_ports_of_dask_are_refused(open_to_all, is_closed, setting, remedy):
    with pytest.raises(ConfigError, match=f"players.a: {re.escape(setting)} does .*{re.escape(remedy)}"):
        check_players([player("strict"), open_to_all], is_closed=is_closed)


@pytest.mark.parametrize(
    ("allowed", "is_closed"),
    [
        (player("strict"), False),
        (player("guarded"), False),
        (player("guarded"), True),
        (player("guarded", network=True), True),
    ],
)
def test_others_may_play(allowed, is_closed):
    check_players([allowed, player("off", executor="person")], is_closed=is_closed)


def test_an_address_may_stand_in_the_file_of_the_scheduler(tmp_path):
    path = tmp_path / "scheduler.json"
    path.write_text(json.dumps({"address": "tls://10.0.0.1:8786"}))
    assert address_of(str(path)) == "tls://10.0.0.1:8786"
    assert address_of("tcp://lab:8786") == "tcp://lab:8786"


@pytest.mark.parametrize("content", [None, "", "{}", "[]", "3", '{"adress":1}'])
def test_what_is_no_address_is_told(tmp_path, content):
    path = tmp_path / "scheduler.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigError, match="--cluster"):
        address_of(str(path))
