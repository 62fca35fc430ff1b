"""Templates: all compile, none needs more than the strict content policy, what they name is there."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template import engines
from django.template.loader import get_template, render_to_string
from django.test import RequestFactory

from config.sample_draws import sample_draw
from config.styleguide import EVENT_STATUSES, MATCH_STATUSES, sample_context
from tournaments.shared.fragments.bracket import bracket_context

ROOT = Path(__file__).resolve().parents[2] / "templates"
FILES = sorted(ROOT.rglob("*.html"))
TEXTS = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in FILES}
NAMES = list(TEXTS)
ALONE = {"bundles/printed.html", "bundles/_plain.html"}  # opened from a folder, with no site beside it
ICONS = set(
    re.findall(r'<symbol id="([\w-]+)"', (ROOT.parent / "static/img/icons.svg").read_text(encoding="utf-8"))
)


def test_every_template_compiles():
    assert len(NAMES) > 300
    for name in NAMES:
        assert get_template(name), name


def test_templates_keep_to_the_content_policy():
    for name, text in TEXTS.items():
        assert name in ALONE or not re.search(r"<style\b|\sstyle\s*=", text), (
            f"{name}: styles belong into static/css"
        )
        assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text), f"{name}: handlers belong into static/js"
        for script in re.findall(r"<script\b[^>]*>", text):
            assert "src=" in script or 'type="application/json"' in script, f"{name}: {script}"
        assert not re.search(r"(?:src|href)=[\"'](?:https?:)?//", text), f"{name}: no request leaves the site"


def test_what_templates_name_is_there():
    for name, text in TEXTS.items():
        for path in re.findall(r"{%\s*static\s+[\"']([^\"']+)[\"']\s*%}", text):
            assert finders.find(path), f"{name}: {path}"
        for icon in re.findall(r"_icon\.html[\"'] with name=[\"']([\w-]+)[\"']", text):
            assert icon in ICONS, f"{name}: {icon}"
        for included in re.findall(r"{%\s*(?:include|extends)\s+[\"']([^\"']+)[\"']", text):
            assert included in TEXTS or get_template(included), f"{name}: {included}"


@pytest.mark.parametrize(
    "name", ["400.html", "403.html", "403_csrf.html", "404.html", "500.html", "full.html"]
)
def test_error_page_stands_without_any_context(name):
    html = engines["django"].get_template(name).render()
    assert "<h1>" in html
    assert 'href="/"' in html


@pytest.mark.parametrize("status", [*MATCH_STATUSES, *EVENT_STATUSES])
def test_every_status_has_words_of_its_own(status):
    html = render_to_string("shared/_status.html", {"status": status})
    words = re.sub(r"<[^>]+>", "", html).strip()
    assert words
    assert words != status


def test_styleguide_shows_everything():
    request = RequestFactory().get("/styleguide/")
    html = get_template("styleguide.html").render(sample_context(), request)
    for part in (
        "bracket-match",
        "match-card",
        "error-summary",
        "stepper",
        "table is-stacked",
        "timeline",
        "dialog",
    ):
        assert f'class="{part}' in html, part


@pytest.mark.parametrize("entries", [2, 3, 13, 64, 100, 1024])
def test_bracket_of_any_size_shows_every_match_once(entries):
    bracket = bracket_context(sample_draw(entries, rounds=1), "Bracket")
    (section,) = bracket["sections"]
    html = render_to_string("shared/_bracket.html", {"bracket": bracket})
    size = 1 << section["size"]
    assert size >= entries > size // 2
    assert html.count('class="bracket-match') == size - 1
    assert html.count('class="bracket-match is-bye') == size - entries
    assert sorted(map(int, re.findall(r'id="s1m(\d+)"', html))) == list(range(1, size))


def test_match_card_of_an_unknown_side_shows_where_it_comes_from():
    match = sample_context()["matches"][MATCH_STATUSES.index("waiting")]
    html = render_to_string("shared/_match_card.html", {"match": match})
    assert "Winner of match 12" in html


def test_match_card_escapes_names():
    match = sample_context()["matches"][0]
    match["sides"][0]["name"] = "<b>Bold</b>"
    html = render_to_string("shared/_match_card.html", {"match": match})
    assert "<b>" not in html
    assert html.count("&lt;b&gt;Bold") == 1


def test_nothing_moves_for_ever():
    """An idle page lets the processor of a phone sleep: a dot that pulses on and on costs 5 % of a core."""
    styles = sorted((ROOT.parent / "static/css").rglob("*.css"))
    assert len(styles) > 5
    assert [
        path.name for path in styles if re.search(r"\binfinite\b", path.read_text(encoding="utf-8"))
    ] == []
