"""Pages of a list that nobody counts."""

import pytest

from people.pages import UncountedPage

ROWS = list(range(25))


@pytest.mark.parametrize(
    ("asked", "number", "rows", "follows"),
    [
        (1, 1, range(10), True),
        ("2", 2, range(10, 20), True),
        ("3", 3, range(20, 25), False),
        ("4", 3, range(20, 25), False),
        ("99999999", 3, range(20, 25), False),
        ("999999999", 1, range(10), True),
        ("0", 1, range(10), True),
        ("-1", 1, range(10), True),
        ("x", 1, range(10), True),
        ("\u00b2", 1, range(10), True),
        (None, 1, range(10), True),
    ],
)
def test_page_has_its_rows_and_knows_whether_another_follows(asked, number, rows, follows):
    page = UncountedPage.of(ROWS, asked, 10)
    assert (page.number, list(page), page.has_next) == (number, list(rows), follows)
    assert (page.has_previous, page.has_other_pages) == (number > 1, True)


def test_full_last_page_has_no_next_one_and_an_empty_list_one_page():
    assert not UncountedPage.of(ROWS[:20], 2, 10).has_next
    empty = UncountedPage.of([], 7, 10)
    assert (empty.number, len(empty), empty.has_other_pages) == (1, 0, False)
