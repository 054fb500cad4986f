#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a large model costs: `ingot inspect` and `ingot convert` on a generated one, beside copying its files.

bench/big_model.py [--ingot FILE] [--folder DIR] [--gib N] [--layouts LIST] [--rounds N]

Writes the model into a fresh folder below DIR (which needs three times its size), measures, and removes all of it again. `copy` is
`cp --reflink=never` and `sync -f`, in turn with `convert`, from a warm page cache; times are medians. Memory is the peak resident
size with mapped pages, as the kernel counts it. Exits 1 when a bound is missed: inspect 1 s, convert 1.5 times the copy, 256 MiB.
"""

import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

CHUNK_BYTES = 1 << 22
ALIGNMENT = 4096
LIMIT_INSPECT_SECONDS, LIMIT_RATIO, LIMIT_PEAK_MIB = 1.0, 1.5, 256.0
FLOAT, INT32 = 1, 6
ROOT = pathlib.Path(__file__).resolve().parent.parent


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def head(field, length):
    return varint(field << 3 | 2) + varint(length)


def text(field, value):
    value = value.encode() if isinstance(value, str) else value
    return head(field, len(value)) + value


def value_info(name, width):
    dims = text(1, number(1, 1)) + text(1, number(1, width))
    return text(1, name) + text(2, text(1, number(1, FLOAT) + text(2, dims)))


def node(op, inputs, output):
    return b"".join(text(1, name) for name in inputs) + text(2, output) + text(3, output) + text(4, op)


def tensor_start(name, width):
    return number(1, width) + number(1, width) + number(2, FLOAT) + text(8, name)


def entry(key, value):
    return text(13, text(1, key) + text(2, str(value)))


class Layout:
    """How the weights lie: each of `weights` square matrices of `width`, `readers` MatMul nodes for each."""

    def __init__(self, summary, width, external, readers=1):
        self.summary, self.width, self.external, self.readers = summary, width, external, readers

    def weight_bytes(self):
        return 4 * self.width * self.width


LAYOUTS = {
    "external": Layout("one data file, 64 MiB a tensor", 4096, True),
    "inline": Layout("all in the model file, 64 MiB a tensor", 4096, False),
    "shared": Layout("one data file, every range named by two tensors", 4096, True, readers=2),
    "small": Layout("all in the model file, 64 KiB a tensor", 128, False),
}


def random_floats(source, count_bytes):
    """Finite values of both signs around 0.01."""
    words = count_bytes // 4
    bits = int.from_bytes(source.randbytes(count_bytes), "little")
    mask = int.from_bytes(b"\xff\xff\x7f\x80" * words, "little")
    exponent = int.from_bytes(b"\x00\x00\x00\x3c" * words, "little")
    return (bits & mask | exponent).to_bytes(count_bytes, "little")


def write_weight(out, index, count_bytes):
    source = random.Random(index)
    while count_bytes > 0:
        step = min(CHUNK_BYTES, count_bytes)
        out.write(random_floats(source, step))
        count_bytes -= step


def write_model(folder, layout, total_bytes):
    """Writes model.onnx (and model.onnx.data); returns their paths."""
    each = layout.weight_bytes()
    count = max(1, total_bytes // each)
    names = [f"w{i}" for i in range(count)]
    aliases = [f"{name}_{r}" if r else name for name in names for r in range(layout.readers)]
    path, data_path = folder / "model.onnx", folder / "model.onnx.data"
    nodes, last = [], "x"
    for alias in aliases:
        output = "y" if alias == aliases[-1] else f"h_{alias}"
        nodes.append(text(1, node("MatMul", [last, alias], output)))
        last = output
    before = b"".join(nodes) + text(2, "big")
    after = text(11, value_info("x", layout.width)) + text(12, value_info("y", layout.width))
    starts = []
    for i, alias in enumerate(aliases):
        start = tensor_start(alias, layout.width)
        if layout.external:
            offset = i // layout.readers * (-(-each // ALIGNMENT) * ALIGNMENT)
            start += entry("location", data_path.name) + entry("offset", offset) + entry("length", each) + number(14, 1)
        else:
            start += head(9, each)
        starts.append(start)
    payload = 0 if layout.external else each
    tensors = sum(len(head(5, len(start) + payload)) + len(start) + payload for start in starts)
    with open(path, "wb") as out:
        out.write(number(1, 8) + text(8, number(2, 17)) + head(7, len(before) + tensors + len(after)) + before)
        for i, start in enumerate(starts):
            out.write(head(5, len(start) + payload) + start)
            if payload:
                write_weight(out, i, payload)
        out.write(after)
    if not layout.external:
        return [path]
    with open(data_path, "wb") as out:
        for i in range(count):
            out.seek(i * (-(-each // ALIGNMENT) * ALIGNMENT))
            write_weight(out, i, each)
    return [path, data_path]


def run(command, log):
    """Seconds and peak resident MiB of a command that must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=log, stderr=log)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        log.flush()
        sys.exit(f"{' '.join(map(str, command))}: exit {process.returncode}\n{pathlib.Path(log.name).read_text()}")
    return seconds, usage.ru_maxrss / 1024


def warm(files):
    for path in files:
        with open(path, "rb", buffering=0) as source:
            while source.read(CHUNK_BYTES):
                pass


def measure(ingot, folder, files, rounds, log):
    copies, conversions, peaks, inspections = [], [], [], []
    target = folder / "out"
    for _ in range(rounds):
        for kind in ("copy", "convert"):
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            os.sync()
            warm(files)
            if kind == "copy":
                names = " ".join(f"'{path}'" for path in files)
                seconds, _ = run(["sh", "-c", f"cp --reflink=never {names} '{target}' && sync -f '{target}'"], log)
                copies.append(seconds)
            else:
                seconds, peak = run([ingot, "convert", files[0], "-o", target / "model.onnx"], log)
                conversions.append(seconds)
                peaks.append(peak)
        seconds, peak = run([ingot, "inspect", files[0]], log)
        inspections.append(seconds)
        peaks.append(peak)
    shutil.rmtree(target, ignore_errors=True)
    return statistics.median(inspections), statistics.median(copies), statistics.median(conversions), max(peaks)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ingot", default=ROOT / "build/release/bin/ingot", type=pathlib.Path)
    parser.add_argument("--folder", default=tempfile.gettempdir(), type=pathlib.Path)
    parser.add_argument("--gib", default=3.0, type=float)
    parser.add_argument("--layouts", default=",".join(LAYOUTS))
    parser.add_argument("--rounds", default=3, type=int)
    arguments = parser.parse_args()
    missed = False
    print(f"{'layout':<10} {'inspect':>8} {'copy':>8} {'convert':>8} {'ratio':>6} {'peak':>8}  what it is")
    for name in arguments.layouts.split(","):
        with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="big_model.") as scratch:
            folder = pathlib.Path(scratch)
            files = write_model(folder, LAYOUTS[name], int(arguments.gib * (1 << 30)))
            with open(folder / "log", "w", encoding="utf-8") as log:
                inspect, copy, convert, peak = measure(arguments.ingot.resolve(), folder, files, arguments.rounds, log)
        ratio = convert / copy
        missed |= inspect > LIMIT_INSPECT_SECONDS or ratio > LIMIT_RATIO or peak > LIMIT_PEAK_MIB
        print(f"{name:<10} {inspect:7.2f}s {copy:7.2f}s {convert:7.2f}s {ratio:6.2f} {peak:5.0f}MiB  {LAYOUTS[name].summary}", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
