"""What a wrong control file is told: every mistake at once, each with its line, its key and a remedy."""

import pytest

from gyoji.config.competition import load
from gyoji.config.document import suggest
from gyoji.config.kinds import describe
from gyoji.core.clocks import Meter
from gyoji.core.faults import ConfigError

DEEP = "more than 50 nested tables and lists"

GOOD = """competition = "playoff"
board_size = 9
komi = 7.5
[players.a]
command = "./a"
[players.b]
command = "./b"
[[matchups]]
players = ["a", "b"]
"""


def changed(**lines):
    """Return the good file with a line more after its line N, for each `after_N`; `at_N` replaces line N."""
    text = GOOD.splitlines()
    for where, line in sorted(lines.items(), key=lambda item: -int(item[0].split("_")[1])):
        kind, number = where.split("_")
        text[int(number) - (kind == "at") : int(number)] = [line]
    return "\n".join(text)


def test_the_file_that_the_others_differ_from_is_good(write):
    assert load(write(GOOD)).kind == "playoff"


CASES = r"""
# the format and the game
at 1:
    competition: required, but not given; there are:
at 1: competition = 3
    1: competition: expected a string, got 3; there are:
at 1: competition = 'swizz'
    1: competition: no competition 'swizz'; there are:
after 1: game = 'hex'
    2: game: no game 'hex'; there are:

# settings of the competition
after 1: seed = -1
    2: seed: expected 0 or more, got -1
after 1: seed = true
    2: seed: expected a whole number, got true
after 1: on_end = "echo x >> hook.txt; env | grep GYOJI"
    2: on_end: no shell reads this: '>>' would go to 'echo' as it is; write a script and
after 1: on_game = "./a.sh; ./b.sh"
    2: on_game: no shell reads this: ';' would go
after 1: on_game = "tee games | wc"
    2: on_game: no shell reads this: '|' would go
after 1: on_end = "make && make install"
    2: on_end: no shell reads this: '&&' would go
after 1: on_end = "report &"
    2: on_end: no shell reads this: '&' would go
after 1: on_end = "cat - >out.json"
    2: on_end: no shell reads this: '>out.json' would go
after 1: on_end = "mail -s $(date) me"
    2: on_end: no shell reads this: '$(' would go
after 1: on_end = "mail -s `date` me"
    2: on_end: no shell reads this: '`' would go
after 1: on_end = ["echo", "over", ">>", "log"]
    2: on_end: no shell reads this: '>>' would go
after 1: advice = true
    2: advice: removed: use hints instead
after 1: games_from = ["before.toml"]
    2: games_from: removed: go on with the other tuner's own control file instead
after 1: scale_clocks = true
    2: scale_clocks: removed: use longer clocks, or a competition of their own for slow hosts
after 1: suspend_crashes = -1
    2: suspend_crashes: expected 0 or more, got -1
after 1: suspend_games = 0
    2: suspend_games: expected 1 or more, got 0
after 1: suspend_crashes = 11
    suspend_games: expected 11 or more, got 10
after 1: record_formats = ["sgf", "png"]
    2: record_formats.1: no record format 'png' of go; there are: sgf
after 1: record_games = 1
    2: record_games: expected true or false, got 1
after 1: records = "disk"
    2: records: expected "files" or "store", got 'disk'
after 1: description = 1979-05-27
    2: description: expected a string, or none, got date
after 1: borad_size = 9
    2: borad_size: there is no such setting; did you mean board_size?

after 1: evaluate = true
    2: evaluate: there is no such setting at the top; it stands in a player's table: players.NAME.evaluate

# settings of the game
at 2: board_size = 9.0
    2: board_size: expected a whole number, or a list of 2 whole numbers, got 9.0
at 2: board_size = true
    2: board_size: expected a whole number, or a list of 2 whole numbers, got true
at 2:
    board_size: required, but not given, here or at the top level, for 'go'
at 3: komi = nan
    3: komi: expected a number, got NaN
at 3: komi = inf
    3: komi: expected a number, got Infinity
at 3: komi = '7.5'
    3: komi: expected a number, got '7.5'
after 1: move_limit = 0
    2: move_limit: expected 1 or more, got 0
after 9: move_limit = -1
    10: matchups.0.move_limit: expected 1 or more, got -1
after 1: scorer = 'me'
    2: scorer: expected "players" or "internal" or "engine" or "judge", got 'me'
after 1: scorer = 'engine'
    9: matchups.0.scoring_player: required when scorer is "engine"
after 1: scoring_player = 'a'
    2: scoring_player: is not asked when scorer is "internal"
after 1: scoring_player = 'nobody'
    2: scoring_player: there is no player 'nobody'; there are: a, b
after 1: adjudication = 0.95
    2: adjudication: expected a table such as { win = { chance = 0.95 } }, or "none", got 0.95
after 1: adjudication = {wins = {score = 9}}
    2: adjudication.wins: there is no such setting; did you mean win?
after 1: adjudication = {win = 0.95}
    2: adjudication.win: expected a table such as { chance = 0.95, moves = 3 }, got 0.95
after 1: adjudication = {win = {chance = 95}}
    2: adjudication.win.chance: expected more than 0.5, and at most 1, got 95
after 1: adjudication = {win = {score = 0}}
    2: adjudication.win.score: expected more than 0, got 0
after 1: adjudication = {win = {score = 'high'}}
    2: adjudication.win.score: expected a number, got 'high'
after 1: adjudication = {win = {moves = 4}}
    2: adjudication.win: expected a score, or a chance, or both; got neither
after 1: adjudication = {win = {score = 9, moves = 0}}
    2: adjudication.win.moves: expected 1 or more, got 0
after 1: adjudication = {draw = {score = -1}}
    2: adjudication.draw.score: expected 0 or more, got -1
after 1: adjudication = {draw = {chance = 0.5}}
    2: adjudication.draw.chance: expected 0 to less than 0.5, got 0.5
after 1: adjudication = {draw = {score = 1, after = -1}}
    2: adjudication.draw.after: expected 0 or more, got -1
after 1: adjudication = {length = -1}
    2: adjudication.length: expected 0 or more, got -1
after 1: adjudication = {agreed = false, length = 9}
    2: adjudication.agreed: it is about win, which is not given
after 9: adjudication = {length = 9.5}
    10: matchups.0.adjudication.length: expected a whole number, got 9.5
after 1: take_backs = true
    2: take_backs: expected "never" or "ask" or "always", got true
after 1: draw_offers = 'ask'
    2: draw_offers: expected true or false, got 'ask'
after 1: hints = 1
    2: hints: expected true or false, got 1
after 1: clock = 10
    2: clock: expected a time control such as "10m + 3x30s", or a table, got 10
after 1: clock = '1/m'
    2: clock: '1/m' is not a time control: write 10m, 1h, 8+0.08, 5m+3s, 5m + 3s delay
after 1: clock = '10m + 5m/0'
    2: clock: '10m + 5m/0' is not a time control: a byo-yomi period is for 1 stone or more
after 1: clock = '0s'
    2: clock: '0s' means no time at all: write "none" for no clock
after 1: clock = '0s/move'
    2: clock: '0s/move' means no time at all
after 1: clock = {main = 0, margin = '1s'}
    2: clock: {"main": 0, "margin": "1s"} means no time at all: write "none" for no clock
after 1: clock = {mian = 3}
    2: clock.mian: there is no such setting; did you mean main?
after 1: clock = {main = true}
    2: clock.main: expected a duration such as "90s", got true
after 1: clock = {stones = 0}
    2: clock: no time control: a byo-yomi period is for 1 stone or more
after 1: clock = {meter = 'sun'}
    2: clock.meter: expected "wall" or "cpu" or "user", got 'sun'
after 1: clock = {control = 3}
    2: clock.control: expected a string, got 3

# players
after 7: [players.'a,b'] // command = 'x'
    8: players."a,b": expected a name of letters, digits and - ! $ % & * + . : ; < = > ? ^ _ ~, got 'a,b
after 7: [players.'a#2'] // command = 'x'
    8: players."a#2": expected a name of
after 7: [players.''] // command = 'x'
    8: players."": expected a name of
at 5:
    4: players.a.command: required, but not given
at 5: command = ''
    5: players.a.command: expected a program
at 5: command = []
    5: players.a.command: expected a program
at 5: command = [1]
    5: players.a.command: expected a string, or a list of strings, got [1]
at 5: command = 3
    5: players.a.command: expected a string, or a list of strings, got 3
at 5: command = "x 'y"
    5: players.a.command: no closing quotation in "x 'y"
at 5: command = "x\u0000"
    5: players.a.command: there is a NUL character in it
after 5: cwd = "x\u0000"
    6: players.a.cwd: there is a NUL character in it
after 5: cwd = 3
    6: players.a.cwd: expected a string, or none, got 3
after 5: environ = { A = 1 }
    6: players.a.environ.A: expected a string, or true or false, got 1
after 5: environ = 'A=1'
    6: players.a.environ: expected a table (a string, or true or false each), or none, got 'A=1'
after 5: environ = {A = "\u0000"}
    6: players.a.environ.A: there is a NUL character in it
after 5: stderr = 'file'
    6: players.a.stderr: expected "log" or "discard" or "inherit", got 'file'
after 5: discard_stderr = true // stderr = 'log'
    7: players.a.stderr: contradicts discard_stderr
after 5: protocol = 'gpt'
    6: players.a.protocol: no protocol 'gpt'; there are:
after 5: protocol = 3
    6: players.a.protocol: expected a string, got 3
after 5: protocol = 'mute'
    4: players.a.gestures: required, but not given
after 5: gestures = ['nod']
    6: players.a.gestures: there is no such setting
after 5: allow_clame = true
    6: players.a.allow_clame: there is no such setting; did you mean allow_claim?
after 5: allow_claim = 1
    6: players.a.allow_claim: expected true or false, got 1
after 5: startup_gtp_commands = ['a', 3]
    6: players.a.startup_gtp_commands.1: expected a string, or a list (a string each), got 3
after 5: gtp_aliases = { a = 3 }
    6: players.a.gtp_aliases.a: expected a string, got 3
after 5: budgets = { move = 0 }
    6: players.a.budgets.move: expected more than 0, got 0
after 5: budgets = { mov = 1 }
    6: players.a.budgets.mov: there is no such setting; did you mean move?
after 5: budgets = { line = '1x' }
    6: players.a.budgets.line: expected a size such as "350MB", or a number of bytes, got '1x'
after 5: budgets = 3
    6: players.a.budgets: expected a table, got 3

# matchups
at 9: players = ['a', 'bb']
    8: matchups.0.player_2: there is no player 'bb'; there are: a, b
at 9: players = ['a', 'zzz']
    8: matchups.0.player_2: there is no player 'zzz'; there are: a, b
at 9: players = ['a']
    9: matchups.0.players: expected a list of two players
at 9: players = ['a', 3]
    8: matchups.0.player_2: expected a string, got 3
at 9: player_1 = 'a'
    8: matchups.0.player_2: required, but not given
after 9: player_1 = 'a'
    9: matchups.0.players: give either players or player_1 and player_2
after 9: id = 'a b'
    10: matchups.0.id: expected a name of
after 9: id = 3
    10: matchups.0.id: expected a string, got 3
after 9: name = 3
    10: matchups.0.name: expected a string, got 3
after 9: alternating = 'yes'
    10: matchups.0.alternating: expected true or false, got 'yes'
after 9: number_of_games = 1.5
    10: matchups.0.number_of_games: expected a whole number, or none, got 1.5
after 9: number_of_games = -1
    10: matchups.0.number_of_games: expected 0 or more, or "none" for endless, got -1
after 1: number_of_games = -1
    2: number_of_games: expected 0 or more, or "none" for endless, got -1
after 1: number_of_games = '3'
    2: number_of_games: expected a whole number, or none, got '3'
after 9: games = 3
    10: matchups.0.games: there is no such setting
after 9: [[matchups]] // players = ['a', 'b'] // id = '0'
    12: matchups.1.id: '0' is already used by matchups.0
at 8: [matchups]
    8: matchups: expected a list, got
"""
"""A line of the good file to be replaced ("at") or added to ("after"); under it, how the complaint begins."""


