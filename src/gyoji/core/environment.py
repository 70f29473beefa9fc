"""The environment variables of engines: all of gyoji's own except secrets, which are recognised by name or
value.

An engine is a program of a third party. It needs PATH, HOME, LANG, LD_LIBRARY_PATH, CUDA_VISIBLE_DEVICES,
WINEPREFIX, DISPLAY and other settings of the machine, but no variable that lets it act as the user. A list of
allowed variables would never be complete, so gyoji withholds the variables that match certain rules
(docs/reference/control-files.md). A player's setting `environ` can pass on a withheld variable by name.

>>> is_secret("GITHUB_TOKEN", "x"), is_secret("LD_LIBRARY_PATH", "/opt/lib")
(True, False)
"""

import re
from collections.abc import Mapping

from gyoji.core.spec import Player

SCRATCH = re.compile(r"gyoji-(?:work|match|try|host)-[0-9a-f]{16,}")
"""Pattern of the names of gyoji's temporary folders (`gyoji.executors.scratch`)."""

RUN = "GYOJI_RUN"
"""The variable that names the run of a process. Engines always get it, and no setting changes it."""

ANYWHERE = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY")
"""Words that mark a secret anywhere in a variable's name. TOKENIZER is excluded: it is a setting of
libraries.
"""
LAST_WORDS = frozenset(("KEY", "KEYS", "PASS", "PWD", "AUTH", "COOKIE", "JWT", "DSN"))
"""Words that mark a secret as the last word of a variable's name."""
BEGINNINGS = ("AWS_", "AZURE_", "VAULT_", "OP_SESSION")
NAMES = frozenset(
    {"SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSHPASS", "GPG_AGENT_INFO", "GNOME_KEYRING_CONTROL"}
    | {"KRB5CCNAME", "KUBECONFIG", "NETRC", "PGPASSFILE", "DOCKER_AUTH_CONFIG"}
)
TOKENS = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA")
"""Prefixes of the access tokens of well-known services."""

_VALUE = re.compile(
    r"\w+://[^\s/@:]*:[^\s/@]+@"  # a URL with a password in it
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    rf"|\A(?:{'|'.join(TOKENS)})[\w-]{{16}}"
    r"|\AeyJ[\w-]+\.eyJ[\w-]+\."  # a JSON web token
)


def is_secret(name: str, value: str) -> bool:
    """Return whether a variable looks like a secret with which a program could act as the user."""
    upper = name.upper()
    words = re.findall(r"[A-Z]+", upper)
    return (
        upper in NAMES
        or upper.startswith(BEGINNINGS)
        or any(part in upper.replace("TOKENIZER", "") for part in ANYWHERE)
        or (len(words) > 1 and words[-1] in LAST_WORDS)
        or _VALUE.search(value) is not None
    )


def public_part(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that do not look like secrets (`is_secret`)."""
    return {name: value for name, value in ours.items() if name == RUN or not is_secret(name, value)}


def engine_environment(
    ours: Mapping[str, str], public: Mapping[str, str], player: Player, told: Mapping[str, str]
) -> dict[str, str]:
    """Return the complete environment of a player's engine.

    Args:
        ours: The environment of gyoji.
        public: The part of `ours` that every engine gets.
        told: Environment variables that are set for this game.
    """
    given = {name: ours[name] for name in player.inherits if name in ours}
    environ = {**public, **given, **player.environ, **told}
    for name in player.lacks:
        environ.pop(name, None)
    if RUN in ours:
        environ[RUN] = ours[RUN]
    return environ
