"""Four in a row: two players drop discs into seven columns of six places. An umpire."""

import json


def say(**message):
    print(json.dumps(message), flush=True)


def length(row, column, down, right):  # equal discs from a place on, in one direction
    disc, count = grid[row][column], 0
    while 0 <= row < 6 and 0 <= column < 7 and grid[row][column] == disc:
        row, column, count = row + down, column + right, count + 1
    return count


input()  # "begin": the settings, the seed, who plays
grid = [[""] * 7 for _ in range(6)]
seat, last, mark = 0, "start", []
while True:
    free = [str(column) for column in range(7) if not grid[0][column]]
    say(picture={"grid": grid, "marks": mark})
    if not free:
        say(end={"places": [1, 1], "reason": "the board is full"})
        break
    say(ask=[{"seat": seat, "say": last, "choices": free}])
    last = json.loads(input())["answers"][str(seat)].get("say")
    if last not in free:
        end = {"ending": "illegal move", "seat": seat, "reason": f"{last} is none of {' '.join(free)}"}
        say(end={"places": [2 - seat, 1 + seat], **end})
        break
    column = int(last)
    row = max(row for row in range(6) if not grid[row][column])
    grid[row][column], mark = "BW"[seat], [[row, column]]
    say(move={"seat": seat, "text": f"column {column}"})
    lines = ((0, 1), (1, 0), (1, 1), (1, -1))
    if any(length(row, column, y, x) + length(row, column, -y, -x) > 4 for y, x in lines):
        say(picture={"grid": grid, "marks": mark})
        say(end={"places": [1 + seat, 2 - seat], "reason": "four in a row"})
        break
    seat = 1 - seat
input()  # "stop"
