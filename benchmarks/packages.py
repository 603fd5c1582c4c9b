"""Draw the packages of the project and what they import: ``python -m benchmarks.packages
[OUT.svg]``.
"""

from __future__ import annotations

import argparse
import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "packages.svg"
LAYERS = ("companion", "vision", "scorer")

WIDTH, MARGIN, GAP = 1180, 24, 18
PACKAGE_WIDTH, LAYER_GAP, TITLE = 128, 64, 26
MIN_HEIGHT, LINES_PER_PX, MAX_HEIGHT = 44, 45, 150
COLOURS = {"companion": "#f3e3c3", "vision": "#d9e6d2", "scorer": "#d5dfea"}


@dataclass(frozen=True)
class Package:
    """A package such as ``vision.kingdomino``: its layer, its name on it, its lines of code."""

    layer: str
    name: str
    lines: int

    @property
    def path(self) -> str:
        return f"{self.layer}.{self.name}"


@dataclass(frozen=True)
class PackageGraph:
    """The packages, layer by layer, and the arrows between them as pairs of paths."""

    packages: tuple[Package, ...]
    arrows: frozenset[tuple[str, str]]


def _package_of(module: str) -> str | None:
    """The package of a dotted module name; None for a module outside the graph."""
    layer, *rest = module.split(".")
    return f"{layer}.{rest[0]}" if layer in LAYERS and rest else None


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def packages_of(root: Path = ROOT) -> PackageGraph:
    """The graph found in the code under ``root``."""
    lines: dict[str, int] = defaultdict(int)
    arrows = set()
    for layer in LAYERS:
        for path in sorted((root / layer).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if len(parts) < 3:
                continue
            package = ".".join(parts[:2])
            text = path.read_text(encoding="utf-8")
            lines[package] += text.count("\n")
            others = {_package_of(name) for name in _imports(ast.parse(text))}
            arrows |= {(package, other) for other in others if other and other != package}
    packages = tuple(
        Package(layer, name, count)
        for path, count in lines.items()
        for layer, name in [path.split(".")]
    )
    return PackageGraph(packages, frozenset(arrow for arrow in arrows if arrow[1] in lines))


def _places(graph: PackageGraph) -> dict[str, tuple[float, float, float, float]]:
    """Left, top, width and height of each package in the picture."""
    places = {}
    top = float(MARGIN + TITLE)
    for layer in LAYERS:
        packages = [package for package in graph.packages if package.layer == layer]
        heights = {
            package: min(max(MIN_HEIGHT, package.lines / LINES_PER_PX), MAX_HEIGHT)
            for package in packages
        }
        width = min(PACKAGE_WIDTH, (WIDTH - 2 * MARGIN) / max(len(packages), 1) - GAP)
        taken = len(packages) * (width + GAP) - GAP
        left = (WIDTH - taken) / 2
        tallest = max(heights.values(), default=0)
        for package in packages:
            places[package.path] = (left, top + tallest - heights[package], width, heights[package])
            left += width + GAP
        top += tallest + LAYER_GAP + TITLE
    return places


def draw(graph: PackageGraph) -> str:
    """The picture as SVG."""
    places = _places(graph)
    bottom = max(top + height for _, top, _, height in places.values())
    shapes = []
    for layer in LAYERS:
        mine = [places[package.path] for package in graph.packages if package.layer == layer]
        top = min(place[1] for place in mine) - TITLE
        low = max(place[1] + place[3] for place in mine) + 12
        shapes.append(
            f'<rect x="8" y="{top - 8:.0f}" width="{WIDTH - 16}" height="{low - top + 8:.0f}" '
            f'rx="10" fill="{COLOURS[layer]}" stroke="#8a7a5c"/>'
            f'<text x="20" y="{top + 12:.0f}" class="layer">{layer}</text>'
        )
    for source, target in sorted(graph.arrows):
        left, top, width, height = places[source]
        x, y, w, _ = places[target]
        x1, x2 = left + width / 2, x + w / 2
        if source.split(".")[0] == target.split(".")[0]:
            y1, y2, bend = top, y, min(top, y) - 14
            path = f"M{x1:.0f},{y1:.0f} C{x1:.0f},{bend:.0f} {x2:.0f},{bend:.0f} {x2:.0f},{y2:.0f}"
        else:
            y1, y2 = top + height, y
            half = (y1 + y2) / 2
            path = f"M{x1:.0f},{y1:.0f} C{x1:.0f},{half:.0f} {x2:.0f},{half:.0f} {x2:.0f},{y2:.0f}"
        shapes.append(f'<path d="{path}" class="arrow"/>')
    for package in graph.packages:
        left, top, width, height = places[package.path]
        shapes.append(
            f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}" rx="6" '
            f'class="package"/><text x="{left + width / 2:.0f}" y="{top + height / 2:.0f}" '
            f'class="name">{escape(package.name)}</text><text x="{left + width / 2:.0f}" '
            f'y="{top + height / 2 + 15:.0f}" class="lines">{package.lines} lines</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + MARGIN:.0f}" '
        'role="img" aria-label="Packages of the project and what they import">'
        "<style>text{font-family:system-ui,sans-serif;fill:#2d2a24}"
        ".layer{font-size:14px;font-weight:600}.name{font-size:12.5px;text-anchor:middle}"
        ".lines{font-size:10px;text-anchor:middle;fill:#6b6456}"
        ".package{fill:#fffdf8;stroke:#8a7a5c}"
        ".arrow{fill:none;stroke:#7a6a4a;stroke-width:1;stroke-opacity:.55;marker-end:url(#tip)}"
        '</style><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0L8,4L0,8z" fill="#7a6a4a"/>'
        "</marker></defs>" + "".join(shapes) + "</svg>\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.packages", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=OUT)
    chosen = parser.parse_args(argv)
    chosen.out.write_text(draw(packages_of()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
