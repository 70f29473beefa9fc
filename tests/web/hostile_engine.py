"""A GTP engine whose every word is markup that would run, or load something, if a page took it for that."""

import sys

EVIL = "<img src=/evil onerror=ran=1><script>ran=1</script>'\"><svg/onload=ran=1>{{7*7}}"

KNOWN = ("lz-genmove_analyze", "gomill-explain_last_move", "gomill-describe_engine", "final_score", "genmove")

ANSWERS = {
    "protocol_version": "2",
    "name": EVIL,
    "version": EVIL,
    "list_commands": "\n".join(KNOWN),
    "gomill-explain_last_move": EVIL,
    "gomill-describe_engine": EVIL,
    "final_score": EVIL,
}


def main() -> None:
    moves = iter(("C3", "pass"))
    for line in sys.stdin:
        command, *words = line.split()
        answer = ANSWERS.get(command, "")
        if command == "known_command":
            answer = "true" if words[0] in KNOWN else "false"
        if command == "lz-genmove_analyze":
            move = next(moves, "pass")
            answer = f"info move {move} visits 9 winrate 5000 prior 9 pv {EVIL}\nplay {move}"
        print(EVIL, file=sys.stderr, flush=True)
        print(f"= {answer}\n", flush=True)
        if command == "quit":
            return


if __name__ == "__main__":
    main()
