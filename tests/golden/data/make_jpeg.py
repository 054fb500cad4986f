# SPDX-License-Identifier: Apache-2.0
"""Makes the JPEG files of this folder, and for each that can be read NAME.rgb: the bytes [height, width, 3] that Pillow's own decoder
(libjpeg-turbo 3) gives. They were made with Python 3.11 and Pillow 13.0.0. Run in this folder; the tests never run it."""

import struct

import numpy as np
from PIL import Image


def scene():
    """20 x 13 pixels with edges in luma and chroma: odd sizes reach the borders of the upsampling."""
    y, x = np.mgrid[0:13, 0:20]
    red = (x * 13) % 256
    green = np.where((x // 4 + y // 3) % 2 == 0, 230, 20)
    blue = (y * 19 + x) % 256
    return Image.fromarray(np.stack([red, green, blue], axis=-1).astype(np.uint8))


def save(name, image, **options):
    image.save(f"{name}.jpg", quality=85, **options)
    with Image.open(f"{name}.jpg") as again:
        if again.mode != "CMYK":
            open(f"{name}.rgb", "wb").write(again.convert("RGB").tobytes())


def with_size(source, name, width, height, start_of_frame=0xC0):
    data = bytearray(open(f"{source}.jpg", "rb").read())
    at = data.index(b"\xff\xc0")
    data[at + 1] = start_of_frame
    data[at + 5:at + 9] = struct.pack(">HH", height, width)
    open(f"{name}.jpg", "wb").write(data)


def segment(marker, body):
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def many_scans():
    """One gray block, progressive, each of its 63 other coefficients in two scans of its own."""
    one_code = bytes([1] + [0] * 15 + [0])  # the code 0 of one bit: category 0, end of block
    head = segment(0xDB, bytes([0] + [1] * 64)) + segment(0xC2, struct.pack(">BHHBBBB", 8, 8, 8, 1, 1, 0x11, 0))
    tables = segment(0xC4, b"\x00" + one_code) + segment(0xC4, b"\x10" + one_code)

    def scan(first, last, approximation):
        return segment(0xDA, bytes([1, 1, 0, first, last, approximation])) + b"\x7f"

    scans = [scan(0, 0, 0)] + [scan(k, k, 0x01) for k in range(1, 64)] + [scan(k, k, 0x10) for k in range(1, 64)]
    open("scans.jpg", "wb").write(b"\xff\xd8" + head + tables + b"".join(scans) + b"\xff\xd9")


def main():
    image = scene()
    save("color420", image, subsampling="4:2:0")
    save("color444", image, subsampling="4:4:4")
    save("progressive", image, subsampling="4:2:0", progressive=True)
    save("gray_jpeg", image.convert("L"))
    save("plain_rgb", image, keep_rgb=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    save("turned", image, subsampling="4:2:2", exif=exif.tobytes())
    save("cmyk", image.convert("CMYK"))
    with_size("gray_jpeg", "huge_jpeg", 60000, 60000)
    with_size("gray_jpeg", "claims_jpeg", 5000, 5000)
    with_size("gray_jpeg", "arithmetic", 20, 13, start_of_frame=0xC9)
    many_scans()


if __name__ == "__main__":
    main()
