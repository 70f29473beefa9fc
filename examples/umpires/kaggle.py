"""An environment of kaggle-environments as an umpire: `python kaggle.py connectx`.

Its players have speak = "json". A player is sent {"observation": ..., "configuration": ...} and answers with
its action.
"""

import json
import random
import sys

from kaggle_environments import make
from kaggle_environments.errors import DeadlineExceeded


def say(**message):
    print(json.dumps(message), flush=True)


begin = json.loads(input())["begin"]
seats = begin["seats"]
random.seed(begin["seed"])  # some environments draw from here, whatever their randomSeed is
env = make(sys.argv[1], configuration={**begin["settings"], "randomSeed": begin["seed"] % 2**31})
env.reset(seats)
while not env.done:
    shared = env.state[0].observation
    say(picture={"text": env.render(mode="ansi")})
    active = [seat for seat in range(seats) if env.state[seat].status == "ACTIVE"]
    own = [{**shared, **env.state[seat].observation} for seat in range(seats)]  # the first has what all see
    asked = [
        {"seat": each, "say": {"observation": own[each], "configuration": env.configuration}}
        for each in active
    ]
    say(ask=asked)
    answers = json.loads(input())["answers"]
    actions = [None] * seats
    for seat in active:
        answer = answers[str(seat)]
        actions[seat] = (
            answer["say"]
            if "say" in answer
            else DeadlineExceeded()
            if answer["failed"] == "time"
            else ValueError()
        )
    env.step(actions)
say(picture={"text": env.render(mode="ansi")})
rewards = [-1e9 if state.reward is None else state.reward for state in env.state]
say(end={"points": rewards, "reason": ", ".join(state.status.lower() for state in env.state)})
input()
