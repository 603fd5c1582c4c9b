"""A visitor of the web app without a browser: HTTP, the websocket and Streamlit's own messages.

It does what the page does: fetches the page and its cookies, opens the websocket, runs the script,
presses buttons by their keys, uploads a photo. It draws nothing, so that fifty fit beside a server.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import uuid
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

__all__ = ["Refused", "Visitor"]

_TIMEOUT_S = 120.0
_XSRF = "_streamlit_xsrf"


class Refused(Exception):
    """The app did not do what a visitor asked; the text says at which step."""


@dataclass
class Visitor:
    """One visitor of the app at ``url``; every method returns when the page is up to date.

    ``trusted`` is the certificate of a proxy with one of its own. ``foreign`` collects what came
    of other visitors: each marker that ``marks`` finds in a message, but not the own ``name``.
    """

    url: str
    name: str
    marks: re.Pattern[bytes]
    trusted: Path | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    query: str = ""
    seen_own: bool = False
    foreign: set[str] = field(default_factory=set)
    received_bytes: int = 0
    _buttons: dict[str, tuple[str, str]] = field(default_factory=dict)
    _uploader: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _cached: dict[str, ForwardMsg] = field(default_factory=dict)
    _session: str = ""
    _fragment: str = ""
    _socket: ClientConnection | None = None

    async def open(self, query: str) -> None:
        """Fetch the page and run it for the first time, at this query of its address."""
        self.query = query
        for path in (f"/?{query}", "/_stcore/host-config", "/_stcore/health"):
            await self._fetch("GET", path)
        parts = urlsplit(self.url)
        scheme, context = ("wss", self._context()) if parts.scheme == "https" else ("ws", None)
        self._socket = await connect(
            f"{scheme}://{parts.netloc}/_stcore/stream",
            ssl=context,
            origin=self.url,  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers={"Cookie": self._cookie_header()},
            max_size=None,
            ping_interval=None,
            proxy=None,
        )
        await self._run()

    def keys(self, pattern: str) -> list[str]:
        """The keys of the buttons on the page that a pattern finds."""
        return sorted(key for key in self._buttons if re.search(pattern, key))

    async def press(self, key: str) -> None:
        """Press a button; only its fragment runs again where it is in one."""
        if key not in self._buttons:
            raise Refused(f"no button {key}")
        identity, fragment = self._buttons[key]
        await self._run(WidgetState(id=identity, trigger_value=True), fragment)

    async def upload(self, name: str, data: bytes) -> None:
        """Send a file to the page's uploader, as far as the server's memory."""
        if not self._uploader:
            raise Refused("no place for a photo")
        asked = BackMsg()
        asked.file_urls_request.request_id = uuid.uuid4().hex
        asked.file_urls_request.file_names.append(name)
        asked.file_urls_request.session_id = self._session
        await self._send(asked)
        answer = await self._until("file_urls_response")
        urls = answer.file_urls_response.file_urls[0]
        await self._put(urls.upload_url, name, data)
        state = WidgetState(id=self._uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(data), urls.file_id
        info.file_urls.CopyFrom(urls)
        self._states[self._uploader] = state

    async def show_upload(self) -> None:
        """Run the page with what was uploaded."""
        await self._run()

    async def leave(self) -> None:
        """Close the page."""
        if self._socket is not None:
            await self._socket.close()

    def parameter(self, name: str) -> str:
        """A parameter of the address as the app has set it; empty where there is none."""
        return "".join(parse_qs(self.query).get(name, [""])[:1])

    async def _run(self, pressed: WidgetState | None = None, fragment: str = "") -> None:
        asked = BackMsg()
        run = asked.rerun_script
        run.query_string = self.query
        run.fragment_id = self._fragment = fragment
        run.context_info.locale = "en-GB"
        run.context_info.timezone = "UTC"
        run.context_info.url = self.url
        run.widget_states.widgets.extend(self._states.values())
        if pressed is not None:
            run.widget_states.widgets.append(pressed)
        await self._send(asked)
        wanted = ForwardMsg.FINISHED_SUCCESSFULLY
        if fragment:
            wanted = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        while True:
            finished = await self._until("script_finished")
            if finished.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise Refused("the page failed")
            # A press may make the page run as a whole; a run that begins again is no end.
            if finished.script_finished in (wanted, ForwardMsg.FINISHED_SUCCESSFULLY):
                return

    async def _send(self, message: BackMsg) -> None:
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())

    async def _until(self, kind: str) -> ForwardMsg:
        """Take in messages up to the next of a kind."""
        assert self._socket is not None
        while True:
            data = await asyncio.wait_for(self._socket.recv(decode=False), _TIMEOUT_S)
            message = ForwardMsg()
            message.ParseFromString(bytes(data))
            self._take(message, bytes(data))
            if message.WhichOneof("type") == kind:
                return message

    def _take(self, message: ForwardMsg, data: bytes) -> None:
        self.received_bytes += len(data)
        found = {mark.decode() for mark in self.marks.findall(data)}
        self.seen_own |= self.name in found
        self.foreign |= found - {self.name}
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            message = self._cached[message.ref_hash]
        elif message.hash and message.metadata.cacheable:
            self._cached[message.hash] = message
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
            if not self._fragment:
                self._buttons.clear()
                self._uploader = ""
            # A run that the app begins of its own accord is of the whole page.
            self._fragment = ""
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif message.WhichOneof("type") == "delta":
            self._take_element(message.delta)

    def _take_element(self, delta: Delta) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise Refused(f"the page shows an error: {element.exception.type}")
        if kind == "button":
            # The id ends with the key that the app gave the button.
            key = element.button.id.split("-", 2)[-1]
            self._buttons[key] = (element.button.id, delta.fragment_id)
        elif kind == "file_uploader":
            self._uploader = element.file_uploader.id

    def _context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.trusted) if self.trusted else None)

    def _cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def _put(self, path: str, name: str, data: bytes) -> None:
        mark = uuid.uuid4().hex
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: image/jpeg\r\n\r\n"
        )
        body = head.encode() + data + f"\r\n--{mark}--\r\n".encode()
        headers = {
            "Content-Type": f"multipart/form-data; boundary={mark}",
            "X-Xsrftoken": self.cookies.get(_XSRF, ""),
        }
        status = await self._fetch("PUT", path, body, headers)
        if status not in (200, 204):
            raise Refused(f"upload answered {status}")

    async def _fetch(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> int:
        return await asyncio.to_thread(self._fetch_now, method, path, body, headers or {})

    def _fetch_now(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> int:
        parts = urlsplit(self.url)
        host, port = parts.hostname or "", parts.port
        connection = (
            HTTPSConnection(host, port, timeout=_TIMEOUT_S, context=self._context())
            if parts.scheme == "https"
            else HTTPConnection(host, port, timeout=_TIMEOUT_S)
        )
        try:
            connection.request(
                method, path, body or None, {"Cookie": self._cookie_header(), **headers}
            )
            response = connection.getresponse()
            response.read()
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return response.status
