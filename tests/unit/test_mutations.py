"""Changes that the tests should notice: made where they mean something, left out where nobody could."""

import ast

import pytest

from tools.mutations import mutations


def changes(source):
    return [(one.before, one.after) for one in mutations(source)]


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("x = a < b\n", "a < b", "(a <= b)"),
        ("x = a + b * c\n", "a + b * c", "(a - b * c)"),
        ("x = 'ö' in a and b\n", "'ö' in a and b", "('ö' in a or b)"),
        ("x = not a\n", "not a", "(a)"),
        ("x = a if b else c\n", "a if b else c", "(c if b else a)"),
        ("x = [a for a in b if a]\n", "[a for a in b if a]", "([a for a in b if not a])"),
        ("def f(a=1):\n    pass\n", "1", "(2)"),
        ("def f():\n    return a\n", "return a", "return None"),
        ("def f():\n    a.save()\n", "a.save()", "pass"),
        ("a.name = b\n", "a.name = b", "pass"),
        ("AFTER: Final = timedelta(days=a + b)\n", "a + b", "(a - b)"),
        ("for a in b:\n    continue\n", "continue", "break"),
    ],
)
def test_code_when_it_says_something_then_it_is_changed(source, before, after):
    assert (before, after) in changes(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""Words, 1 + 1."""\n',
        "def f(a: int | None) -> Draw | None:\n    return None\n",
        "Status = One | Other\n",
        "Rows = dict[str, int] | list[Row] | None\n",
        "__all__ = ['a', 'b']\n",
        "rows = Row.objects.select_related('match__stage').iterator(chunk_size=400)\n",
        "found = Row.objects.select_for_update(no_key=True)\n",
        "field = Field(help_text='1 and 1')\n",
        "def f():\n    return []\n",
        "def f():\n    return {}\n",
        "raise Fault(a + b)\n",
        "@dataclass(frozen=True)\nclass A:\n    pass\n",
        "x = zip(a, b, strict=True)\n",
        "LIMIT: Final = 120\n",
        "SILENT: Final = timedelta(seconds=120)\n",
        "gc.enable()\n",
        "logger.info(a)\n",
        "def __str__(self):\n    return a + b\n",
        "if TYPE_CHECKING:\n    x = 1\n",
    ],
)
def test_code_when_no_test_could_notice_then_it_stays(source):
    assert changes(source) == []


def test_changes_when_made_then_the_rest_of_the_text_stays_and_compiles():
    source = "def f(a, b):\n    # ü\n    return (a\n        + b) > 1  # more\n"
    changed = [one.of(source) for one in mutations(source)]
    assert len(changed) == len(set(changed)) == 4
    for text in changed:
        ast.parse(text)
        assert text.startswith("def f(a, b):\n    # ü\n    ")
