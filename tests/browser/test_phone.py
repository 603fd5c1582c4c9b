"""What a phone keeps in its own database, in a real browser and without a server."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Page, Route

from companion.web.shell.assets import FILES

_PAGE = """<!doctype html><title>Phone</title><script type="module">
import {{ drawer }} from "{base}shell/static/phone.mjs";
globalThis.drawer = drawer;
</script>"""


@pytest.fixture
def bare(phone: Page) -> Page:
    """A page that has the module alone, below a path and at the root of its host."""

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        name = path.removeprefix("/club").removeprefix("/")
        if name in FILES:
            route.fulfill(body=FILES[name], content_type="text/javascript")
        else:
            base = "/club/" if path.startswith("/club/") else "/"
            route.fulfill(body=_PAGE.format(base=base), content_type="text/html")

    phone.route("http://phone.test/**", answer)
    _open(phone, "/")
    return phone


def _open(page: Page, path: str) -> None:
    page.goto(f"http://phone.test{path}")
    page.wait_for_function("globalThis.drawer")


def test_what_is_kept_is_there_after_a_reload_in_its_drawer_alone(bare: Page) -> None:
    assert bare.evaluate("drawer('games').put('b', {points: 41})") is True
    assert bare.evaluate("drawer('games').put('a', 7)") is True
    bare.reload()
    bare.wait_for_function("globalThis.drawer")
    assert bare.evaluate("drawer('games').get('b')") == {"points": 41}
    assert bare.evaluate("drawer('games').all()") == [7, {"points": 41}]
    assert bare.evaluate("drawer('changes').all()") == []
    bare.evaluate("drawer('games').remove('a')")
    assert bare.evaluate("drawer('games').all()") == [{"points": 41}]
    bare.evaluate("drawer('games').clear()")
    assert bare.evaluate("drawer('games').all()") == []


def test_two_companions_of_one_host_keep_apart(bare: Page) -> None:
    bare.evaluate("drawer('games').put('a', 'root')")
    _open(bare, "/club/")
    assert bare.evaluate("drawer('games').all()") == []
    _open(bare, "/?game=g1")
    assert bare.evaluate("drawer('games').all()") == ["root"]


@pytest.mark.parametrize(
    "without",
    [
        "delete IDBFactory.prototype.open",
        "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError') }",
        "IDBDatabase.prototype.transaction = () => { throw new DOMException('full') }",
    ],
)
def test_where_nothing_can_be_kept_drawers_are_empty(bare: Page, without: str) -> None:
    bare.add_init_script(without)
    bare.reload()
    bare.wait_for_function("globalThis.drawer")
    assert bare.evaluate("drawer('games').put('a', 1)") is False
    assert bare.evaluate("drawer('games').get('a')") is None
    assert bare.evaluate("drawer('games').all()") == []
