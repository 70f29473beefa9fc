"""An engine all of whose texts are meant to act on a terminal, a page or a spreadsheet.

loud.py gtp|gomocup|dighere
"""

import sys

NASTY = (
    "\x1b]0;title\x07\x1b[2J\x9b31m",  # a terminal's title, its screen, its colour by C1
    "\u202ereversed\u2066 \u200f\ufeff",  # marks of direction
    "\u2028\u2029\x85\x0b\x0c",  # ends of lines
    "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;",
    "]) ;B[aa](;W[bb] \\",  # SGF
    "| a | b |\t[link](javascript:alert(1)) ![](x) `code` https://example.org",  # markdown
    '","=1+1"\r',  # CSV
    "\ud83d %s %n {0} \x00",
)
FORMULAS = ("=cmd|' /C calc'!A0", "+1+cmd", "-2+3+cmd|x", "@SUM(1+1)", "\t=1+1", "\r=1+1")


def texts():
    return [first + rest for first in FORMULAS for rest in NASTY]


ONE_LINE = "=1+1 " + " ".join(NASTY).replace("\r", "").replace("\x00", "")


def put(text):
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def complain():
    for text in texts():
        sys.stderr.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stderr.flush()


def gtp():
    answers = {
        "protocol_version": "2",
        "name": ONE_LINE,
        "version": ONE_LINE,
        "genmove": "C3",
        "gomill-explain_last_move": ONE_LINE,
        "gomill-describe_engine": "=1+1\n" + ONE_LINE,
        "final_score": ONE_LINE,
    }
    moves = 0
    for line in sys.stdin:
        command, *_ = line.split() or [""]
        complain()
        if command == "genmove":
            moves += 1
            answers["genmove"] = f"{'ABCDE'[moves % 5]}{moves // 5 + 1}"
            if moves == 3:
                put(f"? {ONE_LINE}\n\n")
                continue
        if command == "known_command":
            put(f"= {str(line.split()[-1] in answers).lower()}\n\n")
            continue
        put(f"= {answers.get(command, '')}\n\n")
        if command == "quit":
            return


def gomocup():
    moves = 0
    for line in sys.stdin:
        word, *_ = line.split() or [""]
        complain()
        if word == "START":
            put("OK\n")
        elif word == "ABOUT":
            put(f'name="{ONE_LINE}", version="{ONE_LINE}", author="{ONE_LINE}", www="{ONE_LINE}"\n')
        elif word in ("BEGIN", "TURN"):
            put(f"MESSAGE {ONE_LINE}\nDEBUG {ONE_LINE}\n")
            put(f"{moves},{moves % 3}\n" if moves < 3 else f"ERROR {ONE_LINE}\n")
            moves += 1
        elif word == "END":
            return
        elif word not in ("INFO", "BOARD", "SWAP2BOARD") and "," not in word:
            put(f"UNKNOWN {ONE_LINE}\n")  # DONE among them, so that nothing is waited for


def dighere():
    for number, _ in enumerate(sys.stdin, 1):
        if number % 13 == 0:
            complain()
            put("-1\n" if number < 39 else f"{ONE_LINE}\n")


if __name__ == "__main__":
    {"gtp": gtp, "gomocup": gomocup, "dighere": dighere}[sys.argv[1]]()
