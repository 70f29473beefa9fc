"""Files of players that stand beside the control file come to hosts by their content; nothing else does."""

import os
from hashlib import sha256

import pytest
from msgspec.structs import replace
from scripted_hosts import make_spec

from gyoji.cluster.engines import Receiver, Sender
from gyoji.core.spec import Player


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
    parcels, others = Sender(event).parcels(spec)
    assert others == ()
    assert [(os.path.basename(each.path), each.executable) for each in parcels] == [
        ("bot", True),
        ("net.bin", False),
    ]
    sender, receiver = Sender(event), Receiver(tmp_path / "cache")
    sender.parcels(spec)
    assert receiver.missing(parcels) == list(parcels)
    for parcel in parcels:
        assert receiver.take(parcel, sender.content(parcel.digest).content) == ""
    assert receiver.missing(parcels) == []
    here = receiver.here(spec, parcels)
    program, option, net, other = here.players[1].command
    assert (option, other) == ("--net", "-v")
    with open(program) as file:
        assert file.read() == "#!/bin/sh\nexec cat\n"
    assert os.stat(program).st_mode & 0o777 == 0o555
    assert os.stat(net).st_mode & 0o777 == 0o444
    assert here.players[0].cwd == str(event)


def test_a_working_folder_that_a_host_has_not_becomes_a_private_one(event, tmp_path):
    spec = game("/bin/cat", cwd="/nowhere/at/all")
    assert Receiver(tmp_path).here(spec, ()).players[0].cwd == ""
    assert Receiver(tmp_path).here(game("/bin/cat", cwd=None), ()).players[0].cwd is None


@pytest.mark.parametrize(
    "word", ["/bin/sh", "../secret", "link", "/etc/passwd", "engines", "", "--x=net.bin"]
)
def test_what_is_elsewhere_or_no_file_stays(event, word):
    (event.parent / "secret").write_text("s")
    (event / "link").symlink_to(event.parent / "secret")
    assert Sender(event).parcels(game("/bin/cat", word, cwd=event))[0] == ()


def test_only_what_travels_can_be_asked_for(event):
    sender = Sender(event)
    assert sender.content(sha256(b"weights").hexdigest()).content is None
    ((parcel,), others) = sender.parcels(game("/bin/cat", "net.bin", cwd=event))
    assert others == ("/bin/cat",)
    assert sender.content(parcel.digest).content == b"weights"
    (event / "net.bin").unlink()
    assert sender.content(parcel.digest).content is None


def test_what_is_not_what_it_should_be_is_not_kept(event, tmp_path):
    ((parcel,), _) = Sender(event).parcels(game("/bin/cat", "net.bin", cwd=event))
    receiver = Receiver(tmp_path / "cache")
    assert "was changed on its way" in receiver.take(parcel, b"other weights")
    assert receiver.missing([parcel]) == [parcel]


def test_an_engine_that_was_changed_is_another_one(event):
    sender = Sender(event)
    spec = game("/bin/cat", "net.bin", cwd=event)
    before, _ = sender.parcels(spec)
    (event / "net.bin").write_bytes(b"other weights")
    assert sender.parcels(spec)[0][0].digest != before[0].digest


def test_who_scores_the_game_travels_too(event):
    scorer = Player(code="s", command=(str(event / "engines/bot"),))
    spec = replace(game("/bin/cat"), scoring_player=scorer)
    assert [each.path for each in Sender(event).parcels(spec)[0]] == [str(event / "engines/bot")]
