# SPDX-License-Identifier: Apache-2.0
"""Makes the files of this folder. They were made with Python 3.11 and NumPy 2.4.6; the PNG files are
put together by hand below, without a PNG library. Run in this folder; the tests never run it."""

import struct
import zlib

import numpy as np


def arrays():
    integers = {t: np.array([[0, 1, 100]], dtype=t) for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")}
    floats = {t: np.array([[0.5, -2, 1e4]], dtype=t) for t in ("f2", "f4", "f8")}
    others = {
        "b1": np.array([True, False, True]),
        "c8": np.array([1 + 2j], dtype="c8"),
        "c16": np.array([1 - 2j], dtype="c16"),
        "text": np.array([["", "naïve"], ["日本", "😀!"]]),
        "scalar": np.array(7, dtype="i4"),
        "empty": np.zeros((0, 3), dtype="f4"),
        "a/b:0": np.arange(600, dtype="f4"),
    }
    return {**integers, **floats, **others}


def save_arrays():
    np.savez("stored.npz", **arrays())
    np.savez_compressed("deflated.npz", **arrays())
    cube = np.arange(24, dtype="i2").reshape(2, 3, 4)
    np.save("c_order.npy", cube)
    np.save("fortran.npy", np.asfortranarray(cube))
    np.save("big_endian.npy", cube.astype(">i2"))
    np.save("big_endian_text.npy", np.array(["ab", "é"]).astype(">U2"))
    np.save("bytes.npy", np.array([b"ab", b"c"]))
    np.save("bfloat16.npy", np.array([0x3F80, 0xC000], dtype="u2").view("V2"))
    np.save("structure.npy", np.zeros(2, dtype=[("a", "f4"), ("b", "i4")]))
    np.save("objects.npy", np.array([None, 1], dtype=object), allow_pickle=True)
    with open("version2.npy", "wb") as file:
        np.lib.format.write_array(file, cube, version=(2, 0))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(name, width, height, depth, color, passes, extra=b"", interlace=0):
    """`passes`: rows of packed bytes, pass by pass; each gets filter 0."""
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)
    data = b"".join(b"\0" + row for rows in passes for row in rows)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra)
        file.write(chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def adam7(pixels):
    """The seven passes of rows over a list of rows of 3-byte pixels."""
    starts = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))
    for y, x, dy, dx in starts:
        rows = [b"".join(row[x::dx]) for row in pixels[y::dy]]
        yield [row for row in rows if row]


def save_pictures():
    # 2 x 2: red, green / blue, white.
    rgb = [bytes([255, 0, 0, 0, 255, 0]), bytes([0, 0, 255, 255, 255, 255])]
    png("rgb.png", 2, 2, 8, 2, [rgb])
    png("gray.png", 3, 1, 8, 0, [[bytes([0, 100, 255])]])
    png("gray1.png", 3, 1, 1, 0, [[bytes([0b10100000])]])
    png("gray16.png", 2, 1, 16, 0, [[struct.pack(">HH", 0x8080, 0x0101)]])
    png("rgb16.png", 1, 1, 16, 2, [[struct.pack(">HHH", 0xFFFF, 0x8080, 0)]])
    palette = chunk(b"PLTE", bytes([10, 20, 30, 40, 50, 60])) + chunk(b"tRNS", bytes([255, 0]))
    png("palette.png", 2, 1, 8, 3, [[bytes([0, 1])]], palette)
    png("rgba.png", 3, 1, 8, 6, [[bytes([0, 0, 0, 255, 0, 0, 0, 0, 100, 0, 255, 51])]])
    png("gray_alpha.png", 2, 1, 8, 4, [[bytes([50, 255, 50, 0])]])
    png("gamma.png", 1, 1, 8, 0, [[bytes([100])]], chunk(b"gAMA", struct.pack(">I", 100000)))
    pixels = [[bytes([10 * x, 10 * y, 0]) for x in range(9)] for y in range(10)]
    png("interlaced.png", 9, 10, 8, 2, adam7(pixels), interlace=1)
    png("huge.png", 60000, 60000, 8, 0, [[bytes(10)]])
    png("claims.png", 5000, 5000, 8, 0, [[bytes(10)]])


save_arrays()
save_pictures()