def cases():
    lines = [line for line in CASES.splitlines() if line and not line.startswith("#")]
    for change, message in zip(lines[::2], lines[1::2], strict=True):
        where, _, line = change.partition(":")
        yield pytest.param(
            where.replace(" ", "_"), line.strip().replace(" // ", "\n"), message.strip(), id=change
        )


@pytest.mark.parametrize(("where", "line", "message"), list(cases()))
def test_a_mistake_is_told_with_its_line_its_key_and_what_was_expected(complaints, where, line, message):
    (complaint,) = complaints(changed(**{where: line}))
    assert complaint.startswith(f"event.toml:{message}" if message[0].isdigit() else f"event.toml: {message}")


def test_all_mistakes_of_a_file_are_told_in_its_order(complaints):
    text = changed(
        at_2="board_size = 'x'",
        at_5="comand = './a'",
        after_7="protocol = 'gpt'",
        at_9="players = ['a', 'c']",
    )
    assert [complaint.split(": ")[:2] for complaint in complaints(text)] == [
        ["event.toml:2", "board_size"],
        ["event.toml:4", "players.a.command"],
        ["event.toml:5", "players.a.comand"],
        ["event.toml:8", "players.b.protocol"],
        ["event.toml:9", "matchups.0.player_2"],
    ]


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ({"after_9": "handicap = 99"}, "event.toml:10: matchups.0.handicap: "),
        ({"after_3": "handicap = 99"}, "event.toml:4: handicap: "),
        ({"after_3": "handicap = 0"}, "event.toml:4: handicap: "),
        ({"at_2": "board_size = 26"}, "event.toml:2: board_size: "),
        ({"after_9": "board_size = 0"}, "event.toml:10: matchups.0.board_size: "),
        ({"after_9": "handicap_style = 'odd'"}, "event.toml:10: matchups.0.handicap_style: "),
    ],
)
def test_what_the_rules_refuse_is_told_where_it_stands(complaints, lines, where):
    (complaint,) = complaints(changed(**lines))
    assert complaint.startswith(where)


