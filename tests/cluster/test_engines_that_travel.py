"""Files of players that stand beside the control file come to hosts by their content; nothing else does."""

import os
import shutil
from errno import ENOSPC
from hashlib import sha256

import pytest
from msgspec.structs import replace

from gyoji.cluster.artifacts import Artifact, ArtifactCache, ArtifactSender
from gyoji.core.spec import Player
from scripted_hosts import make_spec


@pytest.fixture
def event(tmp_path):
    folder = tmp_path / "event"
    (folder / "engines").mkdir(parents=True)
    program = folder / "engines" / "bot"
    program.write_text("#!/bin/sh\nexec cat\n")
    program.chmod(0o755)
    (folder / "net.bin").write_bytes(b"weights")
    return folder


def game(*command, cwd=None, **changes):
    player = Player(code="a", command=tuple(map(str, command)), cwd=cwd and str(cwd), **changes)
    return make_spec(0, players=(player, player))


def test_program_and_data_travel_and_are_what_they_were(event, tmp_path):
    spec = game(event / "engines/bot", "--net", "net.bin", "-v", cwd=event)
    artifacts, others = ArtifactSender(event).artifacts(spec)
    assert others == ()
    assert [(os.path.basename(each.path), each.executable) for each in artifacts] == [
        ("bot", True),
        ("net.bin", False),
    ]
    sender, receiver = ArtifactSender(event), ArtifactCache(tmp_path / "cache")
    sender.artifacts(spec)
    assert receiver.missing(artifacts) == list(artifacts)
    for artifact in artifacts:
        assert receiver.take(artifact, sender.content(artifact.digest).content) == ""
    assert receiver.missing(artifacts) == []
    here = receiver.here(spec, artifacts)
    program, option, net, other = here.players[1].command
    assert (option, other) == ("--net", "-v")
    with open(program) as file:
        assert file.read() == "#!/bin/sh\nexec cat\n"
    assert os.stat(program).st_mode & 0o777 == 0o555
    assert os.stat(net).st_mode & 0o777 == 0o444
    assert here.players[0].cwd == str(event)


def test_a_working_folder_that_a_host_has_not_becomes_a_private_one(event, tmp_path):
    spec = game("/bin/cat", cwd="/nowhere/at/all")
    assert ArtifactCache(tmp_path).here(spec, ()).players[0].cwd == ""
    assert ArtifactCache(tmp_path).here(game("/bin/cat", cwd=None), ()).players[0].cwd is None


@pytest.mark.parametrize(
    "word", ["/bin/sh", "../secret", "link", "/etc/passwd", "engines", "", "--x=net.bin"]
)
def test_what_is_elsewhere_or_no_file_stays(event, word):
    (event.parent / "secret").write_text("s")
    (event / "link").symlink_to(event.parent / "secret")
    assert ArtifactSender(event).artifacts(game("/bin/cat", word, cwd=event))[0] == ()


def test_only_what_travels_can_be_asked_for(event):
    sender = ArtifactSender(event)
    assert sender.content(sha256(b"weights").hexdigest()).content is None
    ((artifact,), others) = sender.artifacts(game("/bin/cat", "net.bin", cwd=event))
    assert others == ("/bin/cat",)
    assert sender.content(artifact.digest).content == b"weights"
    (event / "net.bin").unlink()
    assert sender.content(artifact.digest).content is None


def test_what_is_not_what_it_should_be_is_not_kept(event, tmp_path):
    ((artifact,), _) = ArtifactSender(event).artifacts(game("/bin/cat", "net.bin", cwd=event))
    receiver = ArtifactCache(tmp_path / "cache")
    assert "was changed on its way" in receiver.take(artifact, b"other weights")
    assert receiver.missing([artifact]) == [artifact]


def test_an_engine_that_was_changed_is_another_one(event):
    sender = ArtifactSender(event)
    spec = game("/bin/cat", "net.bin", cwd=event)
    before, _ = sender.artifacts(spec)
    (event / "net.bin").write_bytes(b"other weights")
    assert sender.artifacts(spec)[0][0].digest != before[0].digest


