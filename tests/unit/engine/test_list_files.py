"""Files with lists: encodings, workbooks, and what is refused."""

import io
import zipfile
from datetime import date

import pytest
import xlsxwriter

from faults import Unreadable
from tournaments.engine.lists.files import decode_text, read_text


def workbook(*rows, sheets=("People",), first=(0, 0)):
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        for name in sheets:
            sheet = book.add_worksheet(name)
        for at, row in enumerate(rows, start=first[0]):
            sheet.write_row(at, first[1], row)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Søren Kjær", "utf-8"),
        ("Søren Kjær", "utf-8-sig"),
        ("Søren Kjær", "utf-16"),
        ("Søren Kjær; Dänemark", "utf-16-le"),
        ("Søren Kjær\nÅse Ødegård", "cp1252"),
        ("Jürgen Groß\nZoë Müller", "cp1252"),
        ("Ana Peña", "cp1252"),  # to a Pole the same byte is another letter
        ("Łukasz Żak\nWisława Święcicka", "cp1250"),
        ("Božena Němcová\nJiří Dvořák", "cp1250"),
        ("Petőfi Sándor\nKűhár Ödön", "cp1250"),
        ("Işıl Çelik\nOğuz Şahin", "cp1254"),
        ("Γιώργος Σεφέρης", "cp1253"),
        ("Анна Горенко", "cp1251"),
        ("Þórunn Ægisdóttir – greitt", "cp1252"),
    ],
)
def test_text_when_in_an_encoding_of_spreadsheets_then_its_letters_are_found(text, encoding):
    assert decode_text(text.encode(encoding)) == text


def test_workbook_when_it_has_cells_then_rows_with_tabs():
    data = workbook(["Name", "Elo", "Born"], ["Zoë\nMüller", 1623.5, ""], ["Bo Ek", 1500, ""])

    assert read_text(data) == "Name\tElo\tBorn\nZoë Müller\t1623.5\t\nBo Ek\t1500\t"


def test_workbook_when_the_first_sheet_is_empty_then_the_next_one():
    assert read_text(workbook(["Ann Lind"], sheets=("Empty", "People"))) == "Ann Lind"


def test_workbook_when_dates_and_formulas_then_values():
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_datetime(0, 0, date(2026, 3, 1), book.add_format({"num_format": "yyyy-mm-dd"}))
        sheet.write_formula(0, 1, '=HYPERLINK("http://example.org")', value="Ann")
    assert read_text(out.getvalue()) == "2026-03-01\tAnn"


def packed(**parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def altered(data, name, old, new):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for one in source.namelist():
            content = source.read(one)
            file.writestr(one, content.replace(old, new) if one == name else content)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a" * 2_000_001, "list.file_large"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, "list.file_old"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(1, 255)), "list.file_unreadable"),
        (b"PK\x03\x04 no zip at all", "list.file_unreadable"),
        (packed(readme="Ann"), "list.file_unreadable"),
        (packed(**{"xl__workbook.xml": "<nonsense>"}), "list.file_unreadable"),
        (workbook(["Ann"])[:-300], "list.file_unreadable"),
        (packed(**{"xl__workbook.xml": "", "bomb": b"\0" * 50_000_000}), "list.file_unpacked"),
        (altered(workbook(["Ann"]), SHEET, b'r="A1"', b'r="XFD1048576"'), "list.file_unpacked"),
        (workbook(*[["x" * 30_000] * 100] * 60), "list.file_unpacked"),
        (workbook([""]), "list.file_empty"),
    ],
    ids=[
        "large",
        "old",
        "picture",
        "no zip",
        "no workbook",
        "torn",
        "cut off",
        "bomb",
        "wide",
        "texts",
        "empty",
    ],
)
def test_file_when_it_cannot_be_read_then_refused_with_the_reason(data, code):
    with pytest.raises(Unreadable) as refused:
        read_text(data)
    assert refused.value.faults[0].code == code
