"""Liar's dice for any number of players, who see their own dice alone. An umpire in Python.

A player raises the bid ("COUNT FACE") or says "liar". Whoever is wrong loses a die; a failure costs them all.
"""

import json
from random import Random


def say(**message):
    print(json.dumps(message), flush=True)


def bid_of(text):  # (count, face), or (0, 0) if it is no bid
    words = text.split()
    bid = tuple(map(int, words)) if len(words) == 2 and all(map(str.isdecimal, words)) else (0, 0)
    return bid if 1 <= bid[1] <= 6 else (0, 0)


begin = json.loads(input())["begin"]
seats, chance = begin["seats"], Random(begin["seed"])
left, places, seat = [begin["settings"].get("dice", 3)] * seats, [0] * seats, 0
while places.count(0) > 1:
    dice = [sorted(chance.randint(1, 6) for _ in range(count)) for count in left]
    for each in [each for each in range(seats) if left[each]]:
        say(tell={"seat": each, "say": f"dice {' '.join(map(str, dice[each]))}"})
        say(picture={"for": [each], "text": f"yours: {dice[each]}; all have {left}"})
    rows = [[each, str(faces)] for each, faces in enumerate(dice)]
    say(picture={"for": [], "table": {"columns": ["seat", "dice"], "rows": rows}})
    bid, bidder, loser = (0, 0), None, None
    while loser is None:
        seat = next(each % seats for each in range(seat, seat + seats) if left[each % seats])
        say(ask=[{"seat": seat, "say": f"bid {bid[0]} {bid[1]}"}])
        answer = json.loads(input())["answers"][str(seat)].get("say", "nothing")
        if answer == "liar" and bidder is not None:
            shown = sum(faces.count(bid[1]) for faces in dice)
            loser, lost = (seat if shown >= bid[0] else bidder), 1
        elif bid_of(answer) > bid:
            bid, bidder = bid_of(answer), seat
            say(tell={"seat": "all", "say": f"{seat} bids {bid[0]} {bid[1]}"})
            seat = (seat + 1) % seats
        else:
            say(fault={"seat": seat, "why": f"said {answer}"})
            loser, lost = seat, left[seat]
    left[loser] -= lost
    say(tell={"seat": "all", "say": f"{loser} loses {lost}"})
    if not left[loser]:
        places[loser] = places.count(0)
places[places.index(0)] = 1
say(end={"places": places, "reason": f"seat {places.index(1)} has dice left"})
input()