def test_a_default_that_all_matchups_share_is_told_once(complaints):
    more = "[[matchups]]\nplayers = ['b', 'a']\n" * 3
    assert len(complaints(changed(after_3="handicap = 99", after_9=more))) == 1
    assert len(complaints(changed(at_3="", after_9=more))) == 1


def test_a_setting_that_only_one_matchup_lacks_is_told_there(complaints):
    text = changed(at_3="", after_9="[[matchups]]\nplayers = ['b', 'a']\nkomi = 1")
    assert complaints(text) == [
        "event.toml:8: matchups.0.komi: required, but not given, here or at the top level, for 'go'"
    ]


def test_rules_that_name_no_setting_are_told_of_the_whole_matchup(complaints):
    text = changed(at_2="game = 'pebbles'", at_3="pebbles = 0")
    assert complaints(text) == ["event.toml:3: pebbles: expected some pebbles, got 0"]


def test_a_format_s_own_complaint_is_told_at_its_key(complaints):
    text = changed(at_1="competition = 'circle'\ncompetitors = ['a', 'x']", at_8="", at_9="")
    assert complaints(text) == ["event.toml:2: competitors.1: there is no player 'x'; there are: a, b"]
    text = changed(at_1="competition = 'circle'\ncompetitors = [9, 'x']", at_8="", at_9="")
    assert complaints(text) == [
        "event.toml:2: competitors.0: expected a string, got 9",
        "event.toml:2: competitors.1: there is no player 'x'; there are: a, b",
    ]
    text = changed(at_1="competition = 'circle'\ncompetitors = ['a']", at_8="", at_9="")
    assert complaints(text) == ["event.toml:2: competitors: expected two or more"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "event.toml: competition: required, but not given; there are:"),
        ("a = [1", "event.toml: this is not TOML: Unclosed array at the end of the file"),
        ("a = 1\nb = = 2\n", "event.toml:2:5: this is not TOML: Invalid value"),
        ("a = 1\na = 2\n", "event.toml:2:6: this is not TOML: Cannot overwrite a value"),
        (f"a = 1\nseed = {'9' * 5000}\n", "event.toml:2: this is not TOML: a whole number has 19 digits"),
        (f"a = [\n1,\n-{'9_' * 5000}9]\n", "event.toml:3: this is not TOML: a whole number has 19 digits"),
        (f"a = 1\nx = {'[' * 3000}\n", f"event.toml:2: {DEEP}"),
        (f"a = 1\nx = {'[' * 200}{']' * 200}\n", f"event.toml:2: {DEEP}"),
        (f"a = 1\n\nx = {'{a = ' * 3000}1{'}' * 3000}\n", f"event.toml:3: {DEEP}"),
        (f"b = 1\n[a{'.b' * 3000}]\n", f"event.toml:2: {DEEP}"),
        (f"b = 1\na{' . b' * 3000} = 1\n", f"event.toml:2: {DEEP}"),
    ],
)
def test_what_is_no_toml_is_told_with_its_place(complaints, text, complaint):
    assert complaints(text)[0].startswith(complaint)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            {"after_5": "protocol = 'gomocup'"},
            "event.toml:6: players.a.protocol: protocol gomocup cannot play go; it plays gomoku",
        ),
        (
            {"after_3": "protocol = 'dighere'"},
            "event.toml:4: protocol: protocol dighere cannot play go; it plays dighere",
        ),
        (
            {"at_2": "game = 'gomoku'", "at_3": "protocol = 'gtp'"},
            "event.toml:3: protocol: protocol gtp cannot play gomoku; it plays go",
        ),
    ],
)
def test_a_protocol_that_cannot_play_the_game_is_refused_where_it_is_named(complaints, change, complaint):
    game = "gomoku" if "game" in change.get("at_2", "") else "go"
    protocols = {
        "go": "brain, cgos, gtp, mute, person, usenix",
        "gomoku": "brain, gomocup, gomocup-files, mute, person",
    }
    assert complaints(changed(**change)) == [f"{complaint}; for {game} there are: {protocols[game]}"]


