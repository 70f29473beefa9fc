"""Scores by territory rules beside those of GNU Go and KataGo, of the board at the first two passes.

Games of `territory_games` were counted by our rules: without the stones that both engines called dead, or
after the clean-up phases. GNU Go (level 8, --japanese-rules) and KataGo (50 visits, as shipped) say what the
board at the first two passes is worth. They count in other ways than we do: GNU Go plays an aftermath in its
head and counts points and prisoners, KataGo estimates how the game would go on. A difference is told stone by
stone, by a count of points and prisoners that is made here and shares nothing with `gyoji.games.go`.

The classes of a comparison, each a reason that the points add up to:

equal         the same score.
status        the reference calls other stones dead than those that came off or that the phases left dead.
phases        moves of the first clean-up phase, which cost their side a point each.
dame          points beside a dame or in a seki, which our rules do not count.
estimate      KataGo's final_score is not points and prisoners by its own list of dead stones: it estimates
              the score of a game that is not over by its rules.
aftermath     points that GNU Go gives to a side, or to neither, by the moves that it still expects.
by hand       the remainder of a game in BY_HAND, which says what it is.
unexplained   anything else.
"""

import gzip
import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.references.comparison import KEPT, Program, Row, Tools
from bench.references.territory_games import Kept, control_file, katago_command, kept_games
from gyoji import api
from gyoji.core.boards import bits
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules
from gyoji.games.go.score import Score

PROGRAMS = (
    Program("gnugo", "gnugo", "GNU Go 3.8"),
    Program("pachi", "", "Pachi 12.90"),
    Program("katago", "katago", "KataGo 1.17.2"),
    Program("katago-net", "", "its net g170-b6c96-s175395328-d26788732.bin.gz"),
    Program("katago-config", "", "its gtp_example.cfg"),
)
HERE = KEPT / "territory"
FILE = HERE / "games.jsonl.gz"
UNEXPLAINED = "unexplained"
BY_HAND = {
    (
        "9x9;even;japanese;shipped;gnugo1_5",
        "gnugo",
    ): "GNU Go at level 8 calls White's corner A8 A9 B8 C8 dead,"
    " both players called it alive; of the region that it leaves it gives White a part, and its final_score"
    " is 2 points off its own lists of territory and dead stones"
}
"""Remainders that the classes do not add up to, by game and reference."""


def compare(tools: Tools) -> Iterator[Row]:
    """Yield a row for each game and reference: the points that nothing explains."""
    is_made = tools.keep and all(program.name in tools for program in PROGRAMS)
    games = made(tools) if is_made else kept()
    for game in games:
        for name in game.said:
            found = compared(game, name)
            yield Row(
                case=game.id,
                figure=f"points, {', '.join(found.classes)}",
                reference=name if is_made else f"{name}, kept",
                difference=abs(found.unexplained),
                allowed=0,
            )


@cache
def kept() -> tuple[Kept, ...]:
    """Return the games with what was said of them."""
    lines = gzip.decompress(FILE.read_bytes()).decode().splitlines()
    return tuple(Kept(**json.loads(line)) for line in lines)


# Points and prisoners


