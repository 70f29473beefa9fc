"""What fishtest's worker makes of a match: `python3 THIS WORKER COMMAND GAMES`.

WORKER is the folder `worker` of a checkout of fishtest (tried with b8eecff2 of August 2026), COMMAND a match
as a JSON list of words. `parse_fastchess_output` reads the output; what it would send to the server is
counted. Prints JSON: its statistics, the checksum that it read, and the error with which it ended, if any.
"""

import json
import subprocess
import sys
import types

for missing in ("requests", "openlock"):
    sys.modules.setdefault(missing, types.ModuleType(missing))
sys.path.insert(0, sys.argv[1])
import games  # noqa: E402

sys.stdout, real = sys.stderr, sys.stdout
updates, log = [], []
games.send_api_post_request = lambda url, payload, quiet=False: updates.append(url) or {"task_alive": True}
games.post_to_worker_log = lambda *words, **_: log.append(words[3])
number = int(sys.argv[3])
stats = {"crashes": 0, "time_losses": 0, "wins": 0, "losses": 0, "draws": 0, "pentanomial": [0] * 5}
state, pgn, error = {"task_id": 1, "last_updated": None}, {"CRC": None}, ""
match = subprocess.Popen(json.loads(sys.argv[2]), stdout=-1, stderr=-1, universal_newlines=True, bufsize=1)
names = "New-aaaa1111", "Base-bbbb2222"
try:
    games.parse_fastchess_output(
        match, *names, state, {}, "", "http://x", {"stats": stats}, None, number, 2, 300, pgn, "run", 1
    )
except Exception as raised:  # noqa: BLE001 - it says what the worker would report
    error = f"{type(raised).__name__}: {raised}"
    match.kill()
match.wait()
found = {"stats": stats, "crc": pgn["CRC"], "updates": len(updates), "log": log, "error": error}
json.dump({**found, "status": match.returncode}, real)
