"""The code as a whole: what may import what, and what is installed."""

from __future__ import annotations

import ast
import dataclasses
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import vision
from benchmarks.structure import Module, circles, copies, modules_of, statements, upward
from scorer.kingdomino.ranking import Place
from scorer.pip_dominoes.games import Place as PipPlace

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ALLOWED = {
    "scorer": {"scorer"},
    "vision": {"scorer", "vision"},
    "companion": {"scorer", "vision", "companion"},
}
"""What each part may import of the project: nothing above it."""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(folder: str) -> tuple[tuple[Path, str], ...]:
    """Every module of a part with the top-level names that it imports."""
    found: list[tuple[Path, str]] = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in statements(tree_of(path)):
            if isinstance(node, ast.Import):
                found += ((path, alias.name.split(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                found.append((path, node.module.split(".")[0]))
    return tuple(found)


@pytest.mark.parametrize("part", [*ALLOWED, "training"])
def test_nothing_imports_upward(part: str) -> None:
    own = {"benchmarks", "companion", "models", "scorer", "tests", "training", "vision"}
    found = list(imported(part))
    assert found
    below = ALLOWED.get(part, {"scorer", "vision", "training"})
    assert [(str(path), name) for path, name in found if name in own - below] == []


def public(body: Iterable[ast.stmt], before: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Functions, classes and their methods without an underscore, by their names."""
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.name.startswith("_"):
            yield f"{before}{node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{node.name}.")


@pytest.mark.parametrize("part", ALLOWED)
def test_every_public_name_has_a_docstring(part: str) -> None:
    modules = [path for path in (ROOT / part).rglob("*.py") if "migrations" not in path.parts]
    found = [
        (f"{path.relative_to(ROOT)}: {name}", ast.get_docstring(node))
        for path in modules
        for name, node in public(tree_of(path).body)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    assert len(found) > 100
    assert [name for name, docstring in found if not docstring] == []


def test_places_have_the_same_names_in_all_games() -> None:
    fields = [{each.name for each in dataclasses.fields(place)} for place in (Place, PipPlace)]
    assert fields[0] & fields[1] == {"player", "place", "points"} == fields[1]


def test_the_readers_of_all_games_are_exported() -> None:
    for name in ("read_kingdoms", "read_dominoes", "read_board"):
        assert name in vision.__all__
        assert callable(getattr(vision, name))


def test_the_rules_need_nothing_but_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"scorer"}
    assert {name for _, name in imported("scorer")} <= allowed


def test_training_is_no_part_of_reading() -> None:
    """Torch and ONNX are extras: only training may import them."""
    users = {path for path, name in imported("vision") if name in ("torch", "onnx")}
    assert {path for path in users if "training" not in path.parts} == set()


def test_all_sql_is_in_the_store() -> None:
    parts = ("benchmarks", "companion", "deploy", "training", "vision")
    users = {path for part in parts for path, name in imported(part) if name == "sqlalchemy"}
    store = ROOT / "companion" / "store"
    assert store / "store.py" in users
    assert {path for path in users if store not in path.parents} == set()
    outside = [path for path in (ROOT / "companion").rglob("*.py") if store not in path.parents]
    tables = "companion.store.tables"
    assert [path for path in outside if tables in path.read_text(encoding="utf-8")] == []


def test_nothing_is_read_by_unpickling() -> None:
    names = {name for part in ALLOWED for _, name in imported(part)}
    assert not names & {"pickle", "cloudpickle", "dill", "marshal", "shelve", "skops"}


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][0-9a-z.]*)", line) for line in lines]
    assert all(pins), [line for line, pin in zip(lines, pins, strict=True) if not pin]
    return {normal(pin[1]): pin[2] for pin in pins if pin}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_everything_that_is_installed_has_one_pinned_version() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [
        *PROJECT["project"]["dependencies"],
        *(each for extra in extras.values() for each in extra),
    ]
    names = {normal(re.split(r"[\[<>=]", each)[0]) for each in wanted}
    assert {"streamlit", "torch", "dask", "pytest", "opencv-python"} <= names
    assert names <= pinned().keys()
    assert "opencv-python-headless" not in pinned()


def test_weights_and_samples_are_packed_with_the_code() -> None:
    packed = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {"companion", "scorer", "vision"} == set(packed)
    inside = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert inside["models"] == "vision/models"
    assert inside["sample_images"] == "vision/sample_images"


GAMES = ("domino_duell", "kingdomino", "pip_dominoes")


@pytest.mark.parametrize("part", ALLOWED)
def test_no_game_imports_another_and_what_they_share_knows_none(part: str) -> None:
    """Only the shell of the companion, which starts each of them, may name several games."""
    found = []
    for path in sorted((ROOT / part).rglob("*.py")):
        mine = {name for name in GAMES if name in path.relative_to(ROOT).parts}
        shared = bool({"common", "photo", "languages"} & set(path.relative_to(ROOT).parts))
        if not mine and not shared:
            continue
        for node in statements(tree_of(path)):
            named = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                named = [node.module]
            for name in named:
                others = {game for game in GAMES if game in name.split(".")} - mine
                if name.split(".")[0] in ALLOWED and others:
                    found.append(f"{path.relative_to(ROOT)} imports {name}")
    assert found == []


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False, text=True
    )
    if listed.returncode:
        pytest.skip("this is no checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_nothing_is_committed_that_has_no_place_here() -> None:
    index = "|".join(("pypi" + r"\.org", "python" + "hosted", r"registry\.npm" + "js"))
    machine = "|".join(("/" + "work/", "/" + "root/", "/" + "opt/pypi"))
    for path in tracked_files():
        assert path.suffix not in {".pkl", ".pickle", ".joblib", ".skops"}, path
        content = path.read_bytes()
        assert len(content) < 5_000_000, f"{path} is over 5 MB"
        if b"\0" not in content:
            found = re.search(f"{index}|{machine}", content.decode("utf-8"))
            assert found is None, f"{path} names {found and found[0]}"


def test_nothing_imports_in_a_circle_and_the_companion_nothing_above() -> None:
    modules = modules_of(ROOT, list(ALLOWED))
    assert len(modules) > 100
    assert circles(modules) == []
    assert upward(modules) == []


def test_what_all_of_vision_shares_needs_none_of_the_rest() -> None:
    """So no two packages of vision need each other: photographs are decoded with its threads."""
    shared = [
        each for each in modules_of(ROOT, ["vision"]) if each.path.is_relative_to("vision/common")
    ]
    assert len(shared) > 4
    names = {name for each in shared for name in each.imports}
    assert [name for name in names if re.match(r"(scorer|vision\.(?!common))", name)] == []


def write(root: Path, **texts: str) -> list[Module]:
    """The modules of a small checkout; ``__`` in a name stands for a folder."""
    for name, text in texts.items():
        path = root.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return modules_of(root, ["scorer", "vision", "companion"])


def test_circles_and_imports_upward_are_found(tmp_path: Path) -> None:
    modules = write(
        tmp_path,
        scorer__a="from scorer.b import B\n",
        scorer__b="def f():\n    from scorer import a\n",
        scorer__c="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import vision.d\n",
        vision__d="import companion.cli.e\n",
        companion__store__s="from companion.web import w\n",
        companion__web__w="from scorer.c import C\n",
        companion__cli__e="",
    )
    assert circles(modules) == [["scorer.a", "scorer.b"]]
    assert upward(modules) == [
        "companion.store.s -> companion.web.w",
        "vision.d -> companion.cli.e",
    ]


def test_a_copy_is_told_once_with_its_places(tmp_path: Path) -> None:
    body = "".join(f"    x = x * {k} + 1\n\n" for k in range(8))
    modules = write(
        tmp_path,
        scorer__a=f"import os\n\n\ndef f(x):\n{body}    return x\n",
        vision__b=f"def g(x):\n{body}    return -x\n",
    )
    assert copies(modules) == [("scorer/a.py:2", "vision/b.py:2")]
    assert copies(modules, length=9) == []


def test_documents_name_what_is_there() -> None:
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("models/*.md")]
    folders = "|".join(path.name for path in ROOT.iterdir() if path.is_dir())
    names = re.compile(rf"`((?:{folders})/[\w./-]+|test_\w+\.py)`")
    found = [(path.name, name) for path in documents for name in names.findall(path.read_text())]
    assert len(found) > 100
    tests = {path.name for path in (ROOT / "tests").rglob("*.py")}
    there = {name for _, name in found if name in tests or (ROOT / name).exists()}
    # NAME stands for any.
    assert [each for each in found if each[1] not in there and "NAME" not in each[1]] == []


def test_no_object_of_a_game_computes_under_the_lock_of_its_class() -> None:
    """``functools.cached_property`` has one in Python 3.11; ``computed_once`` has none."""
    folders = (ROOT / "scorer", ROOT / "companion" / "games")
    texts = {
        path: path.read_text(encoding="utf-8")
        for folder in folders
        for path in folder.rglob("*.py")
    }
    assert [path for path, text in texts.items() if "@cached_property" in text] == []
