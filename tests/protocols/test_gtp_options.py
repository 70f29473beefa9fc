"""A player's GTP settings: what is a word and what is not."""

import pytest

from gyoji.protocols.gtp import Options


@pytest.mark.parametrize(
    ("commands", "lines"),
    [
        ((), ()),
        (("kata-set-param a 1",), ("kata-set-param a 1",)),
        ((" two  blanks ",), ("two blanks",)),
        ((("level", "10"), "orientation 3"), ("level 10", "orientation 3")),
        (("gr\u00f6\u00dfe 1",), ("gr\u00f6\u00dfe 1",)),
    ],
)
def test_startup_commands_are_lines_or_lists_of_words(commands, lines):
    assert Options(startup_gtp_commands=commands).startup_lines() == lines


@pytest.mark.parametrize(
    "command", ["", "  ", "a\tb", "a\nb", "a\x00", (), ("",), ("a", ""), ("a b",), ("a\n",), ("a", "b\x7f")]
)
def test_a_startup_command_that_is_no_words_is_refused(command):
    with pytest.raises(ValueError, match="startup_gtp_commands: got"):
        Options(startup_gtp_commands=(command,))


@pytest.mark.parametrize(
    "aliases", [{"": "x"}, {"x": ""}, {"genmove": "gen move"}, {"a\n": "b"}, {"a": "\x01"}]
)
def test_an_alias_that_is_no_word_is_refused(aliases):
    with pytest.raises(ValueError, match="gtp_aliases: got"):
        Options(gtp_aliases=aliases)
