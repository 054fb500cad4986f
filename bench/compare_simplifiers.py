#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds `ingot convert` against onnxsim and onnxslim on models of your choice.

compare_simplifiers.py --ingot build/release/bin/ingot MODEL.onnx... [--inputs FOLDER] [--dim NAME=N]... [--runs 30]

Each tool runs in a process of its own: seconds and peak memory are the process's, Python's start included where there is
one. Each result is run in ONNX Runtime beside the original on the same inputs, with the runtime's own optimisations on:
max_rel is max|a-b| / max|a| over all outputs, latency the median ratio of neighbouring runs. Inputs are made up from
names, types and shapes (seeded), or read from FOLDER/<model name>.npz. Exit code 1 when ingot failed on a model or
differs by more than --tolerance. Needs numpy, onnx, onnxruntime, onnxsim and onnxslim; ingot itself needs no Python.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnx
import onnxruntime as ort

TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16, "tensor(int64)": np.int64,
         "tensor(int32)": np.int32, "tensor(uint8)": np.uint8, "tensor(int8)": np.int8, "tensor(bool)": np.bool_}


def commands(tool, source, result, args):
    """The command line of one tool."""
    return {
        "ingot": [args.ingot, "convert", source, "-o", result, "--no-check"],
        "onnxsim": [sys.executable, "-m", "onnxsim", source, result],
        "onnxslim": [sys.executable, "-c", "import sys, onnxslim.cli; sys.exit(onnxslim.cli.main())", source, result],
    }[tool]


# Runs a command and prints its exit code, seconds and peak memory. A process of its own: what a child is charged with
# starts at the size of the process that forked it, and this one is large.
LAUNCHER = """
import json, os, sys, time
command, seconds = json.loads(sys.argv[1])
start = time.perf_counter()
pid = os.posix_spawnp(command[0], command, os.environ)
while True:
    done, status, usage = os.wait4(pid, os.WNOHANG)
    taken = time.perf_counter() - start
    if done:
        break
    if taken > seconds:
        os.kill(pid, 9)
    time.sleep(0.002)
print(json.dumps([os.waitstatus_to_exitcode(status), taken, usage.ru_maxrss / 1024]))
"""


def run_tool(command, seconds):
    """(exit code, seconds, peak MiB, last line of stderr)."""
    launched = subprocess.run([sys.executable, "-S", "-c", LAUNCHER, json.dumps([command, seconds])], capture_output=True)
    code, taken, peak = json.loads(launched.stdout.splitlines()[-1])
    lines = launched.stderr.decode(errors="replace").strip().splitlines()
    return code, taken, peak, lines[-1] if lines else ""


def count_nodes(path):
    """Nodes of all graphs."""
    def count(graph):
        total = 0
        for node in graph.node:
            total += 1
            for attribute in node.attribute:
                graphs = [attribute.g] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs
                total += sum(count(inner) for inner in graphs)
        return total
    return count(onnx.load(path, load_external_data=False).graph)


def session(path, optimised=True):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    if not optimised:
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def made_up(run, dims, free, seed):
    """Inputs of fitting types and shapes; `free` for dimensions without a size."""
    random = np.random.default_rng(seed)
    feeds = {}
    for port in run.get_inputs():
        shape = [d if isinstance(d, int) else dims.get(d, free[min(i, len(free) - 1)]) for i, d in enumerate(port.shape)]
        kind = TYPES[port.type]
        if np.issubdtype(kind, np.floating):
            feeds[port.name] = random.standard_normal(shape).astype(kind)
        elif "mask" in port.name:
            feeds[port.name] = np.ones(shape, kind)
        else:
            feeds[port.name] = random.integers(0, 2, shape).astype(kind)
    return feeds


def inputs_for(path, args):
    """Three sets of inputs that the original runs on, and its outputs."""
    run = session(path)
    given = args.inputs and pathlib.Path(args.inputs) / (pathlib.Path(path).stem + ".npz")
    if given and given.exists():
        stored = dict(np.load(given))
        return [(stored, run.run(None, stored))]
    problem = None
    for free in ([1, 64], [1, 3, 64, 64], [1, 3, 224, 224], [1, 512], [1, 16000], [2, 8], [1, 1]):
        try:
            sets = [made_up(run, args.dims, free, seed) for seed in range(3)]
            return [(feeds, run.run(None, feeds)) for feeds in sets]
        except Exception as error:  # the runtime's errors have no common base
            problem = error
    raise RuntimeError(f"no inputs found that the original runs on: {str(problem)[:200]}")


