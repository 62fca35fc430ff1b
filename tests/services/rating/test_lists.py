"""Lists as their directors make, change and put away: who may, what the trail says, and that nobody is shown what was."""

from datetime import date

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people import versions
from people.actors import Actor
from people.models import AuditEntry, Club
from people.versions import versions_of
from rating.models import RatingList
from rating.services import archive_list, create_list, ensure_club_list, update_list
from rating.services.lists import ListSettings, settings_version
from tests.factories import a_director, a_user
from tests.support.races import interrupted_by
from tests.support.rating import Book, a_bare_club, a_book, a_list

pytestmark = pytest.mark.django_db
PROGRAM = Actor.program()


def shown_of(found):
    """What pages of the list and of its club are asked by whether they are still right."""
    found = RatingList.objects.get(pk=found.pk)
    return (
        found.version,
        *versions_of([versions.rating_list_topic(found.pk), versions.club_topic(found.club_id)]),
    )


def change(book, **settings):
    wanted = {"name": "Club rating", **settings}
    return update_list(actor=PROGRAM, list_id=book.list.pk, settings=ListSettings(**wanted))


def entries(action):
    return list(AuditEntry.objects.filter(action=action).order_by("pk").values_list("club", "data"))


def test_change_of_a_list_is_seen_at_once_on_the_trail_by_what_it_changed_and_computed_where_numbers_hang_on_it():
    book = a_book()
    book.beats("Ann", "Bob", 3)
    book.beats("Ann", "Cleo", 9)
    book.apply()
    pages = shown_of(book.list)
    assert change(book) == book.list
    assert (shown_of(book.list), entries("rating_list.update")) == (pages, [])  # nothing was changed
    season = {"counts_from": date(2026, 3, 1), "counts_until": None}
    found = change(book, minimum_matches=2)
    assert (found.minimum_matches, found.version) == (2, pages[0] + 1)
    assert shown_of(book.list) == (pages[0] + 1, pages[1] + 1, pages[2] + 1)
    book.list.refresh_from_db()
    assert not book.list.needs_rebuild
    changed = change(book, minimum_matches=2, shortest=5, **season)
    assert (changed.shortest, changed.counts_from) == (5, date(2026, 3, 1))
    assert all(now > before + 1 for now, before in zip(shown_of(book.list), pages, strict=True))
    assert entries("rating_list.update") == [
        (book.club.pk, {"before": {"minimum_matches": 1}, "after": {"minimum_matches": 2}}),
        (
            book.club.pk,
            {
                "before": {"shortest": 2, "counts_from": None},
                "after": {"shortest": 5, "counts_from": "2026-03-01"},
            },
        ),
    ]
    book.apply()
    assert set(book.all_ratings()) == {"Ann", "Cleo"}


@pytest.mark.parametrize("season", [{"counts_from": date(2026, 3, 1)}, {"counts_until": date(2026, 4, 1)}])
def test_season_keeps_its_days_where_the_club_plays_when_it_is_set(season):
    book = a_book()
    other = a_list(book, minimum_matches=3)
    Club.objects.filter(pk=book.club.pk).update(timezone="")
    change(book, shortest=3)
    assert Club.objects.get(pk=book.club.pk).timezone == ""  # nothing hangs on its days yet
    change(book, **season)
    zone = Club.objects.get(pk=book.club.pk).timezone
    assert zone
    Club.objects.filter(pk=book.club.pk).update(timezone="")
    a_list(other, **season)
    assert Club.objects.get(pk=book.club.pk).timezone == zone


