"""The ledger: what gets in, what is refused, and that twice is once."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from rating.formulas.rateable import RATED_BY_KIND, ResultKind
from rating.models import Fact, FactKind, Pending
from rating.services import FinalPlace, PlaceField, record_result, replace_result, sync_places, void_result
from rating.services.corrections import correct_fact, void_fact
from rating.services.ledger import MAX_KEY_LENGTH
from tests.factories import a_club, a_user
from tests.support.rating import DAY_ONE, Book, a_bare_club, a_book, a_list

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", list(ResultKind))
def test_f12_table_when_a_result_is_recorded_then_only_rateable_kinds_are_written(kind):
    book = a_book()
    fact = book.beats("Ann", "Bob", 7, kind=kind)
    assert (fact is not None) is RATED_BY_KIND[kind]
    assert Fact.objects.count() == int(RATED_BY_KIND[kind])


def test_f12_rates_what_was_played_lost_on_time_or_retired_and_nothing_else():
    assert {kind for kind, rated in RATED_BY_KIND.items() if rated} == {"played", "lost_on_time", "retired"}
    assert set(RATED_BY_KIND) == set(ResultKind)


def test_record_when_the_same_key_comes_twice_then_it_is_one_fact():
    book = a_book()
    first = book.beats("Ann", "Bob", key="match:1", at=DAY_ONE)
    second = book.beats("Ann", "Bob", key="match:1", at=DAY_ONE)
    assert first == second
    assert Fact.objects.count() == 1
    assert Pending.objects.count() == 1


def test_record_when_the_key_comes_with_other_contents_then_it_is_refused():
    book = a_book()
    book.beats("Ann", "Bob", key="match:1", at=DAY_ONE)
    with pytest.raises(Conflict) as refused:
        book.beats("Bob", "Ann", key="match:1", at=DAY_ONE)
    assert refused.value.code == "rating.key_taken"
    assert set(refused.value.present) == {"winner_id", "loser_id"}


def correction(book: Book, fact: Fact, length: int, **more: object) -> dict[str, object]:
    """Ann has beaten Bob."""
    ids = {"winner": book.player("Ann").public_id, "loser": book.player("Bob").public_id}
    return {"actor": Actor.program(), "number": fact.pk, "length": length, **ids, **more}


@pytest.mark.parametrize(
    ("kind", "length", "score"),
    [("played", 7, (7, 2)), ("retired", 7, (5, 2)), ("played", 2, (2, 1)), ("retired", 1, (1, 0))],
)
def test_correction_that_tells_no_score_keeps_what_fits_and_who_played_to_the_end_has_the_length(
    kind, length, score
):
    book = a_book()
    fact = book.beats("Ann", "Bob", 5, kind=kind, key="csv:1")  # 5–2
    new = correct_fact(**correction(book, fact, length))
    assert (new.length, new.winner_score, new.loser_score) == (length, *score)
    assert new.result_kind == kind
    once_more = correct_fact(**{**correction(book, new, length), "loser_score": 0})
    assert (new.stands_at, once_more.stands_at, once_more.played_at) == (fact.pk, fact.pk, fact.played_at)


def test_correction_and_taking_back_are_in_the_trail_once_with_who_played():
    book = a_book()
    fact, lost = book.beats("Ann", "Bob", 5, key="csv:1"), book.beats("Bob", "Ann", 5, key="csv:2")
    rows = AuditEntry.objects.filter(action__startswith="ledger.").order_by("pk")
    for _twice in range(2):
        new = correct_fact(**correction(book, fact, 7, reason="misread"))
        gone = void_fact(actor=Actor.program(), number=lost.pk, reason="never played")
        assert rows.count() == 2
    assert [(row.action, row.subject_id, row.club, row.data) for row in rows] == [
        ("ledger.replace", fact.pk, book.club, {"by": new.pk, "reason": "misread", "winner": "Ann", "loser": "Bob"}),
        ("ledger.void", lost.pk, book.club, {"by": gone.pk, "reason": "never played", "winner": "Bob", "loser": "Ann"}),
    ]  # fmt: skip


def test_director_of_another_club_corrects_and_takes_back_nothing():
    book, director = a_book(), a_user()
    a_club(director)
    fact = book.beats("Ann", "Bob", 5, key="csv:1")
    for refused in (
        lambda actor: correct_fact(**correction(book, fact, 7, actor=actor)),
        lambda actor: void_fact(actor=actor, number=fact.pk),
    ):
        with pytest.raises(NotAllowed):
            refused(Actor.of(director))
    assert Fact.objects.count() == 1


@pytest.mark.parametrize("who", ["winner", "loser"])
def test_correction_that_names_somebody_whom_nobody_knows_is_refused(who):
    book = a_book()
    fact = book.beats("Ann", "Bob", 5, key="csv:1")
    players = {"winner": book.player("Bob").public_id, "loser": book.player("Ann").public_id, who: "nobody"}
    with pytest.raises(Invalid) as refused:
        correct_fact(actor=Actor.program(), number=fact.pk, length=5, **players)
    assert [fault.code for fault in refused.value.faults] == ["rating.player_unknown"]
    assert not Fact.objects.filter(target=fact).exists()


def test_void_twice_is_once_and_recording_a_voided_key_again_is_refused():
    book = a_book()
    fact = book.beats("Ann", "Bob", key="match:1", at=DAY_ONE)
    assert book.void(fact) == book.void(fact)
    assert Fact.objects.filter(kind=FactKind.VOID).count() == 1
    with pytest.raises(Conflict) as refused:
        book.beats("Ann", "Bob", key="match:1", at=DAY_ONE)
    assert refused.value.code == "rating.taken_back"


def test_replace_when_the_fact_was_taken_back_already_then_it_is_refused():
    book = a_book()
    fact = book.beats("Ann", "Bob")
    book.replace(fact, "Bob", "Ann", key="match:2")
    assert book.replace(fact, "Bob", "Ann", key="match:2").source_key == "match:2"
    with pytest.raises(Conflict):
        book.replace(fact, "Ann", "Bob", key="match:3")
    with pytest.raises(Conflict):
        book.void(fact)


def test_void_of_an_unknown_key_is_missing():
    with pytest.raises(Missing):
        void_result(source_key="match:nothing")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"winner_score": 6}, "rating.score"),
        ({"loser_score": 7}, "rating.score"),
        ({"loser_score": 7, "winner_score": 7}, "rating.score"),
        ({"length": 0}, "rating.length"),
        ({"length": 100}, "rating.length"),
        ({"kind": "lost_on_time", "loser_score": 7}, "rating.score"),
        ({"kind": "won"}, "rating.kind_unknown"),
        ({"discipline": "chouette"}, "rating.discipline_unknown"),
        ({"loser_id": 0}, "rating.player_unknown"),
        ({"event_weight": -0.1}, "rating.weight"),
        ({"event_weight": 100.1}, "rating.weight"),
        ({"event_weight": float("nan")}, "rating.weight"),
        ({"division_rank": 0}, "rating.weight"),
        ({"loser_score": -1, "kind": "retired"}, "rating.score"),
        ({"played_at": DAY_ONE.replace(tzinfo=None)}, "rating.naive_time"),
    ],
)
def test_record_when_the_result_is_impossible_then_the_reason_is_named(change, code):
    book = a_book()
    values = {
        "source_key": "k",
        "club_id": book.club.pk,
        "winner_id": book.player("Ann").pk,
        "loser_id": book.player("Bob").pk,
        "length": 7,
        "winner_score": 7,
        "loser_score": 4,
        "kind": "played",
        "played_at": DAY_ONE,
    }
    with pytest.raises(Invalid) as refused:
        record_result(**{**values, **change})
    assert refused.value.code == code
    assert not Fact.objects.exists()


def test_result_of_one_player_is_refused_for_that_alone_and_nobody_is_put_in_the_place_of_a_player():
    book = a_book()
    fact = book.beats("Ann", "Bob")
    with pytest.raises(Invalid) as refused:
        book.beats("Ann", "Ann")
    assert [(fault.code, fault.field) for fault in refused.value.faults] == [("rating.same_player", "loser")]
    for change in ({"loser_id": 0}, {"winner_id": 0}):
        ids = {"winner_id": fact.winner_id, "loser_id": fact.loser_id, **change}
        with pytest.raises(Invalid) as refused:
            replace_result(
                source_key="x", replaces=fact.source_key, length=7, winner_score=7, loser_score=0, **ids
            )
        assert refused.value.code == "rating.player_unknown"


def test_score_that_cannot_be_is_a_fault_of_the_side_that_has_it():
    book = a_book()
    fact = book.beats("Ann", "Bob", 7, key="csv:1")
    for kind, winner_score, loser_score, field in (
        ("played", 6, 0, "winner_score"), ("played", 7, 7, "loser_score"), ("retired", 3, 7, "loser_score"),
    ):  # fmt: skip
        score = {"winner_score": winner_score, "loser_score": loser_score}
        with pytest.raises(Invalid) as refused:
            correct_fact(**correction(book, fact, 7, kind=kind, **score))
        assert [fault.field for fault in refused.value.faults] == [field]


def test_record_when_points_above_the_length_are_shown_then_they_are_accepted():
    book = a_book()  # F1: points above N do not count, records may show them
    ann, bob = book.player("Ann"), book.player("Bob")
    fact = record_result(
        source_key="k",
        club_id=book.club.pk,
        winner_id=ann.pk,
        loser_id=bob.pk,
        length=7,
        winner_score=9,
        loser_score=6,
        kind="played",
        played_at=DAY_ONE,
    )
    assert fact.winner == ann


@pytest.mark.parametrize("length", [1, 99])
def test_record_when_the_match_is_as_short_or_long_as_there_is_then_accepted(length):
    fact = a_book().beats("Ann", "Bob", length)
    assert (fact.length, fact.winner_score, fact.loser_score) == (length, length, length // 2)
    assert (fact.event_weight, fact.division_rank) == (1.0, 1)


def test_record_when_weights_errors_and_keys_are_at_their_bounds_and_words_too_long_then_accepted():
    book = a_book()
    key = "k" * MAX_KEY_LENGTH
    fact = book.beats(
        "Ann", "Bob", 7, key=key, event_weight=0.0, winner_pr=0.0, loser_pr=200.0, event_name="x" * 200
    )
    assert fact.event_name == "x" * Fact._meta.get_field("event_name").max_length
    reasons = [book.void(fact, "x" * 300).reason]
    other = book.beats("Ann", "Bob", 7, event_weight=100.0)
    new = replace_result(
        source_key="k2",
        replaces=other.source_key,
        winner_id=other.loser_id,
        loser_id=other.winner_id,
        length=7,
        winner_score=7,
        loser_score=0,
        reason="x" * 300,
    )
    assert [*reasons, new.reason] == ["x" * Fact._meta.get_field("reason").max_length] * 2
    with pytest.raises(ValueError, match="too long"):
        book.beats("Ann", "Bob", 7, key=f"{key}k")


def test_record_when_the_callers_transaction_fails_then_nothing_stays():
    book = a_book()
    with transaction.atomic():
        book.beats("Ann", "Bob")
        transaction.set_rollback(True)
    assert not Fact.objects.exists()
    assert not Pending.objects.exists()


def test_facts_cannot_be_changed_or_deleted():
    fact = a_book().beats("Ann", "Bob")
    fact.length = 9
    for attempt in (
        fact.save,
        fact.delete,
        Fact.objects.all().delete,
        lambda: Fact.objects.update(length=9),
    ):
        with pytest.raises(TypeError):
            attempt()
    with pytest.raises(IntegrityError), transaction.atomic():
        Fact(
            pk=fact.pk, kind=FactKind.RESULT, source_key="x", club=fact.club, winner=fact.loser, loser=fact.winner,
            length=9, played_at=DAY_ONE, moment=1, recorded_at=DAY_ONE,
        ).save()  # fmt: skip
    fact.refresh_from_db()
    assert fact.length == 7


def test_database_refuses_a_fact_of_one_player_and_a_second_taking_back():
    book = a_book()
    fact = book.beats("Ann", "Bob")
    book.void(fact)
    for bad in (
        Fact(kind=FactKind.RESULT, source_key="x", winner=fact.winner, loser=fact.winner, length=5),
        Fact(kind=FactKind.VOID, source_key="x", target=fact),
        Fact(kind=FactKind.VOID, source_key="x"),
    ):
        bad.club, bad.played_at, bad.moment = book.club, DAY_ONE, 1
        with pytest.raises(IntegrityError), transaction.atomic():
            bad.save()


def test_place_outside_of_the_field_is_refused():
    book = a_book()
    a_list(book, system="master")
    with pytest.raises(Invalid) as refused:
        sync_places(
            field=PlaceField(key="p", club_id=book.club.pk, size=8, played_at=DAY_ONE),
            places=[FinalPlace(book.player("Ann").pk, place=8, tied=2)],
        )
    assert refused.value.code == "rating.place"


def test_record_leaves_the_fact_with_the_lists_of_the_club_and_of_its_federations():
    federation = a_book()
    club = a_book(parent=federation.club)
    stranger = a_book()
    club.beats("Ann", "Bob")
    waiting = set(Pending.objects.values_list("rating_list_id", flat=True))
    assert waiting == {club.list.pk, federation.list.pk}
    assert stranger.list.pk not in waiting


def test_federation_that_a_club_has_left_hears_of_what_takes_back_its_results_and_of_no_new_ones():
    federation = a_book()
    club = a_book(parent=federation.club)
    club.club.affiliations.update(ends=DAY_ONE)
    before, after = (club.beats("Ann", "Bob", at=DAY_ONE + timedelta(days=days)) for days in (-1, 1))
    moved = replace_result(
        source_key="moved",
        replaces=before.source_key,
        winner_id=before.winner_id,
        loser_id=before.loser_id,
        length=7,
        winner_score=7,
        loser_score=3,
        played_at=DAY_ONE + timedelta(days=2),
    )
    assert moved.stands_at is None  # among those of its own time, by its number
    waiting = Pending.objects.filter(rating_list=federation.list).values_list("fact", flat=True)
    assert {*waiting} == {before.pk, moved.pk}
    waiting = Pending.objects.filter(rating_list=club.list).values_list("fact", flat=True)
    assert {*waiting} == {before.pk, after.pk, moved.pk}


def test_record_queues_one_task_for_each_list_when_the_transaction_commits(
    django_capture_on_commit_callbacks,
):
    federation = a_book()
    club = a_book(parent=federation.club)
    with django_capture_on_commit_callbacks() as callbacks:
        club.beats("Ann", "Bob")
    assert len(callbacks) == 2


def test_moment_keeps_every_microsecond():
    book = a_book()
    at = DAY_ONE + timedelta(microseconds=1)
    fact = book.beats("Ann", "Bob", at=at)
    assert fact.moment == int(DAY_ONE.timestamp()) * 1_000_000 + 1
    assert a_bare_club().pk