def test_a_protocol_plays_the_game_that_has_it_for_its_own(write):
    assert load(write(changed(at_2="game = 'pebbles'", at_3="pebbles = 1"))).players["a"].protocol == "gtp"


def test_players_and_matchups_are_required(complaints):
    assert complaints('competition = "playoff"') == [
        "event.toml: players: required, but not given",
        "event.toml: matchups: required, but not given",
    ]
    assert complaints('competition = "playoff"\nplayers = {}\nmatchups = []') == [
        "event.toml:2: players: expected one player or more",
        "event.toml:3: matchups: expected one matchup or more",
    ]
    assert complaints('competition = "playoff"\nplayers = [1]\nmatchups = [1]') == [
        "event.toml:2: players: expected a table, that is [players.NAME] for each, with its "
        "settings below it, got [1]",
        "event.toml:3: matchups.0: expected a table, got 1",
    ]


def test_a_player_with_a_mistake_is_not_unknown_as_well(complaints):
    (complaint,) = complaints(changed(at_5=""))
    assert "required" in complaint


def test_an_unused_player_is_checked_all_the_same(complaints):
    assert len(complaints(changed(after_7="[players.c]"))) == 1


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (int | None, "a whole number, or none"),
        (tuple[int, str], "a list of a whole number, a string"),
        (tuple[str, ...], "a list (a string each)"),
        (Meter, '"wall" or "cpu" or "user"'),
        (bytes, "a bytes"),
    ],
)
def test_types_are_told_in_words(kind, words):
    assert describe(kind) == words


