"""Games between brains in this process, refereed by the rules."""


def end_of(gomoku, brains, *infos):
    """Return the last position of a game between two brains. Raises IllegalMove for an illegal move."""
    for brain in brains:
        for line in (f"RECTSTART {gomoku.width},{gomoku.height}", f"INFO rule {gomoku.bits}", *infos):
            brain.answer(line.encode())
    position, command = gomoku.start(), "BEGIN"
    while gomoku.acting(position):
        (seat,) = gomoku.acting(position)
        point = brains[seat].answer(command.encode()).decode().splitlines()[-1]
        x, y = map(int, point.split(","))
        position = gomoku.play(position, ((seat, gomoku.point(x, y)),))
        command = f"TURN {point}"
    return position
