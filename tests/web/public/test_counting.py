"""What results count for: the page and the book of rules say what the engine's table says, and nothing else."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.support.tournaments import text_of
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.types import ResultKind
from tournaments.shared.words.result_kinds import result_effect_message, result_effect_rows

COLUMNS = ("code", "who", "standing", "tie_breaks", "consolation", "rating")


@pytest.mark.django_db
def test_page_has_a_row_for_every_kind_as_the_table_says(client: Client):
    text = text_of(client.get(reverse("public:counting"), headers={"accept-language": "en"}))
    for row in result_effect_rows():
        told = " ".join(str(row[name]) for name in ("name", *COLUMNS[1:]))
        assert told in text


def test_rules_book_when_read_then_its_table_is_the_code_s():
    section = Path(settings.BASE_DIR, "docs", "rules.md").read_text().split("\n## Results\n")[1]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", section.split("\n## ")[0], re.MULTILINE)
    written = [(code, *rest.split(" | ")) for code, rest in rows]
    assert written == [tuple(row[name] for name in COLUMNS) for row in result_effect_rows()]


@pytest.mark.parametrize("kind", list(ResultKind))
def test_sentence_when_the_stage_is_not_rated_then_no_kind_is(kind):
    assert result_effect_message(kind, rated=False).endswith("Ratings: no.")
    said = result_effect_message(kind)
    assert said.endswith("Ratings: yes." if RESULT_RULES[kind].rated else "Ratings: no.")


def test_rows_say_who_wins_and_who_plays_on_as_a_director_would():
    rows = {row["code"]: row for row in result_effect_rows()}
    assert rows["unfinished"]["standing"].startswith("half a point each")
    assert rows["double_walkover"]["standing"].startswith("no point")
    assert rows["walkover"]["consolation"] == "if the event allows it"
    assert rows["retired"]["consolation"] == "yes"
    assert (rows["disqualified"]["consolation"], rows["bye"]["consolation"]) == ("no", "neither side")
    assert rows["adjourned"]["tie_breaks"] == "nothing yet"
