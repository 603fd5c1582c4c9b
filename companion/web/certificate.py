"""A certificate of this computer's own, so that phones in the home network reach it by HTTPS."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

# Phones refuse certificates that are valid for longer.
_VALID_FOR = timedelta(days=397)
_RENEWED_BEFORE = timedelta(days=30)
_MAX_NAMES = 40


@dataclass(frozen=True)
class OwnCertificate:
    """The PEM files, and the SHA-256 fingerprint by which a person can recognise it."""

    certificate: Path
    key: Path
    fingerprint: str


def own_certificate(
    folder: Path, names: Iterable[str], now: datetime | None = None
) -> OwnCertificate:
    """The certificate in the folder, made or renewed where it is missing, old or lacks a name.

    ``names`` are host names and IP addresses. The key stays the same, and only the user may read
    it; names of before stay, so that a computer that moves between networks is trusted in each.
    """
    moment = now or datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    certificate, key = folder / "https.pem", folder / "https-key.pem"
    wanted = list(dict.fromkeys(names))
    old = _read(certificate) if key.is_file() else None
    known = _names_in(old) if old else []
    if (
        old is None
        or old.not_valid_after_utc - _RENEWED_BEFORE < moment
        or not set(wanted) <= {*known}
    ):
        private = _read_key(key) or _new_key(key)
        old = _signed(private, list(dict.fromkeys([*wanted, *known]))[:_MAX_NAMES], moment)
        certificate.write_bytes(old.public_bytes(serialization.Encoding.PEM))
    return OwnCertificate(certificate, key, old.fingerprint(hashes.SHA256()).hex(":").upper())


def names_of_this_computer(host: str) -> list[str]:
    """What phones and this computer may call it: the address in the network, its names, itself."""
    own = socket.gethostname()
    local = [own, f"{own}.local"] if own.isascii() and own else []
    return [host, *local, "localhost", "127.0.0.1"]


def _read(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError):
        return None


def _names_in(certificate: x509.Certificate) -> list[str]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    addresses = [str(each) for each in found.get_values_for_type(x509.IPAddress)]
    return [*found.get_values_for_type(x509.DNSName), *addresses]


def _read_key(path: Path) -> ec.EllipticCurvePrivateKey | None:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError):
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _new_key(path: Path) -> ec.EllipticCurvePrivateKey:
    key = ec.generate_private_key(ec.SECP256R1())
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(text)
    return key


def _signed(
    key: ec.EllipticCurvePrivateKey, names: Iterable[str], now: datetime
) -> x509.Certificate:
    own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Companion")])
    public = key.public_key()
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    return (
        x509.CertificateBuilder()
        .subject_name(own)
        .issuer_name(own)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _VALID_FOR)
        .add_extension(x509.SubjectAlternativeName([_name(each) for each in names]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(usage, False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
        .sign(key, hashes.SHA256())
    )


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)
