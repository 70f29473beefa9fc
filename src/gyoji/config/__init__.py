"""Control files: from text on disk to one frozen `CompetitionSetup`, or to one error with every mistake.

Two forms, one meaning: TOML (`toml_file`), and the Python control files of gomill (`ctl_file`). Either
becomes a `Document` of plain values and line numbers; `competition` makes the setup of it, with the types of
the game's, the protocol's and the format's own settings. pydantic checks plain values, and is imported only
then.
"""

from gyoji.config.load import load

__all__ = ["load"]
