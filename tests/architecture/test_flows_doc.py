"""docs/flows.md shows the state tables of the code as the code prints them, all of them and nothing else."""

from pathlib import Path

import pytest
from django.conf import settings

from tools import flows


def test_flows_when_printed_again_then_the_page_is_as_it_is():
    page = Path(settings.BASE_DIR, "docs", "flows.md").read_text()
    assert flows.with_tables(page) == page


@pytest.mark.parametrize("name", [*flows.LIVE, "repair"])
def test_flows_when_a_row_is_changed_by_hand_then_it_is_printed_as_the_code_has_it(name):
    page = Path(settings.BASE_DIR, "docs", "flows.md").read_text()
    row = "| " + " | ".join(list(flows.rows_of(name))[1]) + " |"
    assert row in page
    assert flows.with_tables(page.replace(row, "| a | b | c |")) == page
