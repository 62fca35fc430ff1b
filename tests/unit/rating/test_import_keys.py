"""Keys of imported rows hold what they ever held, or the same file would count twice."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from people.models import Club
from rating.formulas.rateable import Discipline, ResultKind
from rating.models import RatingList
from rating.services.keys import former_keys, normalize_key_name, opening_fact_keys, result_keys
from rating.services.result_tables import ResultRow, Weight
from rating.services.tables import OpeningRow, TablePerson

AT = datetime(2026, 7, 1, 16, 30, tzinfo=UTC)
CLUB, LIST = Club(public_id="club"), RatingList(public_id="list")
NEW = TablePerson("Ann Lee", word="ann  LEE", ref="ann lee")
BY_ID = TablePerson("Bob", 7, word="b-o-b", is_named_by_id=True)
RENAMED = TablePerson("Bob Berger", 7, word="Bob")
ROW = ResultRow(
    2, NEW, BY_ID, 7, 7, 3, ResultKind.PLAYED, AT, "Open", Weight(), Discipline.STANDARD, "", True
)


def key(what: str, *parts: object) -> str:
    return f"{what}:{hashlib.sha256(chr(31).join(map(str, parts)).encode()).hexdigest()[:32]}"


def test_name_in_key_when_letters_are_folded_otherwise_today_then_as_it_ever_was():
    assert normalize_key_name("Søren  ŁOŚ-Weiß") == "søren weiss łos"


def test_result_is_called_by_what_the_file_has_and_may_be_called_by_the_names_of_the_time():
    rest = (7, "7-3", AT, "Open")
    by_name = key("csv", "club", "ann lee", "bob", *rest)
    assert result_keys(CLUB, ROW) == [key("csv", "club", "ann lee", "#7", *rest), by_name]
    renamed = replace(ROW, loser=RENAMED)
    assert result_keys(CLUB, renamed) == [by_name, key("csv", "club", "ann lee", "berger bob", *rest)]
    assert result_keys(CLUB, replace(ROW, loser=TablePerson("Bob", 7, word="Bob"))) == [by_name]


def test_row_of_a_ledger_is_called_by_its_key_there():
    assert result_keys(CLUB, replace(ROW, origin="match:1")) == [key("csv", "club", "ledger", "match:1")]
    opening = OpeningRow(2, NEW, 1700.0, 0, None, AT, "opening:1")
    assert opening_fact_keys(LIST, opening, AT) == [key("opening", "list", "ledger", "opening:1")]


def test_row_had_another_key_only_where_its_time_was_taken_for_another_one():
    assert former_keys(CLUB, ROW) == []
    utc = AT.replace(hour=19)
    before = former_keys(CLUB, replace(ROW, as_utc=utc))
    assert before == result_keys(CLUB, replace(ROW, played_at=utc))
    assert not {*before} & {*result_keys(CLUB, ROW)}


@pytest.mark.parametrize(("deviation", "rest"), [(None, ()), (80.5, (80.5,))])
def test_opening_is_called_by_its_deviation_too_where_it_has_one(deviation, rest):
    row = OpeningRow(2, RENAMED, 1700.0, 0, deviation)
    assert opening_fact_keys(LIST, row, AT) == [
        key("opening", "list", name, AT, 1700.0, *rest) for name in ("bob", "berger bob")
    ]
