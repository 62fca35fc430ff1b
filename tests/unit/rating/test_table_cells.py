"""Cells of tables that people keep elsewhere: days, numbers and names as they are written, and what is wrong with the others."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from faults import Unreadable
from rating.services.tables import (
    MAX_ROWS,
    Line,
    column_names,
    decode_table,
    parse_number,
    parse_time,
    parse_whole_number,
    read_lines,
)


def cell(text, read, **how):
    line = Line(2, {"x": text})
    return read(line, "x", **how), [(fault.code, fault.params["value"]) for fault in line.faults]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-03-14", datetime(2026, 3, 14, 12, tzinfo=UTC)),  # a day is its noon
        ("14.3.2026", datetime(2026, 3, 14, 12, tzinfo=UTC)),
        ("4. 3. 2026", datetime(2026, 3, 4, 12, tzinfo=UTC)),
        ("1900-01-01", datetime(1900, 1, 1, 12, tzinfo=UTC)),
        ("2026-03-14T18:30:00+00:00", datetime(2026, 3, 14, 18, 30, tzinfo=UTC)),
        ("14.3.2026 18:30+00:00", datetime(2026, 3, 14, 18, 30, tzinfo=UTC)),
        ("20260314T18+00", datetime(2026, 3, 14, 18, tzinfo=UTC)),
    ],
)
def test_day_when_written_in_one_of_the_usual_ways_then_read(text, at):
    assert cell(text, parse_time) == (at, [])


def test_time_when_it_names_no_zone_then_that_of_the_site():
    here = timezone.get_current_timezone()
    assert cell("2026-03-14 18:30", parse_time) == (datetime(2026, 3, 14, 18, 30, tzinfo=here), [])


@pytest.mark.parametrize(
    "text", ["soon", "", "2026-02-30", "31.2.2026", "1899-12-31", "2999-01-01", "14.3.26"]
)
def test_day_when_there_is_none_such_then_a_fault_of_its_line(text):
    at, faults = cell(text, parse_time)
    assert faults == [("rating.csv.date", text)]
    assert abs(timezone.now() - at) < timedelta(minutes=5)  # to go on with: the other cells are looked at too


def test_day_when_it_is_of_next_year_then_read_and_of_the_year_after_it_a_fault():
    year = timezone.now().year
    assert cell(f"{year + 1}-12-31", parse_time) == (datetime(year + 1, 12, 31, 12, tzinfo=UTC), [])
    assert cell(f"{year + 2}-01-01", parse_time)[1] == [("rating.csv.date", f"{year + 2}-01-01")]


@pytest.mark.parametrize(("text", "number"), [("0", 0.0), ("12,5", 12.5), ("99", 99.0), ("", 7.0)])
def test_number_when_inside_of_the_range_then_read(text, number):
    assert cell(text, parse_number, low=0.0, high=99.0, default=7.0) == (number, [])


@pytest.mark.parametrize("text", ["-1", "99,5", "many", "nan", "inf", "1.000,5"])
def test_number_when_outside_or_none_then_a_fault_of_its_line(text):
    assert cell(text, parse_number, low=0.0, high=99.0)[1] == [("rating.csv.number", text)]


def test_whole_number_when_it_is_none_then_a_fault_and_the_lowest_to_go_on_with():
    assert cell("5", parse_whole_number, low=1, high=99) == (5, [])
    assert cell("5.0", parse_whole_number, low=1, high=99) == (5, [])
    assert cell("99", parse_whole_number, low=1, high=99) == (99, [])
    assert cell("5.5", parse_whole_number, low=1, high=99) == (5, [("rating.csv.number", "5.5")])
    assert cell("100", parse_whole_number, low=1, high=99) == (1, [("rating.csv.number", "100")])


def test_table_when_its_head_and_lines_are_uneven_then_cells_without_a_head_are_a_fault():
    text = "\ufeffDate;Player Name;\n\n2026-03-14;'=Ann\n2026-03-15;Bob;x;y\n"
    assert column_names(text) == ["date", "player_name", ""]
    lines = read_lines(text, ["date"])
    assert [(line.number, line["player_name"], line["rating"]) for line in lines] == [
        (3, "=Ann", ""),
        (4, "Bob", ""),
    ]
    assert [[fault.code for fault in line.faults] for line in lines] == [[], ["rating.csv.cells"]]


def test_name_when_it_has_signs_of_a_formula_then_only_the_apostrophe_that_our_files_set_is_taken_away():
    names = ["'t Hooft", "E-Jay", "'-5", "'+1", "'@home", "'=1+1", "''s"]
    lines = read_lines("\n".join(["player", *names]), ["player"])
    assert [line["player"] for line in lines] == ["'t Hooft", "E-Jay", "-5", "+1", "@home", "=1+1", "''s"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_file_when_a_spreadsheet_wrote_it_then_its_letters_are_read(encoding):
    assert (
        decode_table("player,rating\nZoë Müller,1500\n".encode(encoding))
        == "player,rating\nZoë Müller,1500\n"
    )


def test_table_when_as_long_as_may_be_then_read_and_one_row_more_is_refused():
    rows = ["player", *["Ann"] * MAX_ROWS]
    assert len(read_lines("\n".join(rows), ["player"])) == MAX_ROWS
    with pytest.raises(Unreadable) as refused:
        read_lines("\n".join([*rows, "Bob"]), ["player"])
    assert [(fault.code, fault.params) for fault in refused.value.faults] == [
        ("rating.csv.large", {"limit": MAX_ROWS})
    ]


@pytest.mark.parametrize(("text", "code"), [("", "empty"), ("player\n", "empty"), ("name\nAnn\n", "columns")])
def test_table_when_it_has_no_rows_or_not_the_columns_then_refused(text, code):
    with pytest.raises(Unreadable) as refused:
        read_lines(text, ["player"])
    assert [fault.code for fault in refused.value.faults] == [f"rating.csv.{code}"]
