"""A judge of Botzone as an umpire: `python botzone_judge.py JUDGE [WORD]...`.

Its players have speak = "botzone". Botzone starts a judge for each turn, with all outputs and responses so
far. What it draws by chance before the first turn (`initdata`) is kept, for `gyoji verify`.
"""

import json
import subprocess
import sys

VERDICTS = {"time": "TLE", "gone": "TLE", "malformed": "NJ"}  # and RE for a crash


def say(**message):
    print(json.dumps(message), flush=True)


def judge(log, initdata):
    """Start the judge, and return what it says of the game so far."""
    told = json.dumps({"log": log, "initdata": initdata})
    return json.loads(subprocess.check_output(sys.argv[1:], input=told, text=True))


def entry(answer):
    """Return a player's answer as a judge reads it in the log."""
    if "say" in answer:
        return {"response": answer["say"], "verdict": "OK"}
    return {"verdict": VERDICTS.get(answer["failed"], "RE")}


begin, log = json.loads(input())["begin"], []
if "kept" in begin:
    drawn = begin["kept"][0]
else:
    drawn = judge(log, begin["settings"].get("initdata", "")).get("initdata", "")
say(keep=drawn)
while True:
    output = judge(log, drawn)
    say(picture={"for": [], "text": json.dumps(output.get("display", ""), sort_keys=True)})
    content = output["content"]
    if output["command"] == "finish":
        say(end={"points": [content[str(seat)] for seat in range(begin["seats"])]})
        break
    say(ask=[{"seat": int(seat), "say": request} for seat, request in sorted(content.items())])
    answers = json.loads(input())["answers"]
    log += [{"output": output}, {seat: entry(answer) for seat, answer in answers.items()}]
input()
