"""A judge of Botzone as an umpire: `python botzone_judge.py JUDGE [WORD]...`.

Its players have speak = "botzone". Botzone starts a judge for each turn, with all outputs and responses
so far. What it drew by chance in the first turn (`initdata`) is kept, for `gyoji verify`.
"""

import json
import subprocess
import sys

VERDICTS = {"time": "TLE", "gone": "TLE", "malformed": "NJ"}  # and RE for a crash


def say(**message):
    print(json.dumps(message), flush=True)


def entry(answer):
    """Return a player's answer as a judge reads it in the log."""
    if "say" in answer:
        return {"response": answer["say"], "verdict": "OK"}
    return {"verdict": VERDICTS.get(answer["failed"], "RE")}


begin = json.loads(input())["begin"]
initdata, log = begin.get("kept", [begin["settings"].get("initdata", "")])[0], []
while True:
    told = json.dumps({"log": log, "initdata": initdata})
    output = json.loads(
        subprocess.run(sys.argv[1:], input=told, stdout=subprocess.PIPE, text=True, check=True).stdout
    )
    if not log and "initdata" in output:
        initdata = output["initdata"]
        say(keep=initdata)
    say(picture={"for": [], "text": json.dumps(output.get("display", ""), sort_keys=True)})
    content = output["content"]
    if output["command"] == "finish":
        say(
            end={
                "points": [content[str(seat)] for seat in range(begin["seats"])],
                "reason": "as the judge says",
            }
        )
        break
    say(ask=[{"seat": int(seat), "say": request} for seat, request in sorted(content.items())])
    answers = json.loads(input())["answers"]
    log += [{"output": output}, {seat: entry(answer) for seat, answer in answers.items()}]
input()
