from __future__ import annotations

import pytest

from companion.web.middleware import security_headers
from tests.companion.web.asgi import ask


@pytest.mark.parametrize("path", ["/", "/photo/nothing", "/no/such/page", "/assets/x"])
def test_every_answer_has_the_policy(path: str) -> None:
    policy = ask(path, headers={"host": "table.local:8501"}).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["object-src"] == rules["frame-ancestors"] == "'none'"
    sockets = {"ws://table.local:8501", "wss://table.local:8501"}
    own = {"'self'", "'none'", "data:", "blob:", "'unsafe-inline'"}
    for name, sources in rules.items():
        assert set(sources.split()) - own - sockets == set(), name
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in policy


@pytest.mark.parametrize("host", ["x; script-src *", "a b", "*", "'unsafe-inline'", "a:999999", ""])
def test_a_host_that_is_none_adds_nothing(host: str) -> None:
    policy = security_headers(host)["Content-Security-Policy"]
    assert "connect-src 'self' data: blob:;" in policy
    assert policy == security_headers("")["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path", ["/_stcore/upload_file/a/b", "//_stcore//upload_file/a", "/_stcore/agent/interact"]
)
@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_what_streamlit_offers_and_no_page_uses_is_refused(path: str, method: str) -> None:
    answer = ask(path, method, body=b"x" * 1000)
    assert (answer.status, answer.body) == (404, b"")
