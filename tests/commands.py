"""Programs that are run to their end, for what they say."""

import os
import subprocess


def run(*words, cwd=None, status=0, timeout=300, stderr=subprocess.STDOUT, **environ):
    """Return what a command says on stdout, and on stderr unless that goes elsewhere; it ends with that
    status.

    environ: variables beside ours.
    """
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert done.returncode == status, f"{done.args}\n{done.stdout}{done.stderr or ''}"
    return done.stdout
