"""A visitor of the web app without a browser: HTTP, the websocket and Streamlit's own messages.

It does what the page does: fetches the page and its cookies, opens the websocket, runs the script,
sends photos, and what components have to say. It draws nothing, so that fifty fit beside a server.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import ssl
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import STREAMLIT_INTERNAL_KEY_PREFIX
from websockets.asyncio.client import ClientConnection, connect

_TIMEOUT_S = 120.0
_GAME = re.compile(rb"game=([\w-]{22})")


class Refused(Exception):
    """The app did not do what a visitor asked; the text says at which step."""


@dataclass
class Visitor:
    """One visitor of the app at ``url``; every method returns when the page is up to date.

    ``trusted`` is the certificate of a proxy with one of its own. ``games`` are the ids of
    all games that were named to this one.
    """

    url: str
    trusted: Path | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    query: str = ""
    games: set[str] = field(default_factory=set)
    received_bytes: int = 0
    _components: dict[str, tuple[str, str]] = field(default_factory=dict)
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _cached: dict[str, ForwardMsg] = field(default_factory=dict)
    _session: str = ""
    _fragment: str = ""
    _asking: dict[str, float] = field(default_factory=dict)
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

    def component(self, pattern: str) -> str:
        """The id of the component on the page whose key a pattern finds; Refused without one."""
        for identity in self._components:
            if re.search(pattern, identity.split("-", 2)[-1]):
                return identity
        raise Refused(f"no {pattern} on the page")

    def data(self, component: str) -> dict[str, Any]:
        """What the server last sent to a component."""
        return dict(json.loads(self._components[component][0] or "{}"))

    async def trigger(self, component: str, event: str, value: object) -> None:
        """Let a component send an event; only its fragment runs again where it is in one."""
        state = WidgetState(id=f"{STREAMLIT_INTERNAL_KEY_PREFIX}_{component}__events")
        state.json_trigger_value = json.dumps([{"event": event, "value": value}])
        await self._run(state, self._components[component][1])

    async def act(self, component: str, do: str, value: str) -> None:
        """Do something on a page, as a press of an element with ``data-do`` does."""
        done = [{"seq": 1, "do": do, "value": value}]
        message = {"client": secrets.token_hex(6), "seq": 1, "done": done}
        await self.trigger(component, "sent", message)

    async def send(self, component: str, message: dict[str, object]) -> None:
        """Let a component send a message, as the browser does again and again until it is answered.

        The end of a run is no answer: it may be that of one that had begun before.
        """
        widget = WidgetState(id=component, json_value=json.dumps({"sent": message}))
        self._states[component] = widget
        until = time.monotonic() + _TIMEOUT_S
        while True:
            await self._run(None, self._components[component][1])
            answer = self.data(component).get("answers", {})
            if (answer.get("client"), answer.get("seq")) == (message["client"], message["seq"]):
                return
            if time.monotonic() > until:
                raise Refused("a message was not answered")

    async def wait(self, seconds: float) -> int:
        """Look at the page for so long, which asks for changes of others meanwhile; how often."""
        until, asked = time.monotonic() + seconds, 0
        while (left := until - time.monotonic()) > 0:
            interval = min(self._asking.values(), default=seconds)
            await asyncio.sleep(min(left, interval))
            if left > interval:
                for fragment in list(self._asking):
                    await self._run(None, fragment, again=True)
                    asked += 1
        return asked

    async def upload(self, data: bytes) -> str:
        """Send a photo; its id in the memory of the copy."""
        status, answer = await self._fetch("POST", "/photo", data)
        if status != 200:
            raise Refused(f"upload answered {status}")
        return str(json.loads(answer)["id"])

    async def leave(self) -> None:
        """Close the page."""
        if self._socket is not None:
            await self._socket.close()

    def parameter(self, name: str) -> str:
        """A parameter of the address as the app has set it; empty where there is none."""
        return "".join(parse_qs(self.query).get(name, [""])[:1])

    async def _run(
        self, pressed: WidgetState | None = None, fragment: str = "", *, again: bool = False
    ) -> None:
        asked = BackMsg()
        run = asked.rerun_script
        run.query_string = self.query
        run.fragment_id = self._fragment = fragment
        run.is_auto_rerun = again
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
        self.games |= {found.decode() for found in _GAME.findall(data)}
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            message = self._cached[message.ref_hash]
        elif message.hash and message.metadata.cacheable:
            self._cached[message.hash] = message
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
            if not self._fragment:
                self._components.clear()
                self._asking.clear()
            # A run that the app begins of its own accord is of the whole page.
            self._fragment = ""
        elif kind == "auto_rerun":
            self._asking[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif message.WhichOneof("type") == "delta":
            self._take_element(message.delta)

    def _take_element(self, delta: Delta) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise Refused(f"the page shows an error: {element.exception.type}")
        if kind == "bidi_component":
            found = element.bidi_component
            self._components[found.id] = (found.json, delta.fragment_id)

    def _context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.trusted) if self.trusted else None)

    def _cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    async def _fetch(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        return await asyncio.to_thread(self._fetch_now, method, path, body)

    def _fetch_now(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        parts = urlsplit(self.url)
        host, port = parts.hostname or "", parts.port
        connection = (
            HTTPSConnection(host, port, timeout=_TIMEOUT_S, context=self._context())
            if parts.scheme == "https"
            else HTTPConnection(host, port, timeout=_TIMEOUT_S)
        )
        headers = {"Cookie": self._cookie_header(), "Origin": self.url}
        try:
            connection.request(method, path, body or None, headers)
            response = connection.getresponse()
            answer = response.read()
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        return response.status, answer
