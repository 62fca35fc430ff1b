"""Directors' rating pages: settings, rebuilds, corrections, tables; and that nobody else gets in."""

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from people.models import AuditEntry, Membership, Player, Role
from rating.models import Fact, FactKind, Generation, GenerationState, RatingList
from rating.services import update_list_ratings
from tests.factories import a_user
from tests.support.rating import DAY_ONE, Book, a_bare_club, a_book, a_list
from tests.support.rating_tasks import celery_tasks_run_at_once

__all__ = ["celery_tasks_run_at_once"]
pytestmark = pytest.mark.django_db


def url(name: str, *args: object) -> str:
    return reverse(f"rating_director:{name}", args=args)


def pages(book: Book) -> list[str]:
    fact = Fact.objects.first()
    return [
        url("home", book.club.public_id),
        url("new", book.club.public_id),
        url("import-results", book.club.public_id),
        *(
            url(name, book.list.public_id)
            for name in ("list", "settings", "import-openings", "ledger", "ledger-csv", "ledger-json")
        ),
        url("correct", book.list.public_id, fact.pk),
    ]


def actions(book: Book) -> list[str]:
    fact = Fact.objects.get(source_key="csv:old")
    return [
        *(url(name, book.list.public_id) for name in ("rebuild", "stop", "check", "archive")),
        url("void", book.list.public_id, fact.pk),
    ]


def test_pages_open_for_directors(book, director):
    for page in pages(book):
        assert director.get(page).status_code == 200, page


def test_pages_are_closed_to_everybody_else(book):
    stranger = Client()
    stranger.force_login(Membership.objects.create(user=a_user(), club=a_book().club, role=Role.OWNER).user)
    for page in pages(book):
        assert Client().get(page).status_code == 302, page
        assert stranger.get(page).status_code == 403, page
    for page in actions(book):
        assert Client().post(page).status_code == 302, page
        assert stranger.post(page).status_code == 403, page
        assert page.startswith(stranger.get(page)["Location"]), page
    assert not Fact.objects.filter(kind=FactKind.VOID).exists()


def test_unknown_lists_and_facts_are_404(book, director):
    assert director.get(url("list", "nothing")).status_code == 404
    assert director.get(url("correct", book.list.public_id, 10**9)).status_code == 404


def form_of(book: Book, **changes: object) -> dict[str, object]:
    return {
        "name": "Spring list",
        "system": "fibs",
        "shortest": 2,
        "longest": 99,
        "disciplines": ["standard"],
        "minimum_matches": 3,
        "provisional_below": 50,
        **changes,
    }


