"""Which of our environment variables an engine gets: all but those that are secrets by their name or value.

An engine is somebody else's program. It needs PATH, HOME, LANG, LD_LIBRARY_PATH, CUDA_VISIBLE_DEVICES,
WINEPREFIX, DISPLAY and what else a machine has set up; it does not need what lets it act as the user. No list
of what is needed would be long enough, so there are rules for what is not, which
docs/reference/control-files.md has too. A player's `environ` passes on by name what they hold back.

>>> is_secret("GITHUB_TOKEN", "x"), is_secret("LD_LIBRARY_PATH", "/opt/lib")
(True, False)
"""

import re
from collections.abc import Mapping

from gyoji.core.spec import Player

SCRATCH = re.compile(r"gyoji-(?:work|match|try|host)-[0-9a-f]{16,}")
"""The name of a temporary folder of ours (`gyoji.executors.scratch`)."""

RUN = "GYOJI_RUN"
"""The variable that names the run a process belongs to. Nothing takes it from an engine or changes it."""

ANYWHERE = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "APIKEY")
"""Parts of the names of secrets, wherever they stand. TOKENIZER is none: it is a setting of libraries."""
LAST_WORDS = frozenset(("KEY", "KEYS", "PASS", "PWD", "AUTH", "COOKIE", "JWT", "DSN"))
"""The last word of a secret's name, where it has several."""
BEGINNINGS = ("AWS_", "AZURE_", "VAULT_", "OP_SESSION")
NAMES = frozenset(
    (
        *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "SSHPASS", "GPG_AGENT_INFO", "GNOME_KEYRING_CONTROL"),
        *("KRB5CCNAME", "KUBECONFIG", "NETRC", "PGPASSFILE", "DOCKER_AUTH_CONFIG"),
    )
)
TOKENS = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA")
"""The beginnings of tokens of well-known services."""

_VALUE = re.compile(
    r"\w+://[^\s/@:]*:[^\s/@]+@"  # a URL with a password in it
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    rf"|\A(?:{'|'.join(TOKENS)})[\w-]{{16}}"
    r"|\AeyJ[\w-]+\.eyJ[\w-]+\."  # a JSON web token
)


def is_secret(name: str, value: str) -> bool:
    """Whether a variable lets whoever has it act as the user, as far as its name and value tell."""
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
    """Our environment without its secrets."""
    return {name: value for name, value in ours.items() if name == RUN or not is_secret(name, value)}


def engine_environment(
    ours: Mapping[str, str], public: Mapping[str, str], player: Player, told: Mapping[str, str]
) -> dict[str, str]:
    """All that the engine of a player finds in its environment.

    public: the part of ours that all engines get; told: what only this game has to say.
    """
    given = {name: ours[name] for name in player.inherits if name in ours}
    environ = {**public, **given, **player.environ, **told}
    for name in player.lacks:
        environ.pop(name, None)
    if RUN in ours:
        environ[RUN] = ours[RUN]
    return environ
