"""A position as a picture to be passed on: what is written fits its column, nothing of a title breaks it, and it becomes a PNG."""

import re
from itertools import pairwise

import pytest

from games.rules.xgid import XgId
from games.web.cards import HEIGHT, WIDTH, card_svg, printable_text, render_png, text_width, wrap_text

PLAY = XgId.from_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:3:2:0:7:10")
TEXT = re.compile(r'<text x="(\d+)" y="(\d+)" font-size="(\d+)" [^>]*>([^<]*)<')
LONG = "Offene Deutsche Mannschaftsmeisterschaften & Donaudampfschifffahrtsgesellschaftskapitänsturnier <zu Ehren aller>"


def test_title_when_it_has_letters_that_the_font_lacks_then_none():
    assert printable_text("  Masters 🎲\x00 Łódź\u202e ") == "Masters Łódź"
    assert printable_text("Αθήνα Επεισόδιο 4 · Москва") == "Αθήνα Επεισόδιο 4 · Москва"
    assert printable_text("Open 東京") == ""
    assert printable_text("🎲") == ""


def test_words_when_too_many_then_cut_with_a_sign():
    assert wrap_text("White to play 5-2", 40, 200, 3) == ["White to", "play 5-2"]
    assert wrap_text("White to play 5-2", 40, 200, 1) == ["White t…"]
    assert wrap_text("", 40, 200, 1) == []
    assert all(text_width(line, 30) <= 200 for line in wrap_text("w" * 40, 30, 200, 9))


@pytest.mark.parametrize("question", ["Take?", "Schwarz hat gedoppelt. Annehmen oder passen?", "word " * 60])
def test_card_when_words_are_long_then_they_stay_in_their_column_and_apart(question):
    details = ["Match bis 25", "Weiß 24, Schwarz 23", "Würfel 1024 bei Schwarz"]
    found = TEXT.findall(card_svg(PLAY, question, details, LONG))
    words = [(int(x), int(y), int(size), text) for x, y, size, text in found]
    assert len(words) >= 5
    for x, y, size, text in words:
        assert size < y < HEIGHT - 8
        width = text_width(text.replace("&amp;", "&").replace("&lt;", "<"), size)
        assert x + width / (1.12 if size == 32 else 1) < WIDTH
    assert all(below[1] - above[1] >= below[2] for above, below in pairwise(words))


def test_png_when_made_then_of_the_size_that_was_asked_and_not_of_one_colour():
    picture = render_png(card_svg(PLAY, "White to play 3-1. What would you play?", ["7-point match"], LONG))
    assert picture[:16] == b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
    assert tuple(int.from_bytes(picture[at : at + 4]) for at in (16, 20)) == (WIDTH, HEIGHT)
    assert 15_000 < len(picture) < 200_000
    assert render_png(card_svg(PLAY, "", [], "")) != picture
