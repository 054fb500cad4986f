#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds every source to the house style a script can see: SPDX line, file comment, length, names, no TODO, plain line ends.

check_sources.py ROOT: prints every violation and exits 1 if there is one.
"""

import pathlib
import re
import sys

SKIPPED = {".git", "build", "dist", "golden", "__pycache__", "broken_tree"}
COMMENTS = {".cc": "//", ".h": "//", ".cmake": "#", ".sh": "#", ".py": "#"}
MISSING_NOUNS = {"utils", "util", "helpers", "helper", "common", "misc"}
LONGEST = {".h": 400, ".cc": 600}
LONGEST_TEST = 800
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def comment_mark(path, text):
    if path.name == "CMakeLists.txt" or text.startswith("#!"):
        return "#"
    return COMMENTS.get(path.suffix)


def speaks_for_itself(path):
    """A folder's build file, a .cc whose header says what it is for, or the tests of one."""
    return path.name == "CMakeLists.txt" or path.stem.endswith("_test") or path.with_suffix(".h").exists() and path.suffix == ".cc"


def complaints(path):
    text = path.read_text(encoding="utf-8")
    mark = comment_mark(path, text)
    if mark is None:
        return
    lines = text.splitlines()
    head = lines[1:3] if text.startswith("#!") else lines[:2]
    if not head or head[0] != f"{mark} {LICENCE}":
        yield f"the first line is not '{mark} {LICENCE}'"
    elif speaks_for_itself(path):
        pass
    elif len(head) < 2 or not head[1].startswith((mark, '"""')):
        yield "no comment below the licence line says what the file is for"
    if path.stem in MISSING_NOUNS:
        yield f"'{path.stem}' is a missing noun"
    longest = LONGEST_TEST if path.stem.endswith("_test") else LONGEST.get(path.suffix, LONGEST_TEST)
    if len(lines) > longest:
        yield f"{len(lines)} lines, at most {longest} wanted"
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield "no '#pragma once'"
    if "\r" in text or not text.endswith("\n"):
        yield "line ends are not plain, or the last one is missing"
    if path.name != pathlib.Path(__file__).name and re.search(r"\b(TODO|FIXME|XXX)\b", text):
        yield "a note for later: file an issue instead"


def main():
    root = pathlib.Path(sys.argv[1])
    found = files = 0
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if SKIPPED.intersection(inside.parts) or not path.is_file():
            continue
        if path.suffix not in COMMENTS and path.name != "CMakeLists.txt" and inside.parts[0] not in ("scripts", ".ci"):
            continue
        files += 1
        for text in complaints(path):
            found += 1
            print(f"{inside}: {text}")
    print(f"{files} files, {found} violations")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
