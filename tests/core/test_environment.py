"""The environment variables of engines, by the rules in docs/reference/control-files.md."""

import re
from pathlib import Path

import pytest

from gyoji.core import environment
from gyoji.core.environment import engine_environment, is_secret, public_part
from gyoji.core.spec import Player

SECRETS = """
GITHUB_TOKEN GH_TOKEN HF_TOKEN CI_JOB_TOKEN npm_config_token TOKEN GITHUBTOKEN
CLIENT_SECRET SECRET_SAUCE DJANGO_SECRET_KEY PASSWORD PGPASSWORD DB_PASSWD BORG_PASSPHRASE
GOOGLE_APPLICATION_CREDENTIALS OPENAI_API_KEY openai_api_key APIKEY DEPLOY_KEY SIGNING_KEYS API_KEY2
SMTP_PASS MYSQL_PWD BASIC_AUTH NPM_CONFIG__AUTH SESSION_COOKIE GITLAB_JWT SENTRY_DSN
AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE AZURE_CLIENT_ID VAULT_ADDR OP_SESSION_me
SSH_AUTH_SOCK SSH_AGENT_PID SSHPASS GPG_AGENT_INFO GNOME_KEYRING_CONTROL KRB5CCNAME KUBECONFIG NETRC
PGPASSFILE DOCKER_AUTH_CONFIG
"""
NEEDED = """
PATH HOME USER LOGNAME SHELL LANG LC_ALL LANGUAGE TERM COLORTERM TZ TMPDIR PWD OLDPWD HOSTNAME EDITOR
LD_LIBRARY_PATH LD_PRELOAD LIBRARY_PATH CUDA_VISIBLE_DEVICES CUDA_HOME NVIDIA_VISIBLE_DEVICES
ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES OCL_ICD_VENDORS OMP_NUM_THREADS OPENBLAS_NUM_THREADS
MKL_NUM_THREADS WINEPREFIX WINEDEBUG WINEARCH DISPLAY XAUTHORITY WAYLAND_DISPLAY XDG_RUNTIME_DIR
XDG_SESSION_ID XKB_DEFAULT_LAYOUT DBUS_SESSION_BUS_ADDRESS PYTHONPATH VIRTUAL_ENV JAVA_HOME CLASSPATH
NODE_PATH PERL5LIB LUA_PATH TF_ENABLE_ONEDNN_OPTS TOKENIZERS_PARALLELISM KEYBOARD GIT_AUTHOR_NAME
PASS_ALIVE MONKEY COMPASS KEY SSH_CONNECTION SSH_ASKPASS GYOJI_RUN GYOJI_GAME_ID GYOJI_SLOT
GOMILL_GAME_ID http_proxy
"""
VALUES = {
    "postgres://me:word@host/db": True,
    "http://me:word@proxy:3128": True,
    "http://proxy:3128": False,
    "http://me@host/": False,
    "git@github.com:me/x": False,
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl": True,
    "-----BEGIN PUBLIC KEY-----": False,
    "ghp_0123456789abcdefABCDEF": True,
    "sk-proj-0123456789abcdef": True,
    "sk-": False,
    "AKIA0123456789ABCDEF": True,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.xyz": True,
    "/usr/bin:/bin": False,
    "": False,
}


@pytest.mark.parametrize("name", SECRETS.split())
def test_what_is_called_like_a_secret_is_one(name):
    assert is_secret(name, "x")


@pytest.mark.parametrize("name", NEEDED.split())
def test_what_engines_need_is_no_secret(name):
    assert not is_secret(name, "x")


@pytest.mark.parametrize(("value", "is_one"), VALUES.items())
def test_a_value_can_be_a_secret_by_its_looks(value, is_one):
    assert is_secret("ANY", value) is is_one


OURS = {"PATH": "/bin", "HOME": "/me", "API_KEY": "1", "SSH_AUTH_SOCK": "/s", "GYOJI_RUN": "t.1"}


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({}, {"PATH": "/bin", "HOME": "/me"}),
        ({"inherits": ("API_KEY", "NOT_SET")}, {"PATH": "/bin", "HOME": "/me", "API_KEY": "1"}),
        (
            {"environ": {"API_KEY": "me", "B": ""}},
            {"PATH": "/bin", "HOME": "/me", "API_KEY": "me", "B": ""},
        ),
        ({"lacks": ("HOME", "NOT_SET", "API_KEY")}, {"PATH": "/bin"}),
        ({"environ": {"GYOJI_RUN": "forged"}}, {"PATH": "/bin", "HOME": "/me"}),
        ({"lacks": ("GYOJI_RUN",)}, {"PATH": "/bin", "HOME": "/me"}),
    ],
)
def test_a_player_adds_to_its_environment_and_takes_away_but_not_the_mark_of_its_run(settings, found):
    player = Player(code="p", command=("/p",), **settings)
    got = engine_environment(OURS, public_part(OURS), player, {"GYOJI_GAME_ID": "0_0"})
    assert got == {**found, "GYOJI_RUN": "t.1", "GYOJI_GAME_ID": "0_0"}


def test_the_manual_tells_the_rules():
    manual = (Path(__file__).parents[2] / "docs" / "reference" / "control-files.md").read_text()
    section = manual.partition("### What engines find in their environment")[2].partition("\n### ")[0]
    told = set(re.findall(r"[A-Za-z0-9_-]+", section))
    rules = (environment.ANYWHERE, environment.LAST_WORDS, environment.BEGINNINGS, environment.NAMES)
    assert not {word for rule in (*rules, environment.TOKENS) for word in rule} - told
