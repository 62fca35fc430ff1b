"""Tables that are taken in at once: nobody is made and nothing comes back unasked, who may do it, and which lists follow."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Membership, Player, PlayerClub, Role
from rating.models import Fact, FactKind, TableImport
from rating.models.imports import Step
from rating.services.imports import check_openings, check_results, import_openings, import_results
from rating.services.plans import ImportSummary
from rating.services.result_tables import LEDGER_COLUMNS
from tests.factories import a_user
from tests.support.rating import DAY_ONE, Book, a_book, a_list

pytestmark = pytest.mark.django_db
PROGRAM = Actor.program()
RESULTS = "date,winner,loser,length\n2026-01-05,Ann,{},7\n"
OPENINGS = "player,rating\n{},1700\n"


@pytest.fixture
def book() -> Book:
    book = a_book()
    book.player("Ann")
    book.player("Bob")
    return book


def doors(
    book: Book, actor: Actor = PROGRAM
) -> list[tuple[str, Callable[..., ImportSummary], Callable[..., ImportSummary]]]:
    """A table of each kind, how it is looked at, and how it is taken in."""

    def look_at_openings(text: str) -> ImportSummary:
        return check_openings(rating_list=book.list, text=text, as_of=DAY_ONE)

    def look_at_results(text: str) -> ImportSummary:
        return check_results(club=book.club, text=text)

    def take_openings(text: str, **more: bool) -> ImportSummary:
        return import_openings(actor=actor, list_id=book.list.pk, text=text, as_of=DAY_ONE, **more)

    def take_results(text: str, **more: bool) -> ImportSummary:
        return import_results(actor=actor, club_id=book.club.pk, text=text, **more)

    return [(OPENINGS, look_at_openings, take_openings), (RESULTS, look_at_results, take_results)]


def test_nobody_is_made_and_nothing_that_was_taken_back_comes_again_unless_it_is_asked_for(book):
    for text, look, take in doors(book):
        nobody, known = text.format("Nobody"), text.format("Bob")
        seen = look(nobody)
        assert (seen.unknown, seen.players, seen.has_no_faults) == ((("Nobody", 1),), (), False)
        with pytest.raises(Invalid) as refused:
            take(nobody)
        assert [fault.code for fault in refused.value.faults] == ["rating.csv.player_unknown"]
        assert Player.objects.count() == 2
        assert (look(known).new, take(known).new) == (1, 1)
        book.void(Fact.objects.latest("pk"))
        kept = take(known)
        assert (kept.new, kept.taken_back) == (0, 1)
        assert take(known, again=True).new == 1
    assert Fact.objects.filter(kind__in=[FactKind.RESULT, FactKind.OPENING], later__isnull=True).count() == 2


@pytest.mark.parametrize("year", [1900, 2199])
def test_openings_may_be_of_the_first_and_of_the_last_year_in_which_anybody_plays(book, year):
    at = datetime(year, 6, 1, tzinfo=UTC)
    assert check_openings(rating_list=book.list, text=OPENINGS.format("Ann"), as_of=at).new == 1


def test_nobody_takes_tables_in_elsewhere_nor_beside_one_that_a_worker_is_about_to_write(book):
    stranger = a_user("Stan")
    Membership.objects.create(user=stranger, club=a_book().club, role=Role.DIRECTOR)
    for text, _look, take in doors(book, Actor.of(stranger)):
        with pytest.raises(NotAllowed):
            take(text.format("Bob"))
    TableImport.objects.create(club=book.club, state=Step.TAKE)
    for text, _look, take in doors(book):
        with pytest.raises(Conflict) as refused:
            take(text.format("Bob"))
        assert refused.value.code == "rating.import_running"
    for gone in (
        lambda: import_results(actor=PROGRAM, club_id=0, text=RESULTS),
        lambda: import_openings(actor=PROGRAM, list_id=0, text=OPENINGS, as_of=DAY_ONE),
        lambda: import_results(
            actor=PROGRAM, club_id=book.club.pk, text=RESULTS, openings_to=a_book().list.pk
        ),
    ):
        with pytest.raises(Missing):
            gone()
    assert not Fact.objects.exists()


def test_whose_rating_is_opened_is_known_to_the_club_and_its_list_alone_is_computed_anew(book):
    other = a_list(book)
    book.apply()
    other.apply()
    elsewhere = a_book()
    guests = [elsewhere.player(name) for name in ("Gus", "Hal")]
    text = "player,rating\n" + "".join(f"{player.public_id},1700\n" for player in guests)
    import_openings(actor=PROGRAM, list_id=book.list.pk, text=text, as_of=DAY_ONE)
    assert PlayerClub.objects.filter(club=book.club, player__in=guests).count() == 2
    done = AuditEntry.objects.get(action="rating_list.import_openings")
    assert (done.subject_id, done.data["new"]) == (book.list.pk, 2)
    assert [one.apply().rebuilt for one in (book, other)] == [True, False]
    book.players |= elsewhere.players
    assert (book.rating("Gus"), book.standing("Ann"), other.standing("Gus")) == (1700, None, None)


def test_ledger_with_openings_for_a_list_is_the_club_s_and_every_list_of_it_follows(book):
    other = a_list(book)
    book.apply()
    other.apply()
    lines = [
        {
            "kind": "opening",
            "played_at": "2026-01-01",
            "winner": "Ann",
            "opening_rating": "1700",
            "source_key": "x:1",
        },
        {
            "kind": "result",
            "played_at": "2026-01-02",
            "winner": "Ann",
            "loser": "Bob",
            "length": "7",
            "winner_score": "7",
            "loser_score": "2",
            "source_key": "x:2",
        },
    ]
    columns = [*LEDGER_COLUMNS, "opening_rating"]
    text = "\n".join(
        ",".join(line.get(name, "") for name in columns) for line in ({c: c for c in columns}, *lines)
    )
    done = import_results(actor=PROGRAM, club_id=book.club.pk, text=text, openings_to=book.list.pk)
    assert (done.new, done.openings) == (2, 1)
    assert AuditEntry.objects.get(action="ledger.import_results").subject_id == book.club.pk
    assert [one.apply().rebuilt for one in (book, other)] == [True, True]
    assert [one.history("Ann")[-1].before for one in (book, other)] == [1700, 1500]