def test_few_words_are_listed_when_there_are_many():
    words = [f"a{number}" for number in range(100)]
    assert suggest("7zzz", words) == "; there are 100, the nearest: a7, a97, a87"
    assert suggest("", words).endswith(", ...")


def test_a_word_of_other_programs_is_known_with_a_letter_missing(complaints):
    (complaint,) = complaints(changed(after_1="paralel = 3"))
    assert complaint.endswith("how many games are played at once is said to the run: gyoji run -j N FILE")


def test_a_test_of_three_players_is_told_so_with_all_else_that_is_missing(complaints):
    text = changed(at_1='competition = "sprt"', at_8="[players.c]", at_9='command = "./c"')
    assert complaints(text) == [
        "event.toml: competitors: required where players are not two, got 3: name the player under test, "
        "then its opponent",
        "event.toml: elo0: required, but not given",
        "event.toml: elo1: required, but not given",
    ]


@pytest.mark.parametrize("text", ["competition: playoff\nboard_size: 9\n", '{"competition": "playoff"}'])
def test_a_file_of_another_kind_is_told_how_control_files_are_called(write, text):
    with pytest.raises(
        ConfigError, match=r"; control files end in \.toml, and gomill's, which are Python, in"
    ):
        load(write(text, "cup.yaml"))
