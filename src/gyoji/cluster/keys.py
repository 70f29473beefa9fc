"""TLS keys of a cluster: certificates for dask's scheduler, its workers and runs, signed by one authority.

Any program that connects to a port of dask can run commands there, so both sides of a connection need a
certificate of this authority. The authority's own key is not kept, so that nobody can make more certificates.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gyoji.core.faults import ConfigError

MISSING = (
    "{} is not installed here: install gyoji with its extra cluster (pip install 'gyoji[cluster]'), here and "
    "on every host"
)
ROLES = ("scheduler", "worker", "run")
AUTHORITY = "authority.pem"
_AUTHORITY_NAME = "gyoji cluster"
_DAYS = 825


@dataclass(frozen=True, slots=True)
class Keys:
    """The paths of the key files of one role.

    Attributes:
        folder: Folder of a cluster's keys.
        role: "scheduler", "worker" or "run".
    """

    folder: Path
    role: str

    @property
    def authority(self) -> Path:
        return self.folder / AUTHORITY

    @property
    def certificate(self) -> Path:
        return self.folder / f"{self.role}.pem"

    @property
    def key(self) -> Path:
        return self.folder / f"{self.role}-key.pem"

    def check(self) -> None:
        """Raise ConfigError if a file is missing, or if other users can read the key."""
        for path in (self.authority, self.certificate, self.key):
            if not path.is_file():
                raise ConfigError(f"{path}: there is no such file: `gyoji keys {self.folder}` makes it")
        if self.key.stat().st_mode & 0o077:
            raise ConfigError(f"{self.key}: others can read it: `chmod 600 {self.key}`")


def keys_beside(path: str | Path) -> list[str]:
    """Return the absolute paths of a key file and of all key files in its folder, which no engine may see."""
    return sorted(str(each.absolute()) for each in {Path(path), *Path(path).parent.glob("*.pem")})


def make_keys(folder: Path, days: int = _DAYS) -> list[Path]:
    """Make all key files of a cluster, and return their paths.

    Args:
        folder: Folder for the files.
        days: Number of days for which they are valid.

    Raises:
        ConfigError: A file exists already or cannot be written, or the package cryptography is missing.
    """
    try:
        from cryptography import x509  # noqa: PLC0415 - for this command alone
        from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    except ImportError:
        raise ConfigError(MISSING.format("cryptography")) from None
    now, pem = datetime.now(UTC), serialization.Encoding.PEM
    authority_key = ec.generate_private_key(ec.SECP256R1())

    def name(text: str) -> Any:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    def certificate(subject: str, key: Any, *, is_authority: bool = False) -> bytes:
        signed = (
            x509.CertificateBuilder()
            .subject_name(name(subject))
            .issuer_name(name(_AUTHORITY_NAME))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .sign(authority_key, hashes.SHA256())
        )
        return bytes(signed.public_bytes(pem))

    authority = certificate(_AUTHORITY_NAME, authority_key.public_key(), is_authority=True)
    made = {folder / AUTHORITY: authority}
    for role in ROLES:
        keys, key = Keys(folder, role), ec.generate_private_key(ec.SECP256R1())
        made[keys.certificate] = certificate(role, key.public_key())
        unencrypted = serialization.NoEncryption()
        made[keys.key] = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, unencrypted)
    _write_all(folder, made)
    return list(made)


def _write_all(folder: Path, made: Mapping[Path, bytes]) -> None:
    """Write new files that only the user of this process can read. Raises ConfigError if one exists
    already.
    """
    for path in made:
        if path.exists():
            raise ConfigError(f"{path}: is there already: keys are not replaced; choose another folder")
    path = folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path, content in made.items():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None
