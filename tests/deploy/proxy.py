"""The proxy of `deploy/nginx.conf` on the loopback, in front of copies at given ports."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

CONFIG = Path(__file__).parents[2] / "deploy" / "nginx.conf"


@dataclass(frozen=True)
class Proxy:
    """The ports of a running proxy, and the certificate by which it is known."""

    http_port: int
    https_port: int
    certificate: Path


def nginx() -> str | None:
    """The program, where it is installed."""
    return shutil.which("nginx", path=None) or shutil.which("nginx", path="/usr/sbin")


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def on_loopback(folder: Path, copies: Sequence[int], http_port: int, https_port: int) -> str:
    """The configuration with its addresses, ports and files replaced, and nothing else.

    ``folder`` gets a certificate for 127.0.0.1. ValueError where the file has no such places.
    """
    text = CONFIG.read_text(encoding="utf-8")
    servers = re.findall(r"server app\d:8501", text)
    if len(servers) != len(copies):
        raise ValueError(f"copies: expected {len(servers)}, got {len(copies)}")
    for server, port in zip(servers, copies, strict=True):
        text = _replaced(text, server, f"server 127.0.0.1:{port}")
    for server in ("", " default_server"):
        text = _replaced(text, f"listen 80{server};", f"listen 127.0.0.1:{http_port}{server};")
        secure = f"listen 127.0.0.1:{https_port} ssl{server};"
        text = _replaced(text, f"listen 443 ssl{server};", secure)
    text = _replaced(text, "pid /var/run/nginx.pid;", f"pid {folder}/nginx.pid;\ndaemon off;")
    text = _replaced(text, "error_log /dev/stderr emerg;", f"error_log {folder}/error.log warn;")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"    {kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    text = _replaced(text, "http {\n", f"http {{\n{places}")
    _write_certificate(folder / "certificates")
    return text


def _replaced(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise ValueError(f"expected once in {CONFIG.name}: {old!r}, got {text.count(old)} times")
    return text.replace(old, new)


@contextmanager
def running_proxy(folder: Path, copies: Sequence[int]) -> Iterator[Proxy]:
    """The proxy while the block runs. FileNotFoundError where nginx is not installed."""
    program = nginx()
    if program is None:
        raise FileNotFoundError("nginx")
    proxy = Proxy(free_port(), free_port(), folder / "certificates" / "fullchain.pem")
    config = folder / "nginx.conf"
    config.write_text(on_loopback(folder, copies, proxy.http_port, proxy.https_port))
    process = subprocess.Popen(
        [program, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
    )
    try:
        _wait_for(proxy.https_port)
        yield proxy
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(port: int, within_s: float = 20) -> None:
    deadline = time.monotonic() + within_s
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def _write_certificate(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "host_names.conf").write_text("server_name localhost;\n", encoding="utf-8")
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