def difference(wanted, got):
    worst = 0.0
    for a, b in zip(wanted, got):
        a, b = np.asarray(a), np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return float("inf")
        if a.size == 0:
            continue
        if not np.issubdtype(a.dtype, np.floating):
            worst = max(worst, 0.0 if np.array_equal(a, b) else float("inf"))
            continue
        a, b = a.astype(np.float64), b.astype(np.float64)
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return float("inf")
        error, largest = np.nanmax(np.abs(a - b), initial=0), np.nanmax(np.abs(a), initial=0)
        worst = max(worst, 0.0 if error == 0 else error / largest if largest else float("inf"))
    return worst


def latency_ratio(original, result, feeds, runs):
    """Median of the ratios of neighbouring runs: what slows the machine down slows both."""
    one, two = session(original), session(result)
    times = ([], [])
    for i in range(runs + 3):
        for run, kept in zip((one, two), times):
            start = time.perf_counter()
            run.run(None, feeds)
            if i >= 3:
                kept.append(time.perf_counter() - start)
    return statistics.median(b / a for a, b in zip(*times))


def compare(path, args):
    row = {"model": path, "nodes": count_nodes(path), "bytes": os.path.getsize(path), "tools": {}}
    sets = inputs_for(path, args)
    # What the runtime's own optimisations change is the yardstick of what counts as equal.
    plain = session(path, optimised=False)
    row["runtime_noise"] = max(difference(wanted, plain.run(None, feeds)) for feeds, wanted in sets)
    with tempfile.TemporaryDirectory() as folder:
        for tool in args.tools:
            result = os.path.join(folder, tool + ".onnx")
            code, seconds, peak, problem = run_tool(commands(tool, path, result, args), args.seconds)
            entry = {"exit": code, "seconds": round(seconds, 2), "peak_mib": round(peak)}
            row["tools"][tool] = entry
            if code != 0 or not os.path.exists(result):
                entry["problem"] = problem[:160] or "no result"
                continue
            try:
                run = session(result)
                entry["max_rel"] = max(difference(wanted, run.run(None, feeds)) for feeds, wanted in sets)
                entry["nodes"] = count_nodes(result)
                entry["size"] = round(os.path.getsize(result) / row["bytes"], 3)
                entry["latency"] = round(latency_ratio(path, result, sets[0][0], args.runs), 3)
            except Exception as error:
                entry["problem"] = "result does not run: " + str(error)[:160]
    return row


def print_row(row):
    print(f"{row['model']}: {row['nodes']} nodes, {row['bytes']} bytes, runtime's own noise {row['runtime_noise']:.1e}")
    for tool, entry in row["tools"].items():
        cost = f"{entry['seconds']:6.2f} s {entry['peak_mib']:5d} MiB"
        if "problem" in entry:
            print(f"  {tool:<9} {cost}  FAILED ({entry['exit']}): {entry['problem']}")
            continue
        print(f"  {tool:<9} {cost}  nodes {entry['nodes']:5d}  size {entry['size']:5.3f}  latency {entry['latency']:5.3f}"
              f"  max_rel {entry['max_rel']:.1e}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--ingot", required=True)
    parser.add_argument("--tools", nargs="+", default=["ingot", "onnxsim", "onnxslim"])
    parser.add_argument("--inputs", help="folder with <model name>.npz")
    parser.add_argument("--dim", action="append", default=[], metavar="NAME=N", help="size of a named dimension")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=600, help="longest run of a tool")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    args.dims = {name: int(size) for name, size in (dim.split("=", 1) for dim in args.dim)}
    rows, bad = [], 0
    for path in args.models:
        try:
            rows.append(compare(path, args))
        except RuntimeError as error:
            print(f"{path}: left out: {error}")
            continue
        print_row(rows[-1])
        ingot = rows[-1]["tools"].get("ingot", {})
        allowed = max(args.tolerance, 4 * rows[-1]["runtime_noise"])
        bad += "problem" in ingot or not ingot.get("max_rel", 0) <= allowed
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1))
    print(f"{len(rows)} models compared, ingot failed or differs on {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