@dataclass(frozen=True, slots=True)
class Board:
    """A board of stones. colours: of each point that has one, 0 Black, 1 White.

    prisoners  stones of each colour that were captured.
    """

    size: int
    colours: Mapping[tuple[int, int], int]
    prisoners: tuple[int, int]

    def near(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the points beside one."""
        x, y = point
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [each for each in around if all(0 <= part < self.size for part in each)]

    def part(self, point: tuple[int, int]) -> tuple[set[tuple[int, int]], set[int]]:
        """Return the connected points with the same content as this one, and the colours beside them (-1:
        empty).
        """
        mine, found, beside, todo = self.colours.get(point, -1), {point}, set(), [point]
        while todo:
            for each in self.near(todo.pop()):
                if (content := self.colours.get(each, -1)) != mine:
                    beside.add(content)
                elif each not in found:
                    found.add(each)
                    todo.append(each)
        return found, beside

    def play(self, point: tuple[int, int], colour: int) -> "Board":
        """Return the board after a stone, without those that it captures."""
        colours, prisoners = {**self.colours, point: colour}, list(self.prisoners)
        after = Board(self.size, colours, self.prisoners)
        for each in (*self.near(point), point):  # its own group last: suicide
            if each in colours and (each == point or colours[each] != colour):
                group, beside = after.part(each)
                if -1 not in beside:
                    prisoners[colours[each]] += len(group)
                    for stone in group:
                        del colours[stone]
        return Board(self.size, colours, (prisoners[0], prisoners[1]))

    def without(self, dead: set[tuple[int, int]]) -> "Board":
        """Return the board without the groups of these stones, which are prisoners."""
        colours, prisoners = dict(self.colours), list(self.prisoners)
        for stone in dead & colours.keys():
            prisoners[colours.pop(stone)] += 1
        return Board(self.size, colours, (prisoners[0], prisoners[1]))

    def territory(self) -> dict[tuple[int, int], int]:
        """Return the empty points that one colour alone surrounds."""
        found: dict[tuple[int, int], int] = {}
        seen: set[tuple[int, int]] = set()
        for point in [(x, y) for x in range(self.size) for y in range(self.size)]:
            if point not in self.colours and point not in seen:
                region, beside = self.part(point)
                seen |= region
                if len(beside) == 1:
                    found |= dict.fromkeys(region, *beside)
        return found

    def lead(self, komi: float) -> float:
        """White's points and prisoners less Black's."""
        owned = Counter(self.territory().values())
        return owned[1] + self.prisoners[0] - owned[0] - self.prisoners[1] + komi

    def groups(self, names: str) -> set[tuple[int, int]]:
        """Return the groups of stones that are named."""
        found: set[tuple[int, int]] = set()
        for name in names.split():
            if (point := place(name)) in self.colours:
                found |= self.part(point)[0]
        return found


def place(name: str) -> tuple[int, int]:
    """(column, row) of a vertex."""
    return "ABCDEFGHJKLMNOPQRST".index(name[0]), int(name[1:]) - 1


def vertices(points: set[tuple[int, int]]) -> str:
    """Return the names of points, sorted."""
    return " ".join(f"{'ABCDEFGHJKLMNOPQRST'[x]}{y + 1}" for x, y in sorted(points))


def stopped_board(game: Kept, rules: GoRules) -> Board:
    """Return the board at the first two passes."""
    points = {rules.column_row(point) for point in rules.handicap_points}
    board, colour = Board(game.size, dict.fromkeys(points, 0), (0, 0)), int(bool(points))
    for name in game.moves.split():
        if name != "pass":
            board = board.play(place(name), colour)
        colour = 1 - colour
    return board


# Our count


def recounted(game: Kept, rules: GoRules) -> tuple[Position, Score]:
    """Return the final position of a game and its score, by the rules and what the record says was agreed."""
    position = rules.start()
    for name in (*game.moves.split(), *(each[1:] for each in game.cleanup.split())):
        (seat,) = rules.acting(position)
        position = rules.play(position, ((seat, rules.parse(name)),))
    if game.dead or rules.acting(position):
        position = rules.close(position, rules.dead_groups(position, game.dead.split()))
    return position, rules.score(position)


@dataclass(frozen=True, slots=True)
class Compared:
    """A game's score beside that of a reference.

    difference   White's points by us less those by the reference.
    classes      the reasons, "equal" if there is no difference.
    unexplained  the part of the difference that they do not add up to.
    words        the points, stone by stone.
    """

    difference: float
    classes: tuple[str, ...]
    unexplained: float
    words: str


def compared(game: Kept, name: str) -> Compared:
    """Explain the difference between a game's score and what a reference says of it."""
    rules = game.rules()
    board = stopped_board(game, rules)
    _, score = recounted(game, rules)
    said, listed, *owned = game.said[name]
    beside = score.handicap - score.tax  # GNU Go knows of neither
    ours = float(score.lead) - (beside if name == "gnugo" else 0)
    difference = ours - lead_of(said)
    if not difference:
        return Compared(0, ("equal",), 0, "")
    theirs, dead = board.groups(listed), dead_at_last(board, rules, score)
    plain, expected = board.without(dead), board.without(theirs)
    reasons = []
    if by_status := plain.lead(game.komi) - expected.lead(game.komi):
        reasons.append(("status", by_status, f"dead by one only: {vertices(theirs ^ dead)}"))
    if by_phases := cost_of_first_phase(game, plain):
        reasons.append(("phases", by_phases, f"moves of the first phase: {game.cleanup}"))
    by_dame, points = beside_dame(plain, rules, score)
    if by_dame:
        reasons.append(("dame", by_dame, f"not counted: {vertices(points)}"))
    listed_lead = expected.lead(game.komi) + (beside if name == "katago" else 0)
    if name == "katago" and (by_estimate := listed_lead - lead_of(said)):
        words = f"{listed_lead:+g} by its own list ({listed or 'none dead'}), says {said}"
        reasons.append(("estimate", by_estimate, words))
    if owned and (by_aftermath := listed_lead - lead_by_lists(board, theirs, owned, game.komi)):
        words = f"White's by GNU Go: {owned[0]}, Black's: {owned[1]}"
        reasons.append(("aftermath", by_aftermath, words))
    unexplained = difference - sum(points for _, points, _ in reasons)
    if unexplained and (words := BY_HAND.get((game.id, name))):
        reasons.append(("by hand", unexplained, words))
        unexplained = 0
    told = "; ".join(f"{points:+g} {words}" for _, points, words in reasons)
    classes = tuple(each for each, _, _ in reasons) + ((UNEXPLAINED,) if unexplained else ())
    return Compared(difference, classes, unexplained, told)


def dead_at_last(board: Board, rules: GoRules, score: Score) -> set[tuple[int, int]]:
    """Return the stones of the first two passes that our count gives to the other side."""
    owned = [{rules.column_row(point) for point in bits(points)} for points in (score.black, score.white)]
    return {point for point, colour in board.colours.items() if point in owned[1 - colour]}


def lead_by_lists(board: Board, dead: set[tuple[int, int]], owned: Sequence[str], komi: float) -> float:
    """White's lead by the territory that a reference lists, and by stones that it calls dead."""
    taken = Counter(board.colours[point] for point in dead)
    white, black = (len(names.split()) for names in owned)
    white += 2 * taken[0] + board.prisoners[0]
    return white - (black + 2 * taken[1] + board.prisoners[1]) + komi


def cost_of_first_phase(game: Kept, board: Board) -> int:
    """White's gain by moves of the first phase on points of territory.

    board: without the stones that are dead.
    """
    colour = (len(game.moves.split()) + bool(game.handicap)) % 2
    cost, territory = 0, board.territory()
    for move in game.cleanup.split():
        if move[0] == "1" and move[1:] != "pass" and place(move[1:]) in territory:
            cost += -1 if colour else 1
        colour = 1 - colour
    return cost


def beside_dame(board: Board, rules: GoRules, score: Score) -> tuple[int, set[tuple[int, int]]]:
    """White's gain by points of territory that our rules count for nobody, and these points."""
    owned = {rules.column_row(point) for point in bits(score.black | score.white)}
    missing = {point: colour for point, colour in board.territory().items() if point not in owned}
    return sum(-1 if colour else 1 for colour in missing.values()), set(missing)


def lead_of(said: str) -> float:
    """White's lead by a result.

    >>> lead_of("W+3.5"), lead_of("B+0.5"), lead_of("0")
    (3.5, -0.5, 0.0)
    """
    return float(said[2:]) * (1 if said[0] == "W" else -1) if said[1:2] == "+" else 0.0


# The references


class Engine:
    """A GTP engine that is asked about boards."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
        )

    def ask(self, command: str) -> str:
        """Return the answer. Raises ValueError for a failure."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(command, file=self._process.stdin, flush=True)
        lines = []
        while (line := self._process.stdout.readline().rstrip()) or not lines:
            lines.append(line)
        if not lines[0].startswith("="):
            raise ValueError(f"{command}: {lines[0]}")
        return " ".join([lines[0][1:], *lines[1:]]).strip()

    def says(self, game: Kept, *set_up: str) -> tuple[str, str]:
        """(final_score, dead stones) of a game at its first two passes."""
        for command in (f"boardsize {game.size}", "clear_board", f"komi {game.komi}", *set_up):
            self.ask(command)
        if game.handicap:
            self.ask(f"fixed_handicap {game.handicap}")
        colour = int(bool(game.handicap))
        for move in game.moves.split():
            self.ask(f"play {'bw'[colour]} {move}")
            colour = 1 - colour
        return self.ask("final_score"), self.ask("final_status_list dead")

    def quit(self) -> None:
        """End it."""
        self.ask("quit")
        self._process.wait()


def made(tools: Tools) -> tuple[Kept, ...]:
    """Play the games, ask the references, and keep all that."""
    with TemporaryDirectory() as folder:
        event = Path(folder) / "territory.toml"
        event.write_text(control_file(tools.paths))
        api.open_event(event).run(parallel=2)
        return keep(event, tools)


def keep(event: Path, tools: Tools) -> tuple[Kept, ...]:
    """Ask the references about the games of an event that has been played, and keep what they say."""
    gnugo = (str(tools.paths["gnugo"]), "--mode", "gtp", "--level", "8", "--japanese-rules")
    engines = {
        "gnugo": Engine(gnugo, event.parent),
        "katago": Engine(katago_command(tools.paths, "maxVisits=50"), event.parent),
    }
    games = []
    for game in kept_games(event):
        told = {"gnugo": (), "katago": (f"kata-set-rules {game.rules().kata_rules}",)}
        said = {name: engine.says(game, *told[name]) for name, engine in engines.items()}
        asked = replace(game, said=said)
        if UNEXPLAINED in compared(asked, "gnugo").classes:
            lists = [
                engines["gnugo"].ask(f"final_status_list {side}_territory") for side in ("white", "black")
            ]
            asked = replace(asked, said={**said, "gnugo": (*said["gnugo"], *lists)})
        games.append(asked)
    for engine in engines.values():
        engine.quit()
    HERE.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(asdict(game)) + "\n" for game in games)
    FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
    return tuple(games)
