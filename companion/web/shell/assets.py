"""The scripts, styles and icons of the pages, served at addresses of their version.

They are served as they are, but for whole lines of comments in scripts.
``assets/VERSION/FOLDER/static/NAME`` is the file ``FOLDER/static/NAME`` below this package, so
that modules import each other by the same relative paths as on disk. The version is a digest of
all files: what stands at such an address never changes, and a page never mixes two versions.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from posixpath import dirname, normpath

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

WEB = Path(__file__).parents[1]
_TYPES = {
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}

_COMMENT = re.compile(rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)


def _served(path: Path) -> bytes:
    content = path.read_bytes()
    return _COMMENT.sub(b"", content) if path.suffix == ".mjs" else content


FILES: dict[str, bytes] = {
    path.relative_to(WEB).as_posix(): _served(path)
    for path in sorted(WEB.glob("*/static/*"))
    if path.suffix in _TYPES
}
"""What is served, by the path of the file below this package."""


def _version() -> str:
    digest = hashlib.sha256()
    for name, content in FILES.items():
        digest.update(f"{name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:12]


VERSION = _version()


def asset_address(path: str) -> str:
    """Where a page finds a file; KeyError where there is none."""
    if path not in FILES:
        raise KeyError(path)
    return f"assets/{VERSION}/{path}"


_IMPORT = re.compile(r'^(?:import|\} from|import [^"]* from) "(\.[^"]+)";$', re.MULTILINE)


def _imports(path: str) -> list[str]:
    """The scripts that one imports itself, but for those that it loads when they are needed."""
    names = _IMPORT.findall(FILES[path].decode())
    return [normpath(f"{dirname(path)}/{name}") for name in names]


def _needs(path: str) -> list[str]:
    """The scripts that have to be there before one runs, in the order in which they are found."""
    found: list[str] = []
    left = _imports(path)
    while left:
        name = left.pop(0)
        if name not in found:
            found.append(name)
            left += _imports(name)
    return found


def _scripts() -> dict[str, list[str]]:
    paths = [path for path in FILES if path.endswith(".mjs")]
    imported = {name for path in paths for name in _imports(path)}
    return {path: _needs(path) for path in paths if path not in imported}


SCRIPTS: dict[str, list[str]] = _scripts()
"""Scripts that no other imports, each with all that it needs; a page names them, so that a browser
need not read one script to learn of the next."""


async def _asset(request: Request) -> Response:
    """A file of this version; 404 for those of any other."""
    path = request.path_params["path"]
    if request.path_params["version"] != VERSION or path not in FILES:
        return PlainTextResponse("", 404)
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(FILES[path], media_type=_TYPES[Path(path).suffix], headers=headers)


ROUTE = Route("/assets/{version}/{path:path}", _asset)