def test_new_list_is_made_and_rated(
    book, director, celery_tasks_run_at_once, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        answer = director.post(
            url("new", book.club.public_id),
            form_of(book, system="elo", **{"elo.divisor": "1000", "elo.schedule": "0:32, 100:16"}),
        )
    assert answer.status_code == 302
    made = RatingList.objects.get(name="Spring list")
    assert made.parameters["divisor"] == 1000
    assert made.parameters["schedule"] == [[0, 32], [100, 16]]
    assert Book(book.club, made, book.players).rating("Ann") != book.rating("Ann")


def test_ledger_of_a_federation_names_nobody_of_a_member_club_who_is_private(book, director):
    member = a_bare_club(parent=book.club)
    for number, name in enumerate(("Quentin", "Quirin")):
        book.players[name] = Player.objects.create(name=name, home_club=member, listed=name == "Quirin")
        book.beats(name, "Ann", club=member, key=f"csv:{number}")
    Player.objects.filter(name="Quirin").update(merged_into=book.players["Quentin"])
    Player.objects.filter(name="Bob").update(listed=False)  # their own club knows him
    ledger, fact = url("ledger", book.list.public_id), Fact.objects.get(source_key="csv:0")
    answers = [director.get(ledger), director.get(ledger, {"q": "Ann"})]
    answers.append(director.get(url("correct", book.list.public_id, fact.pk)))
    answers += [director.get(url(name, book.list.public_id)) for name in ("ledger-csv", "ledger-json")]
    texts = [answer.getvalue().decode() for answer in answers]
    for number, text in enumerate(texts):
        # A page says so in words; a file has neither name nor id, so that it can be read in any language.
        told = ("Quentin" in text, "Quirin" in text, "Private player" in text)
        assert told == (False, False, number < 3)
    for text in texts[3:]:
        assert book.players["Bob"].public_id in text
        assert [name for name in ("Quentin", "Quirin") if book.players[name].public_id in text] == []
    assert "No results found" in director.get(ledger, {"q": "Quirin"}).content.decode()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"system": "elo", "elo.divisor": "-5"}, "outside the allowed range"),
        ({"system": "elo", "elo.schedule": "10:5"}, "in the form 0:20, 400:4"),
        ({"shortest": 9, "longest": 5}, "no longer than the longest"),
        ({"name": "  "}, "required"),
        ({"counts_from": "2026-05-01", "counts_until": "2026-04-01"}, "on or after the first date"),
        ({"start": "-1"}, "between 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused_beside_their_field(book, director, change, words):
    answer = director.post(url("settings", book.list.public_id), form_of(book, **change))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    book.list.refresh_from_db()
    assert book.list.name != "Spring list"


def test_settings_change_marks_for_rebuild_only_when_numbers_depend_on_it(book, director):
    director.post(url("settings", book.list.public_id), form_of(book))
    book.list.refresh_from_db()
    assert (book.list.name, book.list.needs_rebuild) == ("Spring list", False)
    director.post(url("settings", book.list.public_id), form_of(book, shortest=7))
    book.list.refresh_from_db()
    assert book.list.needs_rebuild
    update_list_ratings(book.list.pk)
    assert len(book.history("Cleo")) == 0
    assert AuditEntry.objects.filter(action="rating_list.update").count() == 2


def test_rebuild_button_computes_anew(
    book, director, celery_tasks_run_at_once, django_capture_on_commit_callbacks
):
    before = book.list.generation_id
    with django_capture_on_commit_callbacks(execute=True):
        director.post(url("rebuild", book.list.public_id))
    book.list.refresh_from_db()
    assert book.list.generation_id != before
    assert book.differences() == []


def test_rebuild_shows_progress_and_can_be_stopped(book, director):
    running = Generation.objects.create(rating_list=book.list, total=200, done=50, started_by="Dora")
    page = director.get(url("list", book.list.public_id)).content.decode()
    assert "50 of 200" in page
    assert 'value="25"' in page
    assert director.post(url("rebuild", book.list.public_id)).status_code == 409
    director.post(url("stop", book.list.public_id))
    running.refresh_from_db()
    assert running.stop_requested
    Generation.objects.filter(pk=running.pk).update(state=GenerationState.STOPPED)
    assert director.post(url("stop", book.list.public_id)).status_code == 409


def test_check_says_whether_all_is_equal(book, director):
    checked = director.post(url("check", book.list.public_id)).content.decode()
    assert "All values match to the last digit" in checked


def test_correction_is_previewed_applied_and_explained(book, director):
    fact = Fact.objects.get(source_key="csv:old")
    page = url("correct", book.list.public_id, fact.pk)
    cleo = book.player("Cleo")
    asked = {"winner": cleo.public_id, "length": 5, "reason": "mixed up"}
    preview = director.post(page, asked).content.decode()
    assert not Fact.objects.filter(target=fact).exists()
    answer = director.post(page, {**asked, "apply": "1"})
    new = Fact.objects.get(target=fact)
    assert answer.url == reverse("rating:why", args=[book.list.public_id, new.pk])
    book.apply()
    assert book.differences() == []
    for name in ("Ann", "Bob", "Cleo"):
        assert f"{book.rating(name):.2f}" in preview, name
    assert "Already" not in preview
    again = director.post(page, {**asked, "apply": "1"})
    assert again.url == answer.url  # the same button twice
    assert Fact.objects.filter(target__isnull=False).count() == 1
    assert AuditEntry.objects.filter(action="ledger.replace").count() == 1


def test_second_tab_that_corrects_or_takes_back_is_told_what_stands_now(book, director):
    fact = Fact.objects.get(source_key="csv:old")
    page = url("correct", book.list.public_id, fact.pk)
    cleo = {"winner": book.player("Cleo").public_id, "length": 5}
    director.post(page, {**cleo, "apply": "1"})
    for late in ({**cleo, "length": 9, "apply": "1"}, cleo):
        answer = director.post(page, late)
        assert answer.status_code == 409
        assert "Cleo beat Ann in a match to 5" in answer.content.decode()
    assert director.post(url("void", book.list.public_id, fact.pk)).status_code == 409
    assert Fact.objects.filter(target__isnull=False).count() == 1


def test_correction_keeps_or_changes_how_the_match_ended(book, director):
    fact = book.beats("Ann", "Cleo", 7, key="csv:retired", kind="retired")
    page = url("correct", book.list.public_id, fact.pk)
    assert 'value="retired" selected' in director.get(page).content.decode()
    asked = {"winner": book.player("Cleo").public_id, "length": 7, "reason": "", "apply": "1"}
    director.post(page, {**asked, "kind": "retired", "winner_score": 2, "loser_score": 5})
    new = Fact.objects.get(target=fact)
    assert (new.result_kind, new.winner_score, new.loser_score) == ("retired", 2, 5)
    page = url("correct", book.list.public_id, new.pk)
    director.post(page, {**asked, "kind": "lost_on_time"})
    assert Fact.objects.get(target=new).result_kind == "lost_on_time"


@pytest.mark.parametrize(
    "bad",
    [
        {"winner": "nobody"},
        {"length": "0"},
        {"length": "9" * 30},
        {"kind": "walk_over"},
        {"kind": "played", "winner_score": 3},
        {"loser_score": 7},
        {"loser_score": -1},
        {"reason": "a\0b"},
    ],
)
def test_correction_that_makes_no_sense_is_refused_beside_its_field(book, director, bad):
    fact = Fact.objects.get(source_key="csv:old")
    sound = {"winner": book.player("Cleo").public_id, "length": 5, "apply": "1"}
    answer = director.post(url("correct", book.list.public_id, fact.pk), {**sound, **bad})
    assert answer.status_code == 422
    assert not Fact.objects.filter(target=fact).exists()


def test_correction_of_an_events_result_is_refused_here(book, director):
    fact = Fact.objects.exclude(source_key="csv:old").first()
    page = url("correct", book.list.public_id, fact.pk)
    loser = fact.loser.public_id
    assert "belongs to an event" in director.get(page).content.decode()
    answer = director.post(page, {"winner": loser, "length": 7, "apply": "1"})
    assert answer.status_code == 422
    assert director.post(url("void", book.list.public_id, fact.pk)).status_code == 422
    assert not Fact.objects.filter(target__isnull=False).exists()


def test_void_takes_a_result_back(book, director):
    fact = Fact.objects.get(source_key="csv:old")
    director.post(url("void", book.list.public_id, fact.pk))
    book.apply()
    assert book.standing("Cleo") is None
    assert "undone" in director.get(url("ledger", book.list.public_id)).content.decode()


def test_ledger_finds_players_and_days(book, director):
    page = director.get(url("ledger", book.list.public_id), {"q": "cleo"}).content.decode()
    assert page.count("Why?") == 1
    page = director.get(url("ledger", book.list.public_id), {"since": "2027-01-01"}).content.decode()
    assert "No results found" in page


def test_ledger_files_hold_every_fact(book, director):
    answer = director.get(url("ledger-csv", book.list.public_id))
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [row["winner"] for row in rows] == ["Ann", "Ann", "Bob"]
    facts = json.loads(director.get(url("ledger-json", book.list.public_id)).getvalue())["facts"]
    assert [fact["length"] for fact in facts] == [7, 5, 9]


def upload(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("table.csv", text.encode())


RESULTS = "date,winner,loser,length\n2026-01-05,Ann,Bob,7\n2026-01-06,Dan,Ann,5\n2026-01-06,Dan,Ann,5\n"


def test_results_are_checked_first_and_taken_in_once(book, director):
    page = url("import-results", book.club.public_id)
    checked = director.post(page, {"file": upload(RESULTS)})
    assert checked.status_code == 422
    assert "no player named “Dan”" in checked.content.decode()
    checked = director.post(page, {"file": upload(RESULTS), "create_unknown": "on", "public_page": "now"})
    assert checked.status_code == 200
    assert '<input type="hidden" name="public_page" value="now">' in checked.content.decode()
    assert checked.context["report"].new == 3
    assert Fact.objects.count() == 3
    taken = {"text": checked.context["text"], "create_unknown": "on", "public_page": "now", "take": "1"}
    assert director.post(page, taken).status_code == 302
    assert Player.objects.get(name="Dan").listed
    assert Fact.objects.count() == 6
    book.players.pop("Dan", None)
    again = director.post(page, {"file": upload(RESULTS)})
    assert (again.context["report"].new, again.context["report"].known) == (0, 3)
    director.post(page, {"text": RESULTS, "take": "1"})
    assert Fact.objects.count() == 6
    book.apply()
    assert book.differences() == []
    assert book.history("Ann")[0].moment < Fact.objects.order_by("pk").first().moment


def test_name_of_another_clubs_player_is_asked_for_and_the_answer_is_taken_in(book, director):
    lee = Player.objects.create(name="Lee", home_club=a_bare_club("North"), listed=True)
    page, text = (
        url("import-results", book.club.public_id),
        "date,winner,loser,length\n2026-01-05,Lee,Ann,7\n",
    )
    checked = director.post(page, {"file": upload(text)})
    assert checked.status_code == 422
    assert (
        f'<option value="{lee.public_id}">Lee (North, {lee.public_id})</option>' in checked.content.decode()
    )
    choice = {"text": checked.context["text"], "same": lee.public_id}
    checked = director.post(page, {**choice, "act": "check"})
    assert (checked.status_code, checked.context["report"].matches) == (200, ())
    assert f'name="same" value="{lee.public_id}"' in checked.content.decode()
    assert director.post(page, {**choice, "take": "1"}).status_code == 302
    assert Fact.objects.latest("pk").winner_id == lee.pk


def test_every_fault_of_every_line_is_named_and_nothing_is_taken_in(book, director):
    text = (
        "date;winner;loser;length;winner_score;loser_score;kind\n"
        "soon;Ann;Bob;7;7;3;played\n"
        "2026-01-05;Ann;Ann;7;7;3;played\n"
        "2026-01-05;Ann;;7;7;3;played\n"
        "2026-01-05;Ann;Bob;0;;;played\n"
        "2026-01-05;Ann;Bob;7;6;3;played\n"
        "2026-01-05;Ann;Bob;7;7;3;walk_over\n"
        "2026-01-05;Ann;Bob;7;7;3;\n"
    )
    answer = director.post(
        url("import-results", book.club.public_id), {"text": text, "take": "1", "create_unknown": "on"}
    )
    assert answer.status_code == 422
    page = answer.content.decode()
    for line in range(2, 8):
        assert f"Line {line}:" in page, line
    assert "Line 8" not in page
    assert Fact.objects.count() == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "Choose a file|empty"),
        (b"date,winner,loser,length\n", "no rows"),
        (b"player,rating\nAnn,1600\n", "Add the missing columns"),
        (b"\x00\x01\x02,,\n\x00,,\n", "cannot be read as text"),
    ],
)
def test_files_that_are_no_tables_are_refused(book, director, content, words):
    answer = director.post(
        url("import-results", book.club.public_id), {"file": SimpleUploadedFile("x.csv", content)}
    )
    assert answer.status_code == 422
    assert any(word in answer.content.decode() for word in words.split("|"))


