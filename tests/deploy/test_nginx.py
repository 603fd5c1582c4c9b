"""The proxy as it is configured, in front of two small servers that say who they are."""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.deploy.proxy import CONFIG, Proxy, nginx, on_loopback, running_proxy

pytestmark = pytest.mark.skipif(nginx() is None, reason="nginx is not installed")


class _Copy(BaseHTTPRequestHandler):
    """Answers with its port and with what the proxy asked; ``asked`` as soon as something comes.

    Of ``/slow`` three bytes come at once, and the others when ``go_on`` is set.
    """

    asked, go_on = threading.Event(), threading.Event()

    def do_GET(self) -> None:
        wanted = ("Host", "Upgrade", "Connection", "X-Forwarded-Proto", "Cookie")
        told = "\n".join(f"{name}: {self.headers.get(name, '')}" for name in wanted)
        body = f"{self.connection.getsockname()[1]}\n{told}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path == "/slow":
            for _ in range(3):
                self.wfile.write(body[:1])
                body = body[1:]
                time.sleep(0.05)  # Each goes its way by itself.
            self.go_on.wait(20)
        self.wfile.write(body)

    def do_PUT(self) -> None:
        self.asked.set()
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def copies() -> Iterator[list[ThreadingHTTPServer]]:
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), _Copy) for _ in range(2)]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield servers
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def proxy(copies: list[ThreadingHTTPServer], tmp_path: Path) -> Iterator[Proxy]:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        tmp_path.parent.chmod(0o755)
        tmp_path.chmod(0o777)  # Workers run as another user.
    with running_proxy(tmp_path, [server.server_address[1] for server in copies]) as running:
        yield running


def ask(
    proxy: Proxy, cookie: str = "", method: str = "GET", body: bytes | None = None, **more: str
) -> tuple[http.client.HTTPResponse, list[str]]:
    """The answer of a copy: its head, and its lines."""
    context = ssl.create_default_context(cafile=str(proxy.certificate))
    connection = http.client.HTTPSConnection(
        "localhost", proxy.https_port, context=context, timeout=20
    )
    headers = {name.replace("_", "-"): value for name, value in more.items()}
    if cookie:
        headers["Cookie"] = f"companion_copy={cookie}"
    connection.request(method, "/page?game=secret", body=body, headers=headers)
    response = connection.getresponse()
    lines = response.read().decode().splitlines()
    connection.close()
    return response, lines


def test_a_visitor_stays_with_one_copy_and_visitors_are_spread(proxy: Proxy) -> None:
    found = set()
    for _ in range(12):
        response, lines = ask(proxy)
        given = SimpleCookie(response.headers["Set-Cookie"])["companion_copy"]
        assert given["secure"]
        assert given["httponly"]
        assert given["samesite"] == "Lax"
        again = [ask(proxy, given.value) for _ in range(3)]
        assert {told[0] for _, told in again} == {lines[0]}
        assert all(answer.headers["Set-Cookie"] is None for answer, _ in again)
        found.add(lines[0])
    assert len(found) == 2


def test_a_made_up_cookie_is_replaced(proxy: Proxy) -> None:
    response, _ = ask(proxy, "x" * 4000)
    assert len(SimpleCookie(response.headers["Set-Cookie"])["companion_copy"].value) == 32


def test_the_copy_is_told_what_the_browser_asked(proxy: Proxy) -> None:
    _, lines = ask(proxy)
    told = dict(line.split(": ", 1) for line in lines[1:])
    # Streamlit compares the Host with the Origin of a websocket, the port included.
    assert told["Host"] == f"localhost:{proxy.https_port}"
    assert told["X-Forwarded-Proto"] == "https"
    assert told["Upgrade"] == ""
    _, lines = ask(proxy, Upgrade="websocket", Connection="Upgrade")
    told = dict(line.split(": ", 1) for line in lines[1:])
    assert (told["Upgrade"], told["Connection"]) == ("websocket", "upgrade")


def test_another_copy_answers_where_one_is_gone(
    proxy: Proxy, copies: list[ThreadingHTTPServer]
) -> None:
    response, lines = ask(proxy)
    cookie = SimpleCookie(response.headers["Set-Cookie"])["companion_copy"].value
    gone, left = sorted(copies, key=lambda copy: str(copy.server_address[1]) != lines[0])
    gone.shutdown()
    gone.server_close()
    _, lines = ask(proxy, cookie)
    assert lines[0] == str(left.server_address[1])


def test_photos_pass_and_what_is_far_too_large_does_not(proxy: Proxy) -> None:
    response, _ = ask(proxy, method="PUT", body=bytes(60_000_000))
    assert response.status == 200
    response, _ = ask(proxy, method="PUT", body=b"x", Content_Length=str(65 * 2**20))
    assert response.status == 413


def test_nothing_is_held_back_on_the_way(proxy: Proxy) -> None:
    """A photo is with the copy while it is sent, games come as they are exported."""
    context = ssl.create_default_context(cafile=str(proxy.certificate))
    connection = http.client.HTTPSConnection(
        "localhost", proxy.https_port, context=context, timeout=20
    )
    _Copy.asked.clear()
    connection.putrequest("PUT", "/photo")
    connection.putheader("Content-Length", "4")
    connection.endheaders(b"ab")
    assert _Copy.asked.wait(10)
    connection.send(b"cd")
    assert connection.getresponse().read()
    _Copy.go_on.clear()
    connection.request("GET", "/slow")
    response = connection.getresponse()
    assert len(response.read(3)) == 3
    _Copy.go_on.set()
    assert response.read()
    connection.close()


def test_a_page_that_nobody_touches_keeps_its_websocket() -> None:
    config = CONFIG.read_text(encoding="utf-8")
    assert re.findall(r"proxy_(?:read|send)_timeout (\w+);", config) == ["1h", "1h"]


def test_plain_http_leads_to_https(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", proxy.http_port, timeout=20)
    connection.request("GET", "/page?game=secret", headers={"Host": "localhost"})
    response = connection.getresponse()
    assert response.status == 301
    assert response.headers["Location"] == "https://localhost/page?game=secret"
    connection.close()


def test_no_answer_under_a_name_that_is_not_its_own(proxy: Proxy) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxy.http_port, timeout=20)
    plain.request("GET", "/", headers={"Host": "evil.example"})
    with pytest.raises(http.client.RemoteDisconnected):
        plain.getresponse()
    with pytest.raises(http.client.RemoteDisconnected):
        ask(proxy, Host="evil.example")
    trusting = ssl.create_default_context(cafile=str(proxy.certificate))
    with (
        socket.create_connection(("127.0.0.1", proxy.https_port)) as connection,
        pytest.raises(ssl.SSLError, match=r"(?i)unrecognized"),
    ):
        trusting.wrap_socket(connection, server_hostname="evil.example")


def test_links_are_not_told_to_others_nor_logged(proxy: Proxy, tmp_path: Path) -> None:
    response, _ = ask(proxy)
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "max-age" in response.headers["Strict-Transport-Security"]
    assert response.headers["Server"] == "nginx"
    logs = re.findall(r"access_log .*", CONFIG.read_text(encoding="utf-8"))
    assert logs == ["access_log off;"]
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert all(b"secret" not in file.read_bytes() for file in written)


def test_the_configuration_is_taken_without_a_word(tmp_path: Path) -> None:
    program = nginx()
    assert program is not None
    config = tmp_path / "nginx.conf"
    config.write_text(on_loopback(tmp_path, [9001, 9002], 9003, 9004))
    command = [program, "-t", "-q", "-c", str(config), "-e", str(tmp_path / "error.log")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
