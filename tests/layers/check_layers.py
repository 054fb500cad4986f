#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the code to the dependency DAG of docs/ARCHITECTURE.md: which folder may include which, and who may see a heavy header.

check_layers.py ROOT: prints every violation as FILE:LINE and exits 1 if there is one.
"""

import pathlib
import re
import sys

SMALL = {"graph", "runtime", "manifests", "data", "metrics"}
VERIFY = {"base", "graph", "runtime", "data", "metrics"}
BELOW_PIPELINE = {"base", "bench", "converters", "quant", "verify"} | SMALL

ALLOWED = {
    "base": set(),
    **{folder: {"base"} for folder in SMALL},
    "verify": VERIFY,
    "converters": VERIFY | {"verify"},
    "quant": VERIFY | {"verify", "converters"},
    "bench": {"base", "runtime", "manifests", "data", "metrics"},
    "device": {"base", "runtime", "manifests", "data", "metrics"},
    "pipeline": BELOW_PIPELINE,
    "cli": BELOW_PIPELINE | {"pipeline"},
}

# Headers that cost seconds or drag a library in: the folders that may include them, and whether in headers too.
HEAVY = [
    (r"CLI/", {"cli"}, False),
    (r"onnxruntime_c_api\.h", {"runtime"}, False),
    (r"(onnx|google/protobuf)/", {"graph", "converters", "quant"}, True),
    (r"nlohmann/json\.hpp", set(ALLOWED), False),
    (r"toml\+\+/", set(ALLOWED), False),
    (r"(mini)?zip/|unzip\.h|png\.h", {"data"}, False),
]

# Headers of ours that show a heavy one: the folders that may include them, in .cc files only.
SHOWS_HEAVY = {
    "base/json.h": set(ALLOWED),
    "data/toml_library.h": {"data"},
    "manifests/json_fields.h": {"manifests"},
    "runtime/ort_api.h": {"runtime"},
}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def violations(folder, path):
    """Yields (line number, what is wrong) for the includes of one file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, target = match.groups()
        top = target.split("/")[0]
        if quote == '"' and top not in ALLOWED:
            yield number, f'"{target}" does not start with a folder of the repository'
        elif quote == '"' and top != folder and top not in ALLOWED[folder]:
            yield number, f'{folder} may not include "{target}"'
        elif quote == '"' and target in SHOWS_HEAVY and not may_show(folder, path, SHOWS_HEAVY[target]):
            yield number, f'"{target}" shows a heavy header: only .cc files of {", ".join(sorted(SHOWS_HEAVY[target]))} may include it'
        elif quote == "<":
            yield from ((number, text) for text in heavy(folder, path, target))


def may_show(folder, path, folders):
    return folder in folders and (path.suffix == ".cc" or f"{folder}/{path.name}" in SHOWS_HEAVY)


def heavy(folder, path, target):
    for pattern, folders, in_headers in HEAVY:
        if not re.match(pattern, target):
            continue
        if folder not in folders:
            yield f"{folder} may not include <{target}>"
        elif path.suffix == ".h" and not in_headers and f"{folder}/{path.name}" not in SHOWS_HEAVY:
            yield f"<{target}> belongs in .cc files"


def main():
    root = pathlib.Path(sys.argv[1])
    found = files = 0
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            files += 1
            for number, text in violations(folder, path):
                found += 1
                print(f"{path.relative_to(root)}:{number}: {text}")
    print(f"{files} files, {found} violations")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
