#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts mutated copies of models and holds every accepted result against what ONNX Runtime computes for the same mutated file.

mutate_models.py --ingot BIN [--count N] [--seed N] [--only N] [--keep DIR] PATH...: the models at or below each PATH (at most 32 MiB).
Faults: a signal, a hang, more memory than allowed, an exit code that is not an answer, a message without a file's name, leftovers, a
result that differs from the mutated file in the runtime or is refused by it. Each is printed with its number (--only N repeats it), its
file kept in --keep; exit 1 when there is one. Every fourth mutant is converted with the check in the runtime, the others without.
Needs onnx, numpy and onnxruntime. The runtime itself may crash on a mutant: it runs in a child, and that is counted apart.
"""

import argparse
import collections
import os
import pathlib
import pickle
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read when it is imported

import numpy
import onnx
import onnxruntime
from onnx import TensorProto

ANSWERS = {0, 1, 3, 4}
SECONDS = 60
EDGES = [-1, 0, 1, 2, 3, 4, 7, 16, 255, 4096, 65536, 2**31 - 1, 2**31, 2**40, 2**63 - 1, -(2**63)]
OPERATORS = sorted({schema.name for schema in onnx.defs.get_all_schemas()})


def mutate_bytes(data, r):
    data = bytearray(data)
    for _ in range(r.choice([1, 1, 1, 2, 4, 16])):
        # Half of the places in the first or last 16 KiB, where most of the graph is.
        span = r.choice([len(data), min(len(data), 16384)])
        at = r.choice([0, len(data) - span]) + r.randrange(span)
        kind = r.randrange(6)
        size = min(r.choice([1, 2, 4, 16, 64, 1000]), len(data) - at)
        if kind == 0:
            data[at] ^= 1 << r.randrange(8)
        elif kind == 1:
            data[at] = r.randrange(256)
        elif kind == 2:
            del data[at : at + size]
        elif kind == 3:
            data[at:at] = data[at : at + size]
        elif kind == 4:
            data[at : at + size] = bytes(size)
        else:
            to = r.randrange(len(data))
            data[to : to + size] = data[at : at + size]
        if len(data) < 2:
            break
    if r.randrange(20) == 0:
        del data[r.randrange(len(data)) :]
    return bytes(data)


def graphs_of(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_of(attribute.g)


def names_of(graph):
    return [name for node in graph.node for name in [*node.input, *node.output]] or ["x"]


def mutate_tensor(tensor, r):
    kind = r.randrange(5)
    if kind == 0 and tensor.dims:
        tensor.dims[r.randrange(len(tensor.dims))] += r.choice([-1, 1])
    elif kind == 1 and tensor.dims:
        tensor.dims[r.randrange(len(tensor.dims))] = r.choice(EDGES)
    elif kind == 2:
        tensor.data_type = r.randrange(28)
    elif kind == 3 and tensor.raw_data:
        raw = tensor.raw_data
        tensor.raw_data = r.choice([raw[:-1], raw + b"\0", raw[: len(raw) // 2], raw[::-1], b""])
    else:
        r.shuffle(tensor.dims) if len(tensor.dims) > 1 else tensor.dims.append(r.choice([0, 1, 2]))


def mutate_attribute(node, r):
    if not node.attribute:
        node.attribute.add(name=r.choice(["axis", "perm", "alpha", "to"]), type=onnx.AttributeProto.INT, i=r.choice(EDGES))
        return
    attribute = r.choice(node.attribute)
    if attribute.HasField("t") and r.randrange(3):
        mutate_tensor(attribute.t, r)
    elif attribute.ints and r.randrange(2):
        attribute.ints[r.randrange(len(attribute.ints))] = r.choice(EDGES[:8])
    elif attribute.type == onnx.AttributeProto.INT:
        attribute.i = r.choice(EDGES[:8] if r.randrange(4) else EDGES)
    elif attribute.type == onnx.AttributeProto.FLOAT:
        attribute.f = r.choice([0, -0.0, 1, -1, 1e-30, 1e30, float("inf"), float("nan")])
    elif attribute.ints and r.randrange(2):
        attribute.ints.pop() if r.randrange(2) else attribute.ints.append(r.choice(EDGES[:8]))
    elif r.randrange(2):
        attribute.name += "_"
    else:
        node.attribute.remove(attribute)


def mutate_node(graph, r):
    node = r.choice(graph.node)
    names = names_of(graph)
    kind = r.randrange(10)
    if kind < 3:
        mutate_attribute(node, r)
    elif kind == 3:
        node.op_type = r.choice(OPERATORS) if r.randrange(2) else r.choice(graph.node).op_type
    elif kind == 4 and node.input:
        node.input[r.randrange(len(node.input))] = r.choice(names)
    elif kind == 5 and node.input:
        node.input[r.randrange(len(node.input))] = r.choice(["", "nobody", "\u00fc/\n"])
    elif kind == 6:
        node.input.append(r.choice(names)) if r.randrange(2) or not node.input else node.input.pop()
    elif kind == 7 and node.output:
        node.output[r.randrange(len(node.output))] = r.choice([*names, ""])
    elif kind == 8:
        graph.node.remove(node) if r.randrange(2) else graph.node.add().CopyFrom(node)
    else:
        other = r.choice(graph.node)
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        node.CopyFrom(other)
        other.CopyFrom(copy)


def mutate_fields(data, r):
    model = onnx.load_from_string(data)
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        graph = r.choice(list(graphs_of(model.graph)))
        kind = r.randrange(12)
        if kind < 7 and graph.node:
            mutate_node(graph, r)
        elif kind == 7 and graph.initializer:
            mutate_tensor(r.choice(graph.initializer), r)
        elif kind == 8 and graph.initializer:
            tensor = r.choice(graph.initializer)
            r.choice([lambda: graph.initializer.remove(tensor), lambda: graph.initializer.add().CopyFrom(tensor),
                      lambda: setattr(tensor, "name", r.choice(names_of(graph)))])()
        elif kind == 9 and (graph.input or graph.output):
            port = r.choice([*graph.input, *graph.output])
            dims = port.type.tensor_type.shape.dim
            r.choice([lambda: setattr(port.type.tensor_type, "elem_type", r.randrange(28)), lambda: dims and setattr(dims[0], "dim_value", r.choice(EDGES)),
                      lambda: dims and dims.pop(), lambda: port.ClearField("type"), lambda: setattr(port, "name", r.choice(names_of(graph)))])()
        elif kind == 10 and model.opset_import:
            r.choice([lambda: setattr(model.opset_import[0], "version", r.randrange(30)), lambda: setattr(model, "ir_version", r.randrange(16)),
                      lambda: model.opset_import.add(domain=r.choice(["", "ai.onnx", "com.acme"]), version=r.randrange(25))])()
        else:
            for info in graph.value_info:
                if r.randrange(2):
                    info.type.tensor_type.elem_type = r.randrange(17)
    return model.SerializeToString()


def mutate(data, r):
    if r.randrange(2):
        try:
            return mutate_fields(data, r)
        except (ValueError, TypeError, IndexError):
            pass  # a number that a field cannot hold
    return mutate_bytes(data, r)


def feeds_for(session):
    """Seeded inputs: free dimensions are 2, integers 0 or 1. None where the type is not a dense tensor of numbers."""
    rng = numpy.random.default_rng(0)
    types = {"tensor(float)": "f4", "tensor(double)": "f8", "tensor(float16)": "f2", "tensor(bool)": "?",
             **{f"tensor({sign}int{bits})": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
    feeds = {}
    for port in session.get_inputs():
        shape = [d if isinstance(d, int) and d >= 0 else 2 for d in port.shape]
        if port.type not in types or numpy.prod(shape, dtype=float) > 1e7:
            return None
        kind = numpy.dtype(types[port.type])
        feeds[port.name] = (rng.uniform(-1, 1, shape) if kind.kind == "f" else rng.integers(0, 2, shape)).astype(kind)
    return feeds


def outputs_of(path, feeds=None, plain=False):
    """(what the runtime computes, the feeds), or (None, its message)."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    if plain:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        feeds = feeds_for(session) if feeds is None else feeds
        if feeds is None:
            return None, "inputs that are not made up here"
        return session.run(None, feeds), feeds
    except Exception as error:  # the runtime throws many kinds
        return None, str(error)


