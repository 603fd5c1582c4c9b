"""What `.ci/audit` prints: pinned packages that are outdated, and those known to be vulnerable.

    python -m deploy.audit constraints.txt NEWEST.txt AUDIT.json

NEWEST.txt has the versions that would be taken today, AUDIT.json is the answer of pip-audit.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def pins(text: str) -> dict[str, str]:
    """The versions of the lines ``name==version``, by the name in its normal form."""
    found = {}
    for line in text.splitlines():
        name, equals, version = line.partition("==")
        if equals:
            found[re.sub(r"[-_.]+", "-", name.strip()).lower()] = version.split(";")[0].strip()
    return found


def outdated(pinned: Mapping[str, str], newest: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The pinned and the newest version of each package that has a newer one."""
    both = sorted(pinned.keys() & newest.keys())
    return {name: (pinned[name], newest[name]) for name in both if pinned[name] != newest[name]}


def report(answer: Mapping[str, Any]) -> tuple[list[str], int]:
    """Lines on pip-audit's answer, and an exit code.

    0 where every package was looked up and none is known to be vulnerable, 1 where one is, 3 where
    nothing is known of some package: that must not pass for being safe.
    """
    packages = answer["dependencies"]
    unknown = [each["name"] for each in packages if "skip_reason" in each]
    lines = []
    for each in packages:
        for weakness in each.get("vulns", []):
            mended = ", ".join(weakness.get("fix_versions") or ["no version yet"])
            lines.append(
                f"  {each['name']} {each['version']}: {weakness['id']}, mended in {mended}"
            )
    code = 1 if lines else 3 if unknown or not packages else 0
    lines.append(f"{len(packages) - len(unknown)} of {len(packages)} packages could be looked up")
    return lines, code


def main(argv: Sequence[str]) -> int:
    constraints, newest, answer = (Path(name).read_text(encoding="utf-8") for name in argv)
    pinned = pins(constraints)
    late = outdated(pinned, pins(newest))
    print("Outdated:")
    for name, (ours, theirs) in late.items():
        print(f"  {name} {ours}, newest that fits: {theirs}")
    print(f"{len(late)} of {len(pinned)} packages")
    print("Known vulnerabilities of what a server installs:")
    if not answer.strip():
        print("  nothing is known: no vulnerability service answers")
        return 3
    lines, code = report(json.loads(answer))
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
