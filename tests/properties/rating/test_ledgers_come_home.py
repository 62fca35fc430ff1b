"""A ledger that goes out and comes in on an empty list with the same settings is the same list, bit for bit."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from people.actors import Actor
from people.models import Player
from rating.models import Change, Fact, FactKind, Standing
from rating.services import FinalPlace, PlaceField, rebuild_list, sync_places
from rating.services.imports import check_results, import_openings, import_results
from rating.web.director.ledger import COLUMNS, ledger_rows
from rating.web.exports import csv_lines
from tests.support.lanes import in_full
from tests.support.rating import DAY_ONE, Book, a_book, a_list

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eva")
hours = st.integers(0, 12)

events_and_repairs = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.permutations(NAMES), st.sampled_from([1, 3, 7, 25]), hours),
        st.tuples(st.just("void"), st.integers(0, 30)),
        st.tuples(st.just("replace"), st.integers(0, 30), st.permutations(NAMES)),
        st.tuples(st.just("open"), st.sampled_from(NAMES), st.integers(1200, 1900), hours),
        st.tuples(st.just("merge"), st.permutations(NAMES)),
        st.tuples(st.just("place"), st.permutations(NAMES), hours),
    ),
    min_size=3,
    max_size=20,
)


def ledger_of(book: Book) -> str:
    return "".join(csv_lines(COLUMNS, ledger_rows(book.list)))


def do(book: Book, events: list) -> None:
    standing: list = []
    for number, event in enumerate(events):
        match event:
            case ("play", (winner, loser, *_), length, hour):
                at = DAY_ONE + timedelta(hours=hour)
                standing.append(book.beats(winner, loser, length, at=at, event_weight=0.1 * (1 + hour)))
            case ("void", which) if standing:
                book.void(standing.pop(which % len(standing)), reason=f"reason {number}")
            case ("replace", which, (winner, loser, *_)) if standing:
                at = which % len(standing)
                standing[at] = book.replace(standing[at], winner, loser)
            case ("open", name, rating, hour):
                import_openings(
                    actor=Actor.program(),
                    list_id=book.list.pk,
                    text=f"player,rating,experience\n{book.player(name).public_id},{rating / 7},{rating}\n",
                    as_of=DAY_ONE + timedelta(hours=hour),
                )
            case ("merge", (keep, duplicate, *_)):
                kept, gone = book.player(keep), book.player(duplicate)
                kept.refresh_from_db()
                if kept.merged_into_id is None and not gone.merged.exists():
                    gone.merged_into = kept
                    gone.save()
            case ("place", (first, second, *_), hour):
                sync_places(
                    field=PlaceField(f"place:{number}:1", book.club.pk, 8, DAY_ONE + timedelta(hours=hour)),
                    places=[FinalPlace(book.player(first).pk, 1), FinalPlace(book.player(second).pk, 2)],
                )


def numbers(book: Book) -> tuple[list, list]:
    """Every standing and every change with names in the place of ids."""
    rebuild_list(list_id=book.list.pk)
    book.list.refresh_from_db()
    generation = book.list.generation
    values = "player__name rating experience matches wins moment deviation volatility".split()
    standings = Standing.objects.filter(generation=generation).order_by("player__name")
    changes = Change.objects.of(generation).in_order().order_by("moment", "player__name", "before", "after")
    return list(standings.values_list(*values)), list(
        changes.values_list("player__name", "moment", "won", "before", "after", "experience", "deviation")
    )


@pytest.mark.django_db
@settings(
    max_examples=30 if in_full() else 6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(events=events_and_repairs, system=st.sampled_from(["fibs", "galaxy", "master", "glicko2"]))
def test_ledger_that_comes_in_on_an_empty_list_gives_every_number_bit_for_bit(events, system):
    old = a_list(a_book(), system=system, shortest=1)
    do(old, events)
    text = ledger_of(old)
    Player.objects.update(listed=False)  # nobody of the other club knows them
    fresh = a_list(a_book(), system=system, shortest=1)
    if text.count("\n") > 1:
        choices = {"actor": Actor.program(), "club_id": fresh.club.pk, "text": text}
        import_results(**choices, create_unknown=True, openings_to=fresh.list.pk)
        assert import_results(**choices, openings_to=fresh.list.pk).new == 0
    assert numbers(fresh) == numbers(old)
    if text.count("\n") > 1:  # and where it came from it is known, merges and all
        report = check_results(club=old.club, text=text, openings_to=old.list)
        assert (report.new, report.faults) == (0, ())


@pytest.mark.django_db
def test_ledger_says_who_was_merged_and_why_a_result_was_taken_back():
    book = a_book()
    book.void(book.beats("Ann", "Bob", 7), reason="played twice, “by mistake”")
    book.beats("A. Lee", "Bob", 7)
    twin = book.player("A. Lee")
    twin.merged_into = book.player("Ann")
    twin.save()
    head, merge, void, _result = ledger_of(book).splitlines()
    assert head.lstrip("\ufeff").startswith("ledger_number,kind,")
    assert merge.split(",")[1:7] == [
        "merge",
        "",
        book.player("Ann").public_id,
        "Ann",
        twin.public_id,
        "A. Lee",
    ]
    assert void.endswith(',"played twice, “by mistake”"')
    assert Fact.objects.filter(kind=FactKind.VOID).count() == 1
