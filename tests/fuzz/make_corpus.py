#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of the fuzz corpus, tests/fuzz/corpus/<target>/seed_*: small valid files, and some that are nearly so.

make_corpus.py: needs onnx, numpy and pillow. Inputs that once broke something lie beside the seeds under names of what they are.
"""

import io
import json
import pathlib

import numpy
import onnx
import onnx.parser
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

CORPUS = pathlib.Path(__file__).parent / "corpus"


def put(target, name, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"seed_{name}").write_bytes(data if isinstance(data, bytes) else data.encode())


# Each names what of the format it holds.
MODEL_TEXTS = {
    "conv_bn": """<ir_version: 8, opset_import: ["": 17]>
        g (float[1,2,5,5] x) => (float[1,2,N,M] y)
        <float[2,2,3,3] w = {%s}, float[2] s = {1,2}, float[2] b = {0,1}, float[2] m = {0.5,1}, float[2] v = {1,4}, float[2,1,1] k = {2,3}> {
          c = Conv<pads=[1,1,1,1]>(x, w)
          n = BatchNormalization(c, s, b, m, v)
          z = Mul(n, k)
          y = Relu(z)
        }""" % ",".join(str(i % 5) for i in range(36)),
    "hard_swish": """<ir_version: 8, opset_import: ["": 13]>
        g (float[1,4] x) => (float[1,4] y)
        <float three = {3}, float lo = {0}, float hi = {6}, float six = {6}> {
          a = Add(x, three)
          c = Clip(a, lo, hi)
          p = Mul(x, c)
          y = Div(p, six)
        }""",
    "constants": """<ir_version: 9, opset_import: ["": 20]>
        g (float[4,6] x) => (float[6,4] y) {
          a = Constant<value = int64[2] {6, 4}>()
          st = Constant<value_ints = [0, 1]>()
          en = Constant<value_ints = [1, 2]>()
          s = Slice(a, st, en)
          q = Concat<axis = 0>(a, s)
          u = Slice(q, st, en)
          sh = Cast<to = 7>(a)
          i = Identity(x)
          y = Reshape(i, sh)
          d = Transpose<perm = [1, 0]>(y)
        }""",
    "if": """<ir_version: 8, opset_import: ["": 16]>
        g (float[2] x, bool c) => (float[2] y)
        <float[2] w = {1, 2}> {
          y = If (c) <
            then_branch = t () => (float[2] p) { p = Add(x, w) },
            else_branch = e () => (float[2] q) { k = Constant<value = float[2] {3, 4}>() q = Mul(x, k) }
          >
        }""",
    "loop": """<ir_version: 8, opset_import: ["": 16]>
        g (int64 n, bool c, float[2] x) => (float[2] y, float[K,2] scan) {
          y, scan = Loop (n, c, x) <
            body = b (int64 i, bool cond, float[2] state) => (bool go, float[2] next, float[2] out)
            { go = Identity(cond) next = Add(state, x) out = Neg(next) }
          >
        }""",
    "functions": """<ir_version: 10, opset_import: ["": 18, "local": 1]>
        g (float[N] x) => (float[N] y) { y = local.twice<alpha = 0.5>(x) }
        <domain: "local", opset_import: ["": 18, "local": 1]>
        twice <alpha>(x) => (y) { h = local.leaky<alpha: float = @alpha>(x) y = local.leaky<alpha: float = @alpha>(h) }
        <domain: "local", opset_import: ["": 18]>
        leaky <alpha>(x) => (y) { y = LeakyRelu<alpha: float = @alpha>(x) }""",
    "custom_domain": """<ir_version: 8, opset_import: ["": 17, "com.acme": 1, "com.microsoft": 1]>
        g (float[2] x) => (float[2] y) { h = com.acme.Unknown(x) y = com.microsoft.Gelu(h) }""",
    "unsorted": """<ir_version: 8, opset_import: ["": 17]>
        g (float[2] x) => (float[2] y) { y = Relu(h) h = Neg(x) dead = Abs(x) }""",
    "strings": """<ir_version: 8, opset_import: ["": 17]>
        g (string[2] x) => (string[4] y) <string[2] w = {"a", "b"}> { y = Concat<axis = 0>(x, w) }""",
    "sequence": """<ir_version: 8, opset_import: ["": 17]>
        g (float[2] x) => (seq(float[2]) y) { y = SequenceConstruct(x, x) }""",
    "quantized": """<ir_version: 8, opset_import: ["": 13]>
        g (float[2,2] x) => (float[2,2] y)
        <float s = {0.1}, uint8 z = {128}, int8[2,2] w = {1,2,3,4}, float[2] ws = {0.1,0.2}, int8[2] wz = {0,0}> {
          q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z) e = DequantizeLinear<axis = 1>(w, ws, wz) y = MatMul(d, e)
        }""",
    "gemm_dynamic": """<ir_version: 8, opset_import: ["": 14]>
        g (float[B,3] x) => (float[B,2] y)
        <float[3,2] w = {1,2,3,4,5,6}, float[2] b = {0,1}> {
          h = Gemm<alpha = 0.5, transB = 0>(x, w, b) sh = Shape(h) i = Constant<value_int = 0>() n = Gather(sh, i) y = Dropout(h)
        }""",
}


def sparse_model():
    values = numpy_helper.from_array(numpy.array([1, 2], numpy.float32), "w")
    sparse = helper.make_sparse_tensor(values, numpy_helper.from_array(numpy.array([1, 5], numpy.int64), "i"), [2, 4])
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 4])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 4])], sparse_initializer=[sparse])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def typed_model():
    """A tensor of every element type, most of them in typed fields."""
    model = onnx.parser.parse_model('<ir_version: 11, opset_import: ["": 23]> g (float[2] x) => (float[2] y) { y = Neg(x) }')
    for name, code in TensorProto.DataType.items():
        if name in ("UNDEFINED", "STRING"):
            continue
        tensor = model.graph.initializer.add(name=name.lower(), data_type=code, dims=[1])
        if name in ("FLOAT", "COMPLEX64"):
            tensor.float_data.extend([1, 2] if name == "COMPLEX64" else [1])
        elif name in ("DOUBLE", "COMPLEX128"):
            tensor.double_data.extend([1, 2] if name == "COMPLEX128" else [1])
        elif name == "INT64":
            tensor.int64_data.append(1)
        elif name in ("UINT32", "UINT64"):
            tensor.uint64_data.append(1)
        else:
            tensor.int32_data.append(1)
    large = numpy.arange(600, dtype=numpy.float32).reshape(2, 300)  # enough for the tensor store
    model.graph.initializer.append(numpy_helper.from_array(large, "large"))
    model.graph.node.append(helper.make_node("MatMul", ["x", "large"], ["unused"], name="m", doc_string="text"))
    model.metadata_props.add(key="author", value="nobody")
    return model


def models():
    for name, text in MODEL_TEXTS.items():
        put("model", name, onnx.parser.parse_model(text).SerializeToString())
    put("model", "sparse", sparse_model().SerializeToString())
    put("model", "typed", typed_model().SerializeToString())
    put("model", "cut", onnx.parser.parse_model(MODEL_TEXTS["conv_bn"]).SerializeToString()[:100])


def external_data():
    base = "dims=2,3\nlocation=weights.bin\n"
    put("external_data", "plain", base)
    put("external_data", "range", base + "offset=4096\nlength=24\nchecksum=da39a3ee5e6b4b0d3255bfef95601890afd80709\n")
    put("external_data", "twice", base + "location=sub/weights.bin\noffset=0\noffset=8\n")
    put("external_data", "dotted", "dims=256\nlocation=./sub/./weights.bin\ntype=3\n")
    put("external_data", "int4", "dims=3\nlocation=weights.bin\ntype=22\nlength=2\n")
    put("external_data", "past_end", "dims=1000\nlocation=sub/weights.bin\noffset=4096\n")
    put("external_data", "huge", "dims=4611686018427387904,4\nlocation=weights.bin\nlength=0\n")
    put("external_data", "negative", "dims=-1\nlocation=weights.bin\noffset=-1\nlength=18446744073709551612\n")
    for place in ("../outside/secret.bin", "/etc/passwd", "link.bin", "hard.bin", "out/secret.bin", "fifo", "sub", ".", "model.onnx",
                  "sub/../weights.bin", "missing.bin", "weights.bin\0x", "out\\secret.bin", ""):
        name = "at_" + "".join(c if c.isalnum() else "_" for c in place)
        put("external_data", name, f"dims=2\nlocation={place}\n")
    put("external_data", "raw_too", base + "raw=abcd\n")
    put("external_data", "store_key", base + "ingot.store=1\n")


def datasets():
    image = '[[input]]\nname = "x"\nkind = "image"\nfiles = ["*.png"]\n'
    full = ('schema = 1\n' + image + 'color = "gray"\nlayout = "nchw"\ndtype = "float32"\nheight = 4\nwidth = "keep-ratio"\n'
            'max_width = 32\nresize = "nearest"\ndivide = 255.0\nmean = [0.5]\nstd = [0.5]\n')
    put("dataset_toml", "image", full)
    put("dataset_toml", "ctc", full + '[[output]]\nname = "y"\nkind = "ctc"\ndictionary = "symbols.txt"\nblank = 0\n[labels]\nfile = "text.txt"\n')
    put("dataset_toml", "topk", full + '[[output]]\nkind = "topk"\nlabels = "symbols.txt"\n')
    put("dataset_toml", "uint8", 'schema = 1\n' + image + 'color = "bgr"\nlayout = "nhwc"\ndtype = "uint8"\nheight = "keep"\nwidth = "keep"\n')
    put("dataset_toml", "unknown_key", full + 'colour = "rgb"\n')
    put("dataset_toml", "types", 'schema = "1"\ninput = 3\n[output]\nkind = [1, 2.5, nan, 1979-05-27T07:32:00Z]\n')


def projects():
    text = ('[model]\nsource = "model.onnx"\nname = "lines"\nversion = "1.0.0"\nlicense = "MIT"\n[data]\ncalibration = "data.npz"\n'
            'evaluation = "data.npz"\n[quantize]\nscheme = "int8"\nkeep = ["op:Softmax", "/head/*=float16", "re:^a(b|c)+$"]\n'
            'min = ["cosine=0.9"]\nsearch = true\nevaluations = 30\nsamples = 5\ncalibration = "mse"\n[limits]\nsize = "6MiB"\n'
            '"latency.p95" = "20ms"\ntext = 0.95\n[bundle]\noutput = "out/lines"\nruntime = "runtime.so"\nfiles = ["data.npz=data/x.npz"]\n')
    put("project_toml", "full", text)
    put("project_toml", "limits", text.replace("[limits]", '[limits]\n"latency.ratio" = 1e400\nmax_abs = -inf'))
    put("project_toml", "typo", text.replace("scheme", "schema"))
    put("project_toml", "empty", "")


def arrays():
    values = {"f4": numpy.arange(6, dtype="<f4").reshape(3, 2), "i8be": numpy.arange(4, dtype=">i8"), "f2": numpy.ones(3, "<f2"),
              "c8": numpy.ones((1, 2), "<c8"), "b1": numpy.array([True, False]), "u": numpy.array(["ab", "c\u00e9"]), "s": numpy.array([b"ab", b""]),
              "fortran": numpy.asfortranarray(numpy.arange(6, dtype="<i4").reshape(2, 3)), "scalar": numpy.float64(2), "none": numpy.zeros((0, 3))}
    for name, value in values.items():
        file = io.BytesIO()
        numpy.save(file, value)
        put("npy", name, file.getvalue())
    put("npy", "object", b"\x93NUMPY\x01\0\x46\0{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(79) + b"\n")
    for name, save in (("stored", numpy.savez), ("deflated", numpy.savez_compressed)):
        file = io.BytesIO()
        save(file, x=values["f4"], second=values["u"])
        put("npz", name, file.getvalue())
    put("npz", "cut", file.getvalue()[:-30])
    file = io.BytesIO()
    numpy.savez_compressed(file, x=numpy.zeros((300, 2), "<f4"))
    put("npz", "packed_well", file.getvalue())


def pictures():
    for mode, color in (("RGB", (250, 10, 30)), ("L", 100), ("RGBA", (1, 2, 3, 128)), ("P", 3), ("1", 1), ("I;16", 40000), ("LA", (9, 99))):
        file = io.BytesIO()
        Image.new(mode, (5, 3), color).save(file, "PNG")
        put("picture", mode.replace(";", "_"), file.getvalue())
    for mode, color, progressive in (("RGB", (250, 10, 30), False), ("L", 100, False), ("CMYK", (1, 2, 3, 4), False), ("RGB", (9, 99, 9), True)):
        file = io.BytesIO()
        Image.new(mode, (9, 5), color).save(file, "JPEG", progressive=progressive)
        put("picture", f"jpeg_{mode}{'_progressive' * progressive}", file.getvalue())
    put("picture", "jpeg_cut", file.getvalue()[:-40])


def manifests():
    digest, short = "0" * 64, "0" * 32
    entry = {"mode": "0644", "sha256": digest, "size": 5, "xxh3_128": short}
    files = [("config/run.json", "config"), ("model/model.onnx", "model"), ("runtime/x86_64-linux-gnu/libonnxruntime.so.1", "runtime")]
    manifest = {
        "schema": "ingot.bundle/1", "critical": [], "name": "lines", "version": "1.0.0", "self_sha256": digest,
        "targets": [{"triplet": "x86_64-linux-gnu", "min_glibc": "2.28"}],
        "engine": {"name": "onnxruntime", "version": "1.32.0", "api_version": 32, "runtime": files[2][0]},
        "model": {"main": files[1][0], "format": "onnx", "opset": 17, "external_data": [],
                  "inputs": [{"name": "x", "datatype": "FP32", "shape": [-1, 3]}], "outputs": [{"name": "y", "datatype": "FP32", "shape": [2]}]},
        "run": {"config": files[0][0]},
        "files": [{"path": path, "role": role, **entry} for path, role in files],
    }
    canonical = {"sort_keys": True, "separators": (",", ":")}
    put("manifest", "small", json.dumps(manifest, **canonical))
    put("manifest", "critical", json.dumps({**manifest, "critical": ["new"]}, **canonical))
    put("manifest", "spaced", json.dumps(manifest))
    put("manifest", "deep", "[" * 500)
    run = {"schema": "ingot.run/1", "threads": {"intra_op": 1, "spinning": False}, "session": {"graph_opt": "all", "prepack": True}}
    put("run_config", "small", json.dumps(run, **canonical))


def libraries():
    """A shared library of 64 bit by hand: one segment over the file, one with the dynamic table."""
    strings = b"\0libonnxruntime.so.1\0VERS_1.32.0\0GLIBC_2.28\0libc.so.6\0"
    where = {name: strings.index(name) for name in (b"libonnx", b"VERS", b"GLIBC", b"libc.so.6")}
    number = lambda size, *values: b"".join(v.to_bytes(size, "little") for v in values)
    table, verdef, verneed, dynamic = 0x200, 0x300, 0x340, 0x400
    head = b"\x7fELF\2\1\1" + bytes(9) + number(2, 3, 62) + number(4, 1) + number(8, 0, 64, 0) + number(4, 0) + number(2, 64, 56, 2, 0, 0, 0)
    load = number(4, 1, 5) + number(8, 0, 0, 0, 0x600, 0x600, 4096)
    link = number(4, 2, 6) + number(8, dynamic, dynamic, dynamic, 0x80, 0x80, 8)
    file = bytearray(0x600)
    file[: len(head + load + link)] = head + load + link
    file[table : table + len(strings)] = strings
    definition = number(2, 1, 0, 2, 1) + number(4, 0, 20, 0) + number(4, where[b"VERS"], 0)
    need = number(2, 1, 1) + number(4, where[b"libc.so.6"], 16, 0) + number(4, 0) + number(2, 0, 2) + number(4, where[b"GLIBC"], 0)
    file[verdef : verdef + len(definition)] = definition
    file[verneed : verneed + len(need)] = need
    entries = [(5, table), (14, where[b"libonnx"]), (0x6FFFFFFC, verdef), (0x6FFFFFFD, 1), (0x6FFFFFFE, verneed), (0x6FFFFFFF, 1), (0, 0)]
    packed = b"".join(number(8, *entry) for entry in entries)
    file[dynamic : dynamic + len(packed)] = packed
    put("runtime_library", "elf64", bytes(file))
    put("runtime_library", "text", "not a library\n")
    # 1 000 lists of 4 000 versions that are the same 16 KB: every word of them is 4, the way to the next.
    lists, shared = 0x600, 0x600 + 16000
    bomb = file + b"".join(number(2, 1, 4000) + number(4, where[b"libc.so.6"], shared - at, 16)
                           for at in range(lists, shared, 16)) + number(4, *[4] * 4100)
    bomb[dynamic : dynamic + len(packed)] = packed.replace(number(8, 0x6FFFFFFE, verneed), number(8, 0x6FFFFFFE, lists))
    bomb[64 + 32 : 64 + 48] = number(8, len(bomb), len(bomb))
    put("runtime_library", "version_bomb", bytes(bomb))


if __name__ == "__main__":
    for make in (models, external_data, datasets, projects, arrays, pictures, manifests, libraries):
        make()
