"""Texts that people read without a catalogue are found, and worn words in them."""

import pytest

from tools.wording import english_only, texts_of, worn_phrases

PROGRAM = '''"""Measure it.

    python tools/one.py [--matrix]
"""
def count(number):
    """Not shown."""
    print(f"{number} walk-overs")
'''
VIEW = '''"""Not shown."""
class Take(View):
    """Take it."""
    def post(self, request):
        """Post it."""
    def helper(self):
        """Not shown."""
    code = "match.unknown"
'''


@pytest.mark.parametrize(
    ("path", "source", "texts"),
    [
        ("tools/one.py", PROGRAM, ["Measure it.\n\n    python tools/one.py [--matrix]\n", "{} walk-overs"]),
        ("tournaments/one/api.py", VIEW, ["Take it.", "Post it."]),
    ],
)
def test_module_when_read_then_its_texts_are_those_that_are_shown(path, source, texts):
    assert [text for _line, text in texts_of(path, source)] == texts


def test_text_when_worn_then_named_but_not_what_is_marked_as_code():
    assert worn_phrases("There is no `promise` and ``desk line`` here; nobody knows.") == [
        "There is no",
        "nobody",
    ]
    assert worn_phrases("Measure it.\n\n    python tools/one.py [--matrix]") == []


def test_files_when_looked_for_then_each_kind_is_among_them():
    files = {place.partition(":")[0] for place, _text in english_only()}
    assert files >= {
        "Makefile",
        ".ci/long",
        "tools/run.py",
        "benchmarks/load.py",
        "config/settings.py",
        "people/api/description.py",
        "tournaments/desk/api.py",
        "tournaments/management/commands/restore.py",
        "tournaments/bundles/command.py",
    }
