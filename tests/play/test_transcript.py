"""Transcripts: every line between us and the engines."""

from gyoji.play.game_files import MAX_LINE, Transcript


def test_a_transcript_shows_what_an_engine_said_and_does_nothing_to_who_reads_it(tmp_path):
    file = tmp_path / "logs" / "g.log"
    transcript = Transcript(str(file), 0)
    transcript.note(">>", "black", b"genmove b\n", 1_500_000)
    transcript.note(
        "<<", "black", b"= \x1b[2J\xe2\x80\xaeD4\r\n\xff\xc2\x9b" + b"x" * MAX_LINE + b"\nlast", 2_000_000
    )
    transcript.close(3_000_000)
    lines = file.read_text().splitlines()
    assert lines[0] == "       1.500 >> black: genmove b"
    assert lines[1] == "       2.000 << black: = \\x1b[2J\\u202eD4"
    assert lines[2].startswith("       2.000 << black: \\xff\\x9bxxx")
    assert lines[2].endswith("xxx...")
    assert lines[3] == "       3.000 << black: last"
