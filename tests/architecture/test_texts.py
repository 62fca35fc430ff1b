"""Every word a visitor reads can be translated."""

import re
from html.parser import HTMLParser

import pytest
from django.template.base import DebugLexer, TokenType

from tests.architecture.source import ROOT

TEMPLATES = ROOT / "templates"
# The design's own sample page is for its makers.
FILES = sorted(path for path in TEMPLATES.rglob("*.html") if "styleguide" not in path.name)
SPOKEN = {"alt", "aria-label", "placeholder", "title"}
WORD = re.compile(r"[^\W\d_]{2,}")
# Names and signs that are the same in every language.
SAME_EVERYWHERE = {"Excel", "Crawford", "FIBS", "QR", "IBAN", "PDF", "CSV", "XG", "SGF", "API", "JSON"}
SILENT = {"script", "style", "code", "svg"}


def markup(source: str) -> str:
    """The template with everything that Django writes cut out: what is left is written in the file itself."""
    kept, silent = [], ""
    for token in DebugLexer(source).tokenize():
        words = token.contents.split() if token.token_type is TokenType.BLOCK else []
        word = words[0] if words else ""
        if silent == "" and (word in {"blocktranslate", "blocktrans", "comment"} or fills_a_tag(words)):
            silent = word
        elif silent and word == f"end{silent}":
            silent = ""
        elif token.token_type is TokenType.TEXT and not silent:
            kept.append(token.contents)
    return "".join(kept)


def fills_a_tag(words: list[str]) -> bool:
    """A block whose content stands inside a tag of the page below it: classes and attributes, by its name."""
    return words[:1] == ["block"] and words[1].endswith(("_class", "_attributes"))


class Spoken(HTMLParser):
    """Collects what is read out or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silence: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.silence.append(tag)
        for name, value in attrs:
            if name in SPOKEN and value:
                self.words += WORD.findall(value)

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT and self.silence:
            self.silence.pop()

    def handle_data(self, data: str) -> None:
        if not self.silence:
            self.words += WORD.findall(data)


def untranslated(source: str) -> list[str]:
    reader = Spoken()
    reader.feed(markup(source))
    return [word for word in reader.words if word not in SAME_EVERYWHERE]


def test_template_has_no_text_outside_translation() -> None:
    assert len(FILES) > 300
    bare = {path: untranslated(path.read_text()) for path in FILES}
    assert {str(path.relative_to(TEMPLATES)): words for path, words in bare.items() if words} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>{% translate 'Draw' %}</p>", []),
        ("<p>Draw</p>", ["Draw"]),
        ('<a title="Next round" class="plain">{{ name }}</a>', ["Next", "round"]),
        ('<a title="{% translate "Next" %}">7–4</a>', []),
        ("{% blocktranslate %}Round {{ n }}{% endblocktranslate %} of", ["of"]),
        ("{% block body_class %}wide{% endblock %}{% block content %}Hello{% endblock %}", ["Hello"]),
        ('<p class="{% if a %}first{% else %}second{% endif %}"></p>', []),
    ],
)
def test_reader_when_text_is_bare_then_finds_it(source: str, found: list[str]) -> None:
    assert untranslated(source) == found