def differs(a, b):
    """"" or where two results differ, by ingot verify's default tolerance."""
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} outputs"
    for i, (x, y) in enumerate(zip(a, b)):
        if isinstance(x, (list, dict)) or x is None:
            if repr(x) != repr(y):
                return f"output {i}"
            continue
        if x.dtype != y.dtype or x.shape != y.shape:
            return f"output {i}: {x.dtype}{list(x.shape)} and {y.dtype}{list(y.shape)}"
        if x.dtype.kind != "f":
            if not numpy.array_equal(x, y):
                return f"output {i}"
            continue
        finite = numpy.isfinite(x)
        if not numpy.array_equal(numpy.nan_to_num(x[~finite], nan=7), numpy.nan_to_num(y[~finite], nan=7)) or not numpy.isfinite(y[finite]).all():
            return f"output {i}: NaN or Inf in other places"
        if finite.any() and numpy.abs(x[finite].astype("f8") - y[finite]).max() > 1e-3 * max(numpy.abs(x[finite].astype("f8")).max(), 1e-12):
            return f"output {i}"
    return ""


def compare(mutant, result):
    """What the runtime says of the two, as (verdict, detail)."""
    before, feeds = outputs_of(mutant)
    if before is None:
        return "runtime refuses the mutant", feeds
    # What the runtime's own optimizations change, or a second run, no conversion can be held to.
    plain, detail = outputs_of(mutant, feeds, plain=True)
    again, _ = outputs_of(mutant, feeds)
    if plain is None or again is None or differs(before, plain) or differs(before, again):
        return "runtime does not agree with itself", detail if plain is None else ""
    after, detail = outputs_of(result, feeds)
    if after is None:
        return "FAULT", f"the runtime refuses the result: {detail}"
    where = differs(before, after)
    return ("FAULT", f"the result differs: {where}") if where else ("same", "")


