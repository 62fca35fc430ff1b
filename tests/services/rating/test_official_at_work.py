"""Official lists while others are at work: a worker makes them, results come in between, and what is shown follows."""

import json
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from faults import Conflict, Invalid, NotAllowed
from people import versions
from people.actors import Actor
from people.models import AuditEntry, Club, Membership
from people.versions import versions_of
from rating.models import (
    Generation,
    GenerationState,
    OfficialList,
    OfficialRequest,
    OfficialSchedule,
    RatingList,
)
from rating.selectors.official import list_zone, signed_document
from rating.services import archive_list, official, update_list
from rating.services.lists import ListSettings
from tests.factories import a_director, a_user
from tests.support.races import interrupted_by
from tests.support.rating import a_book, a_list, visit

pytestmark = pytest.mark.django_db
PROGRAM = Actor.program()
SECOND, THIRD = date(2026, 3, 2), date(2026, 3, 3)
READS = "rating_standing"  # a worker has begun to read, and holds nothing yet


@pytest.fixture
def book():
    """On the first of March Ann beats Bob, and Cleo Dan."""
    book = a_book()
    book.beats("Ann", "Bob", 7)
    book.beats("Cleo", "Dan", 5)
    book.apply()
    return book


@pytest.fixture
def dora(book):
    return Actor.of(a_director(book.club, "Dora"))


def made(book, day=SECOND, **more):
    return official.make_official(actor=PROGRAM, list_id=book.list.pk, day=day, **more)


def ask(book, actor=PROGRAM, day=SECOND, **more):
    return official.request_official(actor=actor, list_id=book.list.pk, day=day, **more)


def work(book):
    return official.make_requested(list_id=book.list.pk)


def matches_on(issue):
    return dict(issue.rows.values_list("player__name", "matches"))


def another_rebuild(book):
    """Settings were changed, and another worker computes the list anew."""
    RatingList.objects.filter(pk=book.list.pk).update(needs_rebuild=True)
    Generation.objects.create(rating_list=book.list)


def nobody_rebuilds():
    Generation.objects.filter(state=GenerationState.BUILDING).delete()


def a_schedule(book, weeks=1):
    """Every week on the weekday of today, for so many weeks."""
    today = timezone.now().astimezone(list_zone(book.list)).date()
    official.set_schedule(actor=PROGRAM, list_id=book.list.pk, every="week", day=today.isoweekday())
    OfficialSchedule.objects.update(since=today - timedelta(days=7 * weeks - 1))
    return today


def test_days_that_a_list_can_be_of_reach_from_1900_to_the_day_that_is_at_the_club(book):
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # one of them has another day than London
        Club.objects.filter(pk=book.club.pk).update(timezone=zone)
        today = timezone.now().astimezone(ZoneInfo(zone)).date()
        issue = made(book, today)
        assert (issue.zone, issue.day, issue.players) == (zone, today, 4)
    first = made(book, date(1900, 1, 1))
    assert (first.number, first.issue, first.players) == (3, 1, 0)
    with pytest.raises(Invalid) as refused:
        made(book, date(1899, 12, 31), note="x" * 201)
    assert [(fault.field, dict(fault.params)) for fault in refused.value.faults] == [
        ("note", {"limit": 200}), ("day", {"first": 1900}),
    ]  # fmt: skip


def test_list_that_is_made_is_seen_at_once_and_stands_on_the_trail(book):
    page = visit("list", book)
    assert "/official/" not in page.content.decode()
    before = versions_of([versions.rating_list_topic(book.list.pk)])
    first = made(book)
    assert versions_of([versions.rating_list_topic(book.list.pk)]) > before
    second = made(book, replaces=1, note="Bob was missing")
    assert RatingList.objects.get(pk=book.list.pk).version == book.list.version + 2
    found = AuditEntry.objects.filter(action="rating_list.official").order_by("pk")
    assert [(entry.club, entry.actor_label, entry.data) for entry in found] == [
        (book.club, "Crawford", {"day": "2026-03-02", "number": 1, "replaces": None}),
        (book.club, "Crawford", {"day": "2026-03-02", "number": 2, "replaces": 1}),
    ]
    for issue in (first, second):
        assert datetime.fromisoformat(json.loads(signed_document(issue))["made_at"]) == issue.made_at