def test_who_scores_the_game_travels_too(event):
    scorer = Player(code="s", command=(str(event / "engines/bot"),))
    spec = replace(game("/bin/cat"), scoring_player=scorer)
    assert [each.path for each in ArtifactSender(event).artifacts(spec)[0]] == [str(event / "engines/bot")]


def come(receiver, folder, content):
    """Send a file with this content to a host. Return its artifact."""
    artifact = Artifact(path=str(folder / "bot"), digest=sha256(content).hexdigest(), executable=True)
    assert receiver.missing([artifact]) == [artifact]
    assert receiver.take(artifact, content) == ""
    return artifact


def kept_in(folder):
    return {path.read_bytes() for path in folder.glob("*/bot")}


def aged(folder, content, seconds):
    """Make a file on the host as if it had last been used so many seconds ago."""
    path = folder / sha256(content).hexdigest()
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def test_what_nobody_uses_goes_where_there_is_too_much_the_oldest_first(tmp_path):
    cache = tmp_path / "cache"
    for number, content in enumerate((b"a" * 40, b"b" * 40, b"c" * 40)):
        before = ArtifactCache(cache)
        come(before, tmp_path, content)
        before.close()
        aged(cache, content, 100 - number)
    receiver = ArtifactCache(cache, most=100)
    come(receiver, tmp_path, b"d" * 40)
    assert kept_in(cache) == {b"c" * 40, b"d" * 40}
    assert len(list(cache.iterdir())) == 2


def test_what_is_in_use_stays_however_much_there_is(tmp_path):
    cache = tmp_path / "cache"
    other, receiver = ArtifactCache(cache), ArtifactCache(cache, most=100)
    come(other, tmp_path, b"of another agent of this host " * 4)
    aged(cache, b"of another agent of this host " * 4, 1000)
    own = [come(receiver, tmp_path, bytes([number]) * 90) for number in range(3)]
    assert len(kept_in(cache)) == 4
    assert receiver.missing(own) == []
    other.close()
    come(receiver, tmp_path, b"one more")
    assert len(kept_in(cache)) == 4
    receiver.close()
    ArtifactCache(cache).make_room(0)
    assert kept_in(cache) == set()


def test_what_was_used_lately_stays_longer(tmp_path):
    cache = tmp_path / "cache"
    artifacts = {}
    for content in (b"old", b"new"):
        before = ArtifactCache(cache)
        artifacts[content] = come(before, tmp_path, content)
        before.close()
        aged(cache, content, 1000)
    again = ArtifactCache(cache)
    assert again.missing([artifacts[b"old"]]) == []  # it is used again
    again.close()
    ArtifactCache(cache).make_room(3)
    assert kept_in(cache) == {b"old"}


def test_what_somebody_has_removed_comes_again(tmp_path):
    receiver = ArtifactCache(tmp_path / "cache")
    artifact = come(receiver, tmp_path, b"content")
    shutil.rmtree(tmp_path / "cache" / artifact.digest)
    assert receiver.missing([artifact]) == [artifact]
    assert receiver.take(artifact, b"content") == ""
    assert receiver.missing([artifact]) == []


def test_a_disk_that_is_full_is_emptied_of_what_nobody_uses(tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    before = ArtifactCache(cache)
    come(before, tmp_path, b"old")
    before.close()
    write = ArtifactCache._write

    def full(receiver, artifact, content):
        if kept_in(cache):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        write(receiver, artifact, content)

    monkeypatch.setattr(ArtifactCache, "_write", full)
    receiver = ArtifactCache(cache)
    come(receiver, tmp_path, b"new")
    assert kept_in(cache) == {b"new"}
    artifact = Artifact(path="/x/bot", digest=sha256(b"more").hexdigest())
    assert "No space left on device" in receiver.take(artifact, b"more")
