"""Official lists: as of a midnight, frozen, corrected by a further issue, made by their schedule, and signed."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from faults import Conflict, Invalid, NotAllowed
from people.actors import Actor
from people.models import Player
from people.services.players import update_player
from people.signing import Signature, SignatureMismatch, check_file, signed_file
from rating.models import OfficialList, OfficialRow, OfficialSchedule, RatingList, Standing
from rating.selectors.as_of import ratings_at
from rating.selectors.official import OfficialLines, list_zone, public_keys, signed_document
from rating.services import official
from rating.services.imports import import_openings
from rating.store.moments import to_moment
from tests.support.rating import a_book, a_list

pytestmark = pytest.mark.django_db
PROGRAM = Actor.program()
SECOND, THIRD = date(2026, 3, 2), date(2026, 3, 3)
NIGHT = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def book():
    """On the first of March Ann beats Bob and Cleo; on the second Bob beats Ann, and Dan comes."""
    book = a_book()
    book.beats("Ann", "Bob", 7)
    book.beats("Ann", "Cleo", 5)
    book.beats("Bob", "Ann", 9, at=NIGHT + timedelta(hours=20))
    book.beats("Dan", "Ann", 5, at=NIGHT + timedelta(hours=21))
    book.apply()
    return book


def made(book, day=SECOND, **more):
    return official.make_official(actor=PROGRAM, list_id=book.list.pk, day=day, **more)


def show(book, name, *, listed):
    player = book.player(name)
    update_player(actor=PROGRAM, club_id=book.club.pk, player_id=player.pk, name=name, listed=listed)


def rows_of(issue):
    return {
        row.player.name: (row.rank, row.rating, row.experience, row.matches)
        for row in OfficialRow.objects.filter(official=issue).select_related("player")
    }


@pytest.mark.parametrize("system", ["fibs", "glicko2", "master"])
def test_numbers_at_a_moment_are_those_that_the_list_had_then(system):
    parameters = {"period_days": 1} if system == "glicko2" else {}
    book = a_list(a_book(), system=system, parameters=parameters)
    openings = "player,rating,experience\nAnn,1650,300\n"
    import_openings(
        actor=PROGRAM,
        list_id=book.list.pk,
        text=openings,
        as_of=NIGHT - timedelta(days=9),
        create_unknown=True,
    )
    book.players["Ann"] = Player.objects.get(name="Ann")
    book.beats("Ann", "Bob", 7)
    book.beats("Cleo", "Ann", 5)
    book.apply()
    # What it was is read from a list that counts nothing later.
    until = a_list(book, system=system, parameters=parameters, counts_until=date(2026, 3, 1))
    import_openings(actor=PROGRAM, list_id=until.list.pk, text=openings, as_of=NIGHT - timedelta(days=9))
    book.beats("Bob", "Cleo", 9, at=NIGHT)
    book.beats("Dan", "Ann", 9, at=NIGHT + timedelta(hours=1))
    import_openings(
        actor=PROGRAM, list_id=book.list.pk, text="player,rating\nBob,1900\n", as_of=NIGHT + timedelta(days=1)
    )
    book.apply()
    until.apply()
    then = {
        s.player_id: (s.rating, s.experience, s.matches, s.moment) for s in Standing.objects.on(until.list)
    }
    found = ratings_at(book.list, to_moment(NIGHT))
    assert {n.player: (n.rating, n.experience, n.matches, n.moment) for n in found} == then
    assert len(then) == 3
    now = ratings_at(book.list, to_moment(datetime.now(tz=UTC) + timedelta(days=1)))
    assert {(n.player, n.rating, n.deviation, n.moment) for n in now} == set(
        Standing.objects.on(book.list).values_list("player_id", "rating", "deviation", "moment")
    )


def test_list_is_as_of_its_midnight_without_holes_and_stays(book):
    show(book, "Ann", listed=False)
    issue = made(book)
    before = rows_of(issue)
    ratings = {name: rating for name, (_rank, rating, *_more) in before.items()}
    assert before == {"Bob": (2, ratings["Bob"], 7, 1), "Cleo": (1, ratings["Cleo"], 5, 1)}
    assert ratings["Bob"] == book.history("Bob")[0].after
    signed = signed_document(issue)
    book.beats("Bob", "Cleo", 7, at=NIGHT - timedelta(hours=1))  # told late
    book.apply()
    assert rows_of(issue) == before
    assert signed_document(OfficialList.objects.get()) == signed
    show(book, "Cleo", listed=False)
    show(book, "Ann", listed=True)
    lines = list(OfficialLines(book.list, issue)[:10])
    assert [(line.rank, line.player.name, line.player.public_id) for line in lines] == [
        (1, "Private player", ""),
        (2, "Bob", book.player("Bob").public_id),
    ]
    assert (lines[0].club, lines[0].country, len(OfficialLines(book.list, issue, "cleo"))) == ("", "", 0)


def test_issue_cannot_be_changed_or_deleted(book):
    issue = made(book)
    for change in (
        issue.save,
        issue.delete,
        OfficialRow.objects.all().delete,
        OfficialRow.objects.first().save,
    ):
        with pytest.raises(TypeError):
            change()
    with pytest.raises(TypeError):
        OfficialList.objects.update(note="x")


def test_correction_is_an_issue_that_says_what_it_replaces(book):
    first = made(book)
    with pytest.raises(Conflict, match=r"official\.exists"):
        made(book)
    with pytest.raises(Invalid, match="note_missing"):
        made(book, replaces=first.number)
    book.beats("Bob", "Cleo", 7, at=NIGHT - timedelta(hours=1))
    second = made(book, replaces=first.number, note="A result of the day was missing.")  # takes in what waits
    assert (second.number, second.issue, second.replaces) == (2, 2, first)
    assert rows_of(second)["Bob"][3] == 2
    assert json.loads(signed_document(second))["replaces"] == 1
    with pytest.raises(Conflict, match=r"official\.replaced"):
        made(book, replaces=first.number, note="Again.")
    third = made(book, THIRD)
    assert OfficialLines(book.list, third).previous_issue == second


def test_equal_ratings_share_a_rank_and_the_next_one_counts_them_all():
    book = a_book()
    for winner, loser in (("Ann", "Bob"), ("Cleo", "Dan"), ("Eva", "Finn")):
        book.beats(winner, loser, 7)
    book.apply()
    ranks = {name: row[0] for name, row in rows_of(made(book)).items()}
    assert ranks == {"Ann": 1, "Cleo": 1, "Eva": 1, "Bob": 4, "Dan": 4, "Finn": 4}


def test_way_since_the_list_before(book):
    made(book)
    lines = {line.player.name: line for line in OfficialLines(book.list, made(book, THIRD))[:10]}
    assert {name: (line.rank, line.moved, line.is_new) for name, line in lines.items()} == {
        "Dan": (1, None, True), "Bob": (2, 1, False), "Ann": (3, -2, False), "Cleo": (4, -2, False),
    }  # fmt: skip


def test_day_that_has_not_begun_a_stranger_and_a_list_without_numbers_are_refused(book):
    with pytest.raises(Invalid, match=r"official\.day"):
        made(book, datetime.now(tz=UTC).date() + timedelta(days=2))
    with pytest.raises(Invalid, match=r"official\.day"):
        made(book, date(1899, 12, 31))
    with pytest.raises(Invalid, match=r"official\.note_long"):
        made(book, note="x" * 201)
    with pytest.raises(Conflict, match=r"official\.replaced"):
        made(book, replaces=1, note="There is none of that day.")
    with pytest.raises(NotAllowed):
        official.make_official(actor=Actor.with_label("Sly"), list_id=book.list.pk, day=SECOND)
    with pytest.raises(Conflict, match=r"official\.computing"):
        made(a_list(book))
    assert made(book, note="x" * 200).number == 1


def test_schedule_makes_what_is_due_once_and_makes_up_for_missed_days(book):
    def schedule(every, day):
        return official.set_schedule(actor=PROGRAM, list_id=book.list.pk, every=every, day=day)

    for every, day in (("year", 1), ("week", 8), ("month", 29)):
        with pytest.raises(Invalid):
            schedule(every, day)
    kept = schedule("week", 1)
    today = datetime.now(tz=list_zone(book.list)).date()
    assert kept.since == today
    # Nobody worked for three weeks and a day.
    monday = today - timedelta(days=today.weekday())
    OfficialSchedule.objects.update(since=monday - timedelta(days=15))
    assert official.lists_with_due_days() == [book.list.pk]
    assert official.make_due_lists(book.list.pk) == 3
    assert official.make_due_lists(book.list.pk) == 0
    assert official.lists_with_due_days() == []
    days = OfficialList.objects.order_by("number").values_list("day", "scheduled")
    assert list(days) == [(monday - timedelta(days=n), True) for n in (14, 7, 0)]


def test_signature_proves_every_byte(book):
    issue = made(book)
    content = signed_file(signed_document(issue), Signature(issue.signature, issue.key))
    document = check_file(content, public_keys())
    assert [row["player"] for row in document["players"]] == [
        book.player(name).public_id for name in ("Ann", "Cleo", "Bob")
    ]
    assert b"Ann" not in content
    for at in range(len(content)):
        with pytest.raises(SignatureMismatch):
            check_file(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :], public_keys())
    with pytest.raises(SignatureMismatch, match="rewritten"):
        check_file(json.dumps(json.loads(content)).encode(), public_keys())
    with pytest.raises(SignatureMismatch, match="other_key"):
        check_file(content, [])
    with pytest.raises(SignatureMismatch, match="changed"):
        check_file(content.replace(issue.signature.encode(), "é".encode()), public_keys())


def test_signature_is_proved_by_the_former_key_when_another_one_signs(book, settings):
    issue = made(book)
    settings.SIGNING_KEY = "another"
    content = signed_file(signed_document(issue), Signature(issue.signature, issue.key))
    assert check_file(content, public_keys())["number"] == 1
    assert len(public_keys()) == 2


def test_ranked_is_who_fulfils_the_rules_on_the_day_of_the_list(book):
    RatingList.objects.filter(pk=book.list.pk).update(active_months=1, minimum_experience=6)
    assert {name: row[0] for name, row in rows_of(made(book)).items()} == {"Ann": 1, "Bob": 2, "Cleo": None}
    later = {name: row[0] for name, row in rows_of(made(book, date(2026, 4, 2))).items()}
    assert later == {"Ann": 2, "Bob": 1, "Cleo": None, "Dan": None}
    assert {row[0] for row in rows_of(made(book, date(2026, 4, 3))).values()} == {None}
    assert json.loads(signed_document(OfficialList.objects.first()))["ranked"]["active_months"] == 1


def test_row_is_found_by_the_name_of_who_took_over_and_never_by_that_of_who_is_gone(book):
    issue = made(book)
    Player.objects.filter(pk=book.player("Cleo").pk).update(merged_into=book.player("Bob"))

    def found(text):
        return [line.player.name for line in OfficialLines(book.list, issue, text)[:]]

    assert (found("cleo"), found("bob")) == ([], ["Bob", "Bob"])
    show(book, "Bob", listed=False)
    assert (found("cleo"), found("bob")) == ([], [])