def test_signed_numbers_of_a_rule_are_texts_wherever_they_have_a_fraction():
    """Two programs may write 0.1 in two ways: whoever checks the signature reads texts."""
    book = a_list(a_book(), system="elo", parameters={"divisor": 400.5, "schedule": [[0, 32], [30, 16.5]]})
    book.beats("Ann", "Bob", 7)
    book.apply()
    rule = json.loads(signed_document(made(book)))
    assert rule["parameters"]["divisor"] == "400.5"
    assert rule["parameters"]["schedule"] == [["0.0", "32.0"], ["30.0", "16.5"]]
    assert (rule["start"], rule["ranked"]["minimum_matches"]) == ("1500.0", 1)


def test_schedule_is_set_by_directors_and_kept_as_it_is_when_it_is_sent_again(book, dora):
    def schedule(every, day, actor=dora):
        return official.set_schedule(actor=actor, list_id=book.list.pk, every=every, day=day)

    for who in (Actor.with_label("Sly"), Actor.of(a_user())):
        with pytest.raises(NotAllowed):
            schedule("week", 1, who)
    for every, day, last in (("week", 8, 7), ("week", 0, 7), ("month", 29, 28), ("month", 0, 28)):
        with pytest.raises(Invalid) as refused:
            schedule(every, day)
        assert refused.value.faults[0].params == {"last": last}
    kept = schedule("month", 28)
    missed = kept.since - timedelta(days=40)
    OfficialSchedule.objects.update(since=missed)
    assert schedule("month", 28).since == missed  # and what was missed since is still made
    assert schedule("week", 7).since == kept.since
    never = schedule("", 9)
    assert (never.every, never.day) == ("", 1)
    found = AuditEntry.objects.filter(action="rating_list.official_schedule").order_by("pk")
    assert [(entry.club, entry.actor_label, entry.data) for entry in found] == [
        (book.club, "Dora", {"every": "month", "day": 28}),
        (book.club, "Dora", {"every": "week", "day": 7}),
        (book.club, "Dora", {"every": "", "day": 1}),
    ]


def test_schedule_of_a_list_that_is_put_away_rests_and_one_that_must_be_computed_is_computed_first(book):
    day = a_schedule(book)
    other = a_list(book)
    other.apply()
    a_schedule(other)
    archive_list(actor=PROGRAM, list_id=other.list.pk, archived=True)
    assert (official.lists_with_due_days(), official.make_due_lists(other.list.pk)) == ([book.list.pk], 0)
    update_list(actor=PROGRAM, list_id=book.list.pk, settings=ListSettings(name="Longer", shortest=7))
    assert official.make_due_lists(book.list.pk) == 1
    issue = OfficialList.objects.get()
    assert (issue.day, issue.scheduled, issue.number, issue.issue) == (day, True, 1, 1)
    assert set(matches_on(issue)) == {"Ann", "Bob"}


def test_result_that_comes_while_a_scheduled_list_is_read_is_on_it(book):
    a_schedule(book)
    with interrupted_by(lambda: book.beats("Eva", "Ann", 9), READS):
        assert official.make_due_lists(book.list.pk) == 1
    assert matches_on(OfficialList.objects.get()) == {"Ann": 2, "Bob": 1, "Cleo": 1, "Dan": 1, "Eva": 1}


def test_scheduled_list_that_another_worker_makes_meanwhile_is_made_once(book):
    a_schedule(book, weeks=2)
    with interrupted_by(lambda: official.make_due_lists(book.list.pk), READS):
        assert official.make_due_lists(book.list.pk) == 0
    assert list(OfficialList.objects.values_list("issue", flat=True)) == [1, 1]