def test_opening_ratings_stand_before_the_results_that_follow(book, director):
    text = "Player;Rating;Experience\nAnn;1612,5;400\nBob;1480;40\n"
    page = url("import-openings", book.list.public_id)
    data = {"as_of": "2026-02-01", "create_unknown": ""}
    checked = director.post(page, {"file": upload(text), **data})
    assert checked.status_code == 200, checked.context["form"].errors
    assert director.post(page, {"text": text, "take": "1", **data}).status_code == 302
    book.apply()
    assert book.differences() == []
    first, second = book.history("Ann")[:2]
    assert (first.after, first.won) == (1612.5, None)
    assert (second.before, second.experience) == (1612.5, 400)
    assert director.get(reverse("rating:why", args=[book.list.public_id, first.fact_id])).status_code == 200
    assert (
        "experience 400"
        in director.get(reverse("rating:why", args=[book.list.public_id, first.fact_id])).content.decode()
    )


def test_opening_rating_is_taken_back_with_its_button(book, director):
    page = url("import-openings", book.list.public_id)
    director.post(page, {"text": "player,rating\nAnn,1712\n", "take": "1", "as_of": "2026-02-01"})
    book.apply()
    fact = Fact.objects.get(kind=FactKind.OPENING)
    take_back = url("void", book.list.public_id, fact.pk)
    shown = director.get(url("ledger", book.list.public_id)).content.decode()
    assert "1712.00" in shown
    assert take_back in shown
    director.post(take_back)
    book.apply()
    assert book.differences() == []
    assert book.history("Ann")[0].before == 1500.0
    shown = director.get(url("ledger", book.list.public_id)).content.decode()
    assert "undone" in shown
    assert take_back not in shown


def test_opening_ratings_of_one_player_twice_are_refused(book, director):
    answer = director.post(
        url("import-openings", book.list.public_id),
        {"text": "player,rating\nAnn,1600\nANN,1700\n", "as_of": DAY_ONE.date(), "take": "1"},
    )
    assert "is a duplicate of line 2" in answer.content.decode()


def test_archived_list_leaves_the_public_pages_and_comes_back(book, director):
    other = a_list(book)
    public = reverse("rating:list", args=[other.list.public_id])
    assert Client().get(public).status_code == 200
    director.post(url("archive", other.list.public_id))
    assert Client().get(public).status_code == 404
    assert (
        RatingList.objects.get(pk=other.list.pk).version > other.list.version
    )  # what is kept of it is out of date
    assert other.list.name in director.get(url("home", book.club.public_id)).content.decode()
    assert "hidden" in director.get(url("list", other.list.public_id)).content.decode()
    director.post(url("archive", other.list.public_id), {"back": "1"})
    assert Client().get(public).status_code == 200
    assert director.post(url("archive", book.list.public_id)).status_code == 422  # the club's own stays
