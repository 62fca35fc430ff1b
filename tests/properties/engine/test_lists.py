"""Whatever is pasted, the reader of lists answers, and never makes a name of an address or a number."""

from hypothesis import given
from hypothesis import strategies as st

from people.countries import countries
from tournaments.engine.lists.reader import parse_list
from tournaments.engine.lists.values import MAX_NAME_LENGTH, MAX_NOTE_LENGTH
from tournaments.engine.lists.words import ColumnRole

PIECES = st.sampled_from(
    [
        *(
            "Müller",
            "Hans",
            "von",
            "der",
            "O'Brien",
            "JEAN",
            "Łoś",
            "田中",
            "Jr.",
            "Dr.",
            "A.",
            "Name",
            "Country",
            "Elo",
            "Team:",
        ),
        *(
            "GER",
            "Denmark",
            "🇩🇰",
            "(",
            ")",
            "[",
            "]",
            "{",
            "<",
            ">",
            '"',
            "'",
            ",",
            ";",
            "\t",
            "|",
            "/",
            "&",
            "+",
            "-",
            "–",
            ":",
            "\n",
            "  ",
        ),
        *(
            "1623",
            "1.",
            "#4",
            "+45 12 34 56 78",
            "a@example.org",
            "paid",
            "✅",
            "❌",
            "50 €",
            "01.02.2026",
            "x",
            "=",
            "*",
            "@",
            "1,5",
            "Open",
            "BC Köln",
        ),
    ]
)
LISTS = st.one_of(
    st.text(max_size=300),
    st.lists(PIECES, max_size=60).map(" ".join),
    st.lists(PIECES, max_size=60).map("".join),
)


def fits(found):
    for one in found.people:
        assert one.name == one.name.strip() != ""
        assert len(one.name) <= MAX_NAME_LENGTH
        assert len(one.note) <= MAX_NOTE_LENGTH
        assert not one.email or one.email not in one.name
        assert any(c.isalpha() for c in one.name)
        assert one.rating is None or 0 <= one.rating < 10_000
        assert len(one.country) in {0, 2}
        assert not set("\t\n\r") & set(one.name + one.note + one.club)


@given(LISTS, st.integers(1, 3))
def test_read_list_when_anything_is_pasted_then_it_answers(text, size):
    fits(parse_list(text, countries(), size=size))


@given(st.lists(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=6), max_size=8), st.integers(1, 2))
def test_read_list_when_any_spreadsheet_then_it_answers(rows, size):
    text = "\n".join("\t".join(" ".join(cell.split()) for cell in row) for row in rows)
    fits(parse_list(text, countries(), size=size))


@given(
    st.lists(st.sampled_from(["Ann Lind", "Bo Ek"]), min_size=1, max_size=5),
    st.dictionaries(st.integers(0, 9), st.sampled_from(ColumnRole)),
)
def test_read_list_when_roles_are_for_columns_that_are_not_there_then_they_are_ignored(names, roles):
    fits(parse_list("\n".join(names), countries(), roles=roles))
