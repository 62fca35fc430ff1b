"""Cells of CSV files are never calculated, whatever separator the reader's spreadsheet goes by."""

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from people.spreadsheets import csv_text, safe_cell


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t'=1"),
        ("Ann;=1+1", "Ann;'=1+1"),
        ('Ann;"=1+1"', 'Ann;\'"=1+1"'),
        ("Ann\r\n=1", "Ann\r\n'=1"),
        ("+358 40 123 4567", "'+358 40 123 4567"),
        ("+358401234567", "'+358401234567"),
        ("-24.44", "-24.44"),
        ("+4", "+4"),
        (-24.4375, -24.4375),
        (None, None),
        ("Jean-Luc; O'Brien", "Jean-Luc; O'Brien"),
    ],
)
def test_cell(value, cell):
    assert safe_cell(value) == cell


@given(st.lists(st.text(st.sampled_from(list("=+-@;,'\"\t\r\n a1.")), max_size=8), min_size=1, max_size=3))
def test_no_cell_begins_with_a_formula_at_any_separator(row):
    text = csv_text([row])
    read = next(csv.reader(text.splitlines(keepends=True), strict=True))
    assert len(read) == len(row)
    # As a spreadsheet that knows semicolons alone, or that splits at every one of them, might cut it.
    for pattern in (r"[\r\n]+", r"[;\r\n]", r"[;\t\r\n]"):
        for cell in re.split(pattern, text):
            bare = cell.strip(" \t\"'\r\n,")
            begins = cell.lstrip(' "')
            assert not re.match(r"[=@]", begins), (text, cell, bare)
