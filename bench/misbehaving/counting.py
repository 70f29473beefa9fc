"""An umpire for players that misbehave.

It counts questions, from 0. Each is sent to the next seat, and the number itself is the only legal answer.
After 24 of them the game is a draw. Whoever answers wrongly, or fails, loses.
"""

import json

QUESTIONS = 24


def say(**message: object) -> None:
    """Say one message."""
    print(json.dumps(message), flush=True)


def main() -> None:
    """Decide one game."""
    begin = json.loads(input())["begin"]
    for number in range(QUESTIONS):
        seat = number % 2
        say(ask=[{"seat": seat, "say": str(number)}])
        answer = json.loads(input())["answers"][str(seat)]
        if answer.get("say") != str(number):
            failed = answer.get("failed", "")
            ending = {"time": "time", "": "illegal move"}.get(failed, "fault")
            reason = f"forfeit by {begin['players'][seat]}: {failed or 'said something else'}"
            say(end={"places": [2 - seat, 1 + seat], "ending": ending, "seat": seat, "reason": reason})
            break
        say(move={"seat": seat, "text": answer["say"]})
    else:
        say(end={"reason": "counted to the end"})
    input()


if __name__ == "__main__":
    main()
