"""A file that comes again after some of its rows were taken back or corrected: every line is told what becomes of it."""

from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from people.actors import Actor
from rating.models import Fact, FactKind
from rating.services.corrections import correct_fact, void_fact
from tests.support.rating import Book
from tests.web.rating.test_director import upload, url

pytestmark = pytest.mark.django_db

TEXT = "date,winner,loser,length\n2026-01-05,Ann,Bob,7\n2026-01-06,Bob,Ann,5\n2026-01-07,Ann,Cleo,5\n2026-01-07,Ann,Cleo,5\n"


@pytest.fixture
def taken(book: Book, director) -> Book:
    """All four are in; the first was taken back, the second corrected."""
    director.post(url("import-results", book.club.public_id), {"text": TEXT, "take": "1"})
    first, second = Fact.objects.filter(
        source_key__startswith="csv:", played_at__lt=datetime(2026, 1, 7, tzinfo=UTC)
    ).order_by("moment")
    actor = Actor.program()
    void_fact(actor=actor, number=first.pk)
    correct_fact(
        actor=actor,
        number=second.pk,
        winner=book.player("Ann").public_id,
        loser=book.player("Bob").public_id,
        length=5,
    )
    return book


def test_dry_run_says_line_by_line_what_stays_out(taken, director):
    checked = director.post(url("import-results", taken.club.public_id), {"file": upload(TEXT)})
    assert checked.status_code == 200
    words = checked.content.decode()
    assert "Line 2 is skipped because it was imported and removed earlier" in words
    assert "Line 3 was imported and corrected earlier" in words
    assert "Line 4" not in words
    assert "Import removed results again" in words
    report = checked.context["report"]
    assert (report.new, report.known, report.taken_back) == (0, 3, 1)


def test_row_that_was_taken_back_stays_out_and_the_director_is_told(taken, director):
    facts = Fact.objects.count()
    done = director.post(
        url("import-results", taken.club.public_id), {"text": TEXT, "take": "1"}, follow=True
    )
    assert "1 row skipped" in done.content.decode()
    assert Fact.objects.count() == facts


def test_row_that_was_taken_back_comes_in_again_when_asked_for_and_only_once(taken, director):
    facts = Fact.objects.count()
    page = url("import-results", taken.club.public_id)
    for _twice in range(2):
        director.post(page, {"text": TEXT, "take": "1", "again": "on"})
        assert Fact.objects.count() == facts + 1
    new = Fact.objects.order_by("-pk").first()
    assert (new.winner.name, new.loser.name, new.length) == ("Ann", "Bob", 7)
    taken.apply()
    assert taken.differences() == []
    void_fact(actor=Actor.program(), number=new.pk)
    director.post(page, {"text": TEXT, "take": "1", "again": "on"})
    assert (
        Fact.objects.filter(
            kind=FactKind.RESULT, later__isnull=True, played_at__lt=datetime(2026, 1, 6, tzinfo=UTC)
        ).count()
        == 1
    )


def test_correction_that_was_taken_back_counts_as_taken_back(taken, director):
    void_fact(actor=Actor.program(), number=Fact.objects.get(kind=FactKind.REPLACEMENT).pk)
    checked = director.post(url("import-results", taken.club.public_id), {"file": upload(TEXT)})
    assert checked.context["report"].taken_back == 2


def test_opening_that_was_taken_back_is_named_too(book, director):
    page = url("import-openings", book.list.public_id)
    text = {"text": "player,rating\nAnn,1700\n", "as_of": "2026-02-01"}
    director.post(page, {**text, "take": "1"})
    void_fact(actor=Actor.program(), number=Fact.objects.get(kind=FactKind.OPENING).pk)
    assert "Line 2 is skipped because it was imported" in director.post(page, text).content.decode()
    director.post(page, {**text, "take": "1", "again": "on"})
    book.apply()
    assert book.history("Ann")[0].after == 1700


def test_command_says_it_and_takes_in_again(taken, tmp_path, capsys):
    file = tmp_path / "old.csv"
    file.write_text(TEXT)
    facts = Fact.objects.count()
    call_command("import_ratings", "results", str(file), "--list", taken.list.public_id, "--apply", "--again")
    assert "Line 2 is skipped because it was imported" in capsys.readouterr().out
    assert Fact.objects.count() == facts + 1


def test_deviation_outside_of_what_makes_sense_is_a_fault_of_its_line(book, director):
    page = url("import-openings", book.list.public_id)
    for bad in ("0", "351", "nan", "x"):
        answer = director.post(
            page, {"text": f"player,rating,deviation\nAnn,1700,{bad}\n", "as_of": "2026-02-01"}
        )
        assert answer.status_code == 422
        assert "Line 2" in answer.content.decode()


@pytest.mark.parametrize(("score", "taken"), [(999, 1), (1000, 0)])
def test_score_of_four_digits_is_a_slip_of_the_pen(book, director, score, taken):
    text = f"date,winner,loser,length,winner_score,loser_score\n2026-03-14,Ann,Bob,7,{score},3\n"
    director.post(url("import-results", book.club.public_id), {"text": text, "take": "1"})
    assert Fact.objects.filter(winner_score=score).count() == taken


@pytest.mark.parametrize("day", ["2026-03-14", "14.3.2026", "14.03.2026", "14. 3. 2026"])
def test_day_is_read_as_spreadsheets_write_it(book, director, day):
    text = f"date;winner;loser;length\n{day};Ann;Bob;7\n"
    page = url("import-results", book.club.public_id)
    director.post(page, {"text": text, "take": "1"})
    fact = Fact.objects.order_by("-pk").first()
    assert (fact.played_at.month, fact.played_at.day) == (3, 14)


@pytest.mark.parametrize("day", ["3/14/2026", "14.13.2026", "32.1.2026", "14.3.26", "14.3.2026x"])
def test_day_that_could_mean_another_is_refused_as_it_was_written(book, director, day):
    text = f"date;winner;loser;length\n{day};Ann;Bob;7\n"
    page = url("import-results", book.club.public_id)
    answer = director.post(page, {"text": text})
    assert answer.status_code == 422
    assert f"“{day}” is not a valid date" in answer.content.decode()


def test_file_that_is_all_known_has_no_button_to_take_it_in(taken, director):
    text = "date,winner,loser,length\n2026-01-07,Ann,Cleo,5\n"
    answer = director.post(url("import-results", taken.club.public_id), {"text": text})
    assert "Nothing to import: all rows are already in the ledger." in answer.content.decode()
    assert 'name="take"' not in answer.content.decode()


def test_empty_file_is_told_once(book, director):
    page = url("import-results", book.club.public_id)
    answer = director.post(page, {"file": upload("")})
    assert answer.context["form"].non_field_errors() == []
    assert list(answer.context["form"].errors) == ["file"]
