#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Renders the text lines of this example: each row of calib/labels.tsv and eval/labels.tsv to its PNG.

Was run once; the pictures are kept in the repository. Needs Pillow and Debian's fonts-dejavu-core. Sizes, fonts, colours,
blur, noise and contrast are drawn from a generator seeded by the folder and the file name, so a row can change without the others.
"""

import pathlib
import random

from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
FACES = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSerif", "DejaVuSerif-Bold"]
MIN_CONTRAST = 85  # of 255, between the brightness of text and ground
COLOURS = 32  # a short palette keeps noisy pictures small


def brightness(colour):
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def pick_colours(rng):
    """Text and ground, dark on light or (one in four) light on dark."""
    while True:
        dark = tuple(rng.randint(0, 120) for _ in range(3))
        light = tuple(rng.randint(150, 255) for _ in range(3))
        if brightness(light) - brightness(dark) >= MIN_CONTRAST:
            return (light, dark) if rng.random() < 0.25 else (dark, light)


def uneven_light(picture, rng):
    """Brightens one end and darkens the other by a few percent, as a lamp beside the page does."""
    slope = rng.uniform(-0.12, 0.12)
    ramp = Image.linear_gradient("L").rotate(90).resize(picture.size)
    lit = picture.point(lambda value: max(0, min(255, round(value * (1 + slope)))))
    return Image.composite(lit, picture, ramp)


def noisy(picture, rng, strength):
    """Adds the same normal noise to the three channels of each pixel."""
    values = list(picture.get_flattened_data())
    grains = [rng.gauss(0, strength) for _ in values]
    picture.putdata([tuple(max(0, min(255, round(c + g))) for c in value) for value, g in zip(values, grains)])
    return picture


def render(text, seed):
    rng = random.Random(seed)
    height = rng.randint(24, 64)
    font_size = round(height * rng.uniform(0.52, 0.72))
    font = ImageFont.truetype(str(FONTS / (rng.choice(FACES) + ".ttf")), font_size)
    left, top, right, bottom = font.getbbox(text)
    margin = round(height * rng.uniform(0.12, 0.34))
    ink, ground = pick_colours(rng)
    picture = Image.new("RGB", (right - left + 2 * margin, height), ground)
    y = (height - (bottom - top)) / 2 - top + rng.uniform(-0.04, 0.04) * height
    ImageDraw.Draw(picture).text((margin - left, y), text, font=font, fill=ink)
    if rng.random() < 0.4:
        picture = picture.rotate(rng.uniform(-0.6, 0.6), Image.Resampling.BICUBIC, fillcolor=ground)
    if rng.random() < 0.6:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.022 * height)))
    picture = uneven_light(picture, rng)
    if rng.random() < 0.7:
        picture = noisy(picture, rng, rng.uniform(2, 10))
    return picture.quantize(COLOURS, dither=Image.Dither.NONE)


def main():
    here = pathlib.Path(__file__).parent
    for folder in ("calib", "eval"):
        for row in (here / folder / "labels.tsv").read_text(encoding="utf-8").splitlines():
            name, text = row.split("\t")
            render(text, f"{folder}/{name}").save(here / folder / name, optimize=True)


if __name__ == "__main__":
    main()