def test_no_list_is_made_of_numbers_that_are_just_computed_anew(book):
    a_schedule(book)
    with interrupted_by(lambda: another_rebuild(book), READS):
        assert official.make_due_lists(book.list.pk) == 0
    assert not OfficialList.objects.exists()
    nobody_rebuilds()
    assert official.make_due_lists(book.list.pk) == 1


def test_list_that_a_director_asked_for_waits_for_numbers_and_is_theirs(book, dora):
    asked = ask(book, dora, note="For the cup")
    with pytest.raises(Conflict, match="requested"):
        ask(book, dora, THIRD)
    assert (asked.user, asked.note, official.requested_list_ids()) == (
        dora.user,
        "For the cup",
        [book.list.pk],
    )
    another_rebuild(book)
    assert not work(book)
    assert official.requested_list_ids() == [book.list.pk]  # it is not refused: it comes when that is done
    nobody_rebuilds()
    assert work(book)
    assert (OfficialRequest.objects.exists(), work(book)) == (False, False)
    issue, entry = OfficialList.objects.get(), AuditEntry.objects.get(action="rating_list.official")
    assert (issue.note, issue.scheduled, entry.actor) == ("For the cup", False, dora.user)


def test_list_that_was_asked_for_is_made_though_the_account_is_gone_and_not_for_who_directs_no_more(
    book, dora
):
    ask(book, dora)
    Membership.objects.filter(user=dora.user).delete()
    assert not work(book)
    assert OfficialRequest.objects.get().refused == "people.not_director"
    dora.user.delete()
    ask(book)
    assert work(book)
    assert AuditEntry.objects.get(action="rating_list.official").actor_label == "Crawford"


def test_of_two_workers_at_the_same_request_the_second_makes_nothing_and_refuses_nothing(book):
    ask(book)
    with interrupted_by(lambda: work(book), READS):
        assert not work(book)
    assert (OfficialList.objects.count(), OfficialRequest.objects.exists()) == (1, False)


def test_list_that_is_asked_for_is_made_as_soon_as_a_worker_hears_of_it(
    book, celery_tasks_run_at_once, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        ask(book)
    assert matches_on(OfficialList.objects.get()) == {"Ann": 1, "Bob": 1, "Cleo": 1, "Dan": 1}


def test_name_that_leaves_the_notes_leaves_all_of_them_and_what_is_signed_stays(book):
    signed = [
        signed_document(made(book, note="Annie was missing")),
        signed_document(made(book, THIRD, note="For the cup")),
    ]
    made(book, date(2026, 3, 4))
    ask(book, day=date(2026, 3, 5), note="Annie again")

    with interrupted_by(
        lambda: official.rewrite_notes(lambda note: note.replace("Annie", "A former player")), READS
    ):
        assert work(book)  # had read the note before
    issues = OfficialList.objects.order_by("number")
    assert [issue.note for issue in issues] == [
        "A former player was missing", "For the cup", "", "A former player again",
    ]  # fmt: skip
    ask(book, day=date(2026, 3, 6), note="Long")
    official.rewrite_notes(lambda note: note.replace("Long", "x" * 300))
    assert len(OfficialRequest.objects.get().note) == official.NOTE_LIMIT
    assert [signed_document(issue) for issue in issues[:2]] == signed


@pytest.mark.parametrize(("players", "changes", "is_long"), [(4, 4, False), (3, 4, True), (4, 3, True)])
def test_nobody_waits_for_a_list_with_more_players_or_with_more_changes_since_its_day(
    book, monkeypatch, players, changes, is_long
):
    monkeypatch.setattr(official, "MAX_PLAYERS_AT_ONCE", players)
    monkeypatch.setattr(official, "MAX_CHANGES_AT_ONCE", changes)
    assert official.is_slow_to_make(book.list, date(2026, 3, 1)) is is_long
    assert official.is_slow_to_make(book.list, SECOND) is (players < 4)  # nothing came since