def test_list_is_made_changed_and_put_away_by_directors_of_its_club_alone(
    celery_tasks_run_at_once, django_capture_on_commit_callbacks, settings
):
    settings.QUOTAS = {**settings.QUOTAS, "lists": 2}
    book = a_book()
    director, stranger = Actor.of(a_director(book.club)), Actor.of(a_director(a_bare_club()))
    wanted = ListSettings(name="Spring list")
    with pytest.raises(Missing):
        create_list(actor=director, club_id=0, settings=wanted)
    with pytest.raises(Missing):
        update_list(actor=director, list_id=0, settings=ListSettings(name="x", counts_from=date(2026, 3, 1)))
    for who in (stranger, Actor.of(a_user()), Actor.with_label("Sly")):
        with pytest.raises(NotAllowed):
            create_list(actor=who, club_id=book.club.pk, settings=wanted)
        with pytest.raises(NotAllowed):
            update_list(actor=who, list_id=book.list.pk, settings=wanted)
    book.beats("Ann", "Bob", 7)
    pages = shown_of(book.list)
    with django_capture_on_commit_callbacks(execute=True):
        made = create_list(actor=director, club_id=book.club.pk, settings=wanted)
    rated = Book(book.club, made, book.players).all_ratings()
    assert set(rated) == {"Ann", "Bob"}  # nobody waits for the sweep
    assert shown_of(book.list) == (*pages[:2], pages[2] + 1)  # the club has one list more
    with pytest.raises(Conflict, match=r"quota\.lists"):
        create_list(actor=director, club_id=book.club.pk, settings=wanted)
    with pytest.raises(NotAllowed):
        archive_list(actor=stranger, list_id=made.pk, archived=True)
    with pytest.raises(Invalid, match="main_list"):
        archive_list(actor=director, list_id=book.list.pk, archived=True)
    pages = shown_of(made)
    for archived in (True, True, False):
        before = shown_of(made)
        found = archive_list(actor=director, list_id=made.pk, archived=archived)
        kept = RatingList.objects.get(pk=made.pk)
        assert (found, found.archived, found.version) == (kept, archived, kept.version)
        assert kept.archived is archived
    assert before == tuple(number + 1 for number in pages)  # of two clicks the second changes nothing
    assert shown_of(made) == tuple(number + 2 for number in pages)
    assert entries("rating_list.archive") == [
        (book.club.pk, {"archived": True}),
        (book.club.pk, {"archived": False}),
    ]
    data = dict(entries("rating_list.create"))[book.club.pk]
    assert (data["name"], data["shortest"], data["counts_from"]) == ("Spring list", 2, None)


def test_clubs_own_list_is_one_and_has_its_numbers_soon(
    celery_tasks_run_at_once, django_capture_on_commit_callbacks
):
    club = a_bare_club()
    book = Book(club, None)
    book.beats("Ann", "Bob", 7)
    with django_capture_on_commit_callbacks(execute=True):
        book.list = ensure_club_list(club_id=club.pk)
    assert (book.list.is_main, book.list.club, ensure_club_list(club_id=club.pk)) == (True, club, book.list)
    assert set(book.all_ratings()) == {"Ann", "Bob"}
    with_it = a_bare_club()
    others = a_list(Book(with_it, None))  # a further list is not the club's own
    with interrupted_by(lambda: ensure_club_list(club_id=with_it.pk), "SAVEPOINT"):
        found = ensure_club_list(club_id=with_it.pk)  # of two at once
    assert list(RatingList.objects.filter(club=with_it, is_main=True)) == [found]
    assert found != others.list


def test_settings_that_others_saved_since_are_not_overwritten_and_those_that_stand_are():
    book = a_book()
    seen = settings_version(book.list)
    first, second = ListSettings(name="First"), ListSettings(name="Second")
    update_list(actor=PROGRAM, list_id=book.list.pk, settings=first, expected_version=seen)
    with pytest.raises(Conflict) as refused:
        update_list(actor=PROGRAM, list_id=book.list.pk, settings=second, expected_version=seen)
    assert (refused.value.code, refused.value.present["name"]) == ("rating.settings_changed", "First")
    book.list.refresh_from_db()
    assert book.list.name == "First"
    update_list(
        actor=PROGRAM, list_id=book.list.pk, settings=second, expected_version=settings_version(book.list)
    )
    book.list.refresh_from_db()
    assert book.list.name == "Second"
