"""The tools of the browser tests do what they say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Page, expect

from tests.browser.tools import Server, Traffic, axe_violations, slow_down

SCRIPT = """
import streamlit as st
st.title("Taps")
taps = st.session_state.get("taps", 0)
if st.button("Tap", key="tap"):
    taps += 1
st.session_state.taps = taps
st.text(f"{taps} taps")
"""


def test_a_server_survives_its_death(
    serve: Callable[..., Server], phone: Page, tmp_path: Path
) -> None:
    script = tmp_path / "taps.py"
    script.write_text(SCRIPT)
    server = serve(script)
    phone.goto(server.url)
    traffic = Traffic(phone)
    phone.get_by_role("button", name="Tap").tap()
    expect(phone.get_by_text("1 taps")).to_be_visible()
    phone.wait_for_timeout(200)
    assert traffic.sent > 0
    assert traffic.received > 0
    server.kill()
    server.start()
    phone.goto(server.url)
    expect(phone.get_by_text("0 taps")).to_be_visible()


def test_a_slow_phone_is_slow(phone: Page) -> None:
    work = "() => { const t = performance.now(); let x = 0; for (let i = 0; i < 3e7; i++) x += i;"
    work += " return performance.now() - t + 0 * x; }"
    phone.set_content("<p>x</p>")
    phone.evaluate(work)
    fast = phone.evaluate(work)
    slow_down(phone, 6)
    assert phone.evaluate(work) > 2 * fast


def test_axe_sees_into_shadow_roots(phone: Page) -> None:
    phone.set_content(
        "<!doctype html><html lang='en'><title>x</title><main><h1>x</h1>"
        "<div id='host'></div></main>"
        "<script>document.getElementById('host').attachShadow({mode: 'open'}).innerHTML ="
        " '<button></button>'</script></html>"
    )
    assert any(line.startswith("button-name") for line in axe_violations(phone))
