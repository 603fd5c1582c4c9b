from __future__ import annotations

from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

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
