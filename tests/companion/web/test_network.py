"""The address of the app in the network, and its certificate."""

from __future__ import annotations

import os
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from cryptography import x509

from companion.web.certificate import names_of_this_computer, own_certificate
from companion.web.network import (
    SHOWN_ADDRESS,
    network_address,
    qr_code,
    shown_address,
    terminal_code,
)


def test_the_address_has_the_port() -> None:
    assert urlsplit(network_address(8501)).port == 8501


def test_the_code_is_a_picture_and_a_text() -> None:
    assert ElementTree.fromstring(qr_code("http://192.168.1.2:8501/")).tag.endswith("svg")
    assert len(terminal_code("http://192.168.1.2:8501/").splitlines()) > 10


def test_only_an_address_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SHOWN_ADDRESS, raising=False)
    assert shown_address() is None
    monkeypatch.setenv(SHOWN_ADDRESS, "javascript:alert(1)")
    assert shown_address() is None
    monkeypatch.setenv(SHOWN_ADDRESS, "http://192.168.1.2:8501/")
    assert shown_address() == "http://192.168.1.2:8501/"


NAMES = ["192.0.2.7", "localhost"]


def names_in(path: Path) -> set[str]:
    certificate = x509.load_pem_x509_certificate(path.read_bytes())
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = {str(each) for each in found.get_values_for_type(x509.IPAddress)}
    return addresses | set(found.get_values_for_type(x509.DNSName))


def test_a_server_can_use_it_and_phones_find_its_address_in_it(tmp_path: Path) -> None:
    own = own_certificate(tmp_path / "new", NAMES)
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(own.certificate, own.key)
    assert names_in(own.certificate) == set(NAMES)
    certificate = x509.load_pem_x509_certificate(own.certificate.read_bytes())
    valid = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert timedelta(days=360) < valid <= timedelta(days=398)
    assert len(own.fingerprint.split(":")) == 32


@pytest.mark.skipif(os.name != "posix", reason="permissions as of POSIX")
def test_nobody_else_reads_the_key(tmp_path: Path) -> None:
    own = own_certificate(tmp_path, NAMES)
    assert stat.S_IMODE(own.key.stat().st_mode) == 0o600


def test_it_stays_the_same_until_it_must_not(tmp_path: Path) -> None:
    first = own_certificate(tmp_path, NAMES)
    assert own_certificate(tmp_path, NAMES[:1]) == first
    elsewhere = own_certificate(tmp_path, ["192.0.2.99"])
    assert elsewhere.fingerprint != first.fingerprint
    assert names_in(elsewhere.certificate) == {*NAMES, "192.0.2.99"}
    key = first.key.read_bytes()
    later = own_certificate(tmp_path, NAMES, datetime.now(UTC) + timedelta(days=380))
    assert later.fingerprint != elsewhere.fingerprint
    assert later.key.read_bytes() == key


def test_a_broken_file_is_made_anew(tmp_path: Path) -> None:
    own_certificate(tmp_path, NAMES)
    for name in ("https.pem", "https-key.pem"):
        (tmp_path / name).write_bytes(b"nothing")
    own = own_certificate(tmp_path, NAMES)
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(own.certificate, own.key)


def test_this_computer_is_called_by_its_address_and_by_localhost() -> None:
    names = names_of_this_computer("192.0.2.7")
    assert names[0] == "192.0.2.7"
    assert {"localhost", "127.0.0.1"} < set(names)
