"""docs/flows.md shows the state tables of the code, all of them and nothing else."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from tournaments.engine import lifecycle


@pytest.mark.parametrize("noun", ["Event", "Stage", "Entry", "Match"])
def test_flows_when_read_then_its_state_table_is_the_code_s(noun):
    text = Path(settings.BASE_DIR, "docs", "flows.md").read_text()
    section = text.split(f"\n## {noun}\n", 1)[1].split("\n## ", 1)[0]
    rows = [tuple(row) for row in re.findall(r"^\| (\w+) \| (\w+) \| (\w+) \|$", section, re.MULTILINE)]
    table = getattr(lifecycle, f"{noun.upper()}_TABLE")
    assert rows[1:] == [(str(old), str(action), str(new)) for (old, action), new in table.items()]
    assert rows[0] == ("from", "action", "to")
