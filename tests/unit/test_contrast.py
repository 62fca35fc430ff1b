"""Colours are legible: every pair of tokens that is written on one another meets WCAG AA, in light and in dark."""

import re
from pathlib import Path

import pytest

TOKENS = (Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css").read_text(encoding="utf-8")

TEXT = 4.5  # WCAG 1.4.3
SHAPE = 3.0  # WCAG 1.4.11: borders of controls, focus rings, icons

GROUNDS = ("paper", "surface", "sunk")
PAIRS = [
    *[
        (ink, ground, TEXT)
        for ink in ("ink", "ink-muted", "accent", "accent-strong", "oxblood")
        for ground in GROUNDS
    ],
    *[("line-strong", ground, SHAPE) for ground in GROUNDS],
    *[("focus", ground, SHAPE) for ground in GROUNDS],
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-strong", TEXT),
    ("on-oxblood", "oxblood", TEXT),
    ("on-oxblood", "oxblood-strong", TEXT),
    ("accent-strong", "accent-soft", TEXT),
    ("ink", "accent-soft", TEXT),
    ("ink-muted", "accent-soft", TEXT),
    ("paper", "ink", TEXT),
    *[
        (f"{tone}-ink", f"{tone}-bg", TEXT)
        for tone in ("neutral", "info", "warn", "live", "plum", "bad", "good")
    ],
    ("oxblood", "bad-bg", TEXT),
    ("hero-ink", "hero-bg", TEXT),
    ("hero-ink", "hero-shade", TEXT),
]


def block(selector: str) -> dict[str, str]:
    start = TOKENS.index(selector + " {")
    body = TOKENS[start : TOKENS.index("}", start)]
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", body))


def luminance(colour: str) -> float:
    def channel(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    red, green, blue = (channel(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


THEMES = {"light": block(":root"), "dark": block(':root[data-theme="dark"]')}


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # The grey that WCAG's own documents name as the lightest allowed on white.
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground", "needed"), PAIRS, ids=str)
def test_pair_meets_aa(theme: str, ink: str, ground: str, needed: float):
    tokens = THEMES[theme]
    assert contrast(tokens[ink], tokens[ground]) >= needed, f"{ink} on {ground} in {theme}"


def test_dark_is_the_same_by_wish_and_by_choice():
    assert block(':root:not([data-theme="light"])') == THEMES["dark"]
    assert THEMES["dark"].keys() == THEMES["light"].keys()