def compare_in_child(mutant, result):
    """compare() in a forked child with bounded time and memory."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(SECONDS)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(write_end, "wb") as out:
            pickle.dump(compare(mutant, result), out)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    return ("runtime crashes or hangs", f"status {status}") if status != 0 or not text else pickle.loads(text)


def convert(ingot, folder, size, check):
    """(exit code or -signal or 'hang', stderr, peak bytes) of one conversion in `folder`."""
    def limit():
        most = (3 << 30) + 4 * size
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    argv = [ingot, "convert", "m.onnx", "-o", "out.onnx", "--threads", "1"] + ([] if check else ["--no-check"])
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(argv, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=limit)
        end = time.monotonic() + SECONDS + 90 * check
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                process.kill()
                os.wait4(process.pid, 0)
                return "hang", "", 0
            time.sleep(0.005)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read().decode(errors="replace"), usage.ru_maxrss * 1024


def judge(ingot, data, check):
    """(verdict, detail, exit code, peak bytes) of one mutant."""
    with tempfile.TemporaryDirectory() as folder:
        mutant, result = os.path.join(folder, "m.onnx"), os.path.join(folder, "out.onnx")
        pathlib.Path(mutant).write_bytes(data)
        code, errors, peak = convert(ingot, folder, len(data), check)
        left = sorted(set(os.listdir(folder)) - {"m.onnx", "out.onnx", "out.onnx.data"})
        if code not in ANSWERS:
            return "FAULT", f"exit {code}: {errors[-300:]}", code, peak
        if peak > (1 << 30) + 4 * len(data):
            return "FAULT", f"{peak >> 20} MiB of memory", code, peak
        if left or (code != 0 and os.path.exists(result)):
            return "FAULT", f"left behind: {left or 'the result'}", code, peak
        if code in (3, 4):
            named = "m.onnx" in errors
            return ("refused", "", code, peak) if named else ("FAULT", f"a message without the file: {errors[-300:]}", code, peak)
        if code == 1:
            return "FAULT", f"the check found a difference: {errors[-300:]}", code, peak
        return (*compare_in_child(mutant, result), code, peak)


def models_below(paths):
    for path in map(pathlib.Path, paths):
        found = [path] if path.is_file() else sorted(path.rglob("*.onnx"))
        yield from (p for p in found if p.stat().st_size <= 32 << 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ingot", required=True, type=os.path.abspath)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    models = list(models_below(arguments.paths))
    if not models:
        parser.error("no model at or below the paths")
    onnxruntime.set_default_logger_severity(4)
    verdicts, faults, highest = collections.Counter(), 0, 0
    for i in range(arguments.count) if arguments.only is None else [arguments.only]:
        r = random.Random(arguments.seed * 1_000_003 + i)
        model = models[i % len(models)]
        data = mutate(model.read_bytes(), r)
        verdict, detail, _, peak = judge(arguments.ingot, data, check=i % 4 == 3)
        verdicts[verdict] += 1
        highest = max(highest, peak)
        if verdict != "FAULT":
            continue
        faults += 1
        print(f"{i} {model}: {detail}", flush=True)
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            (arguments.keep / f"{i}.onnx").write_bytes(data)
    print(f"{sum(verdicts.values())} mutants of {len(models)} models, peak {highest >> 20} MiB: "
          + ", ".join(f"{count} {name}" for name, count in verdicts.most_common()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
