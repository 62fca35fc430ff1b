"""Rating pages on a phone: every table fits without being pushed sideways. And the weight of an event, from its setting to “why”."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from people.actors import Actor
from people.models import Club, Player
from rating.models import Fact, FactKind, RatingList
from rating.selectors import club_lists
from rating.services import create_list, update_list_ratings
from rating.services.lists import ListSettings
from tests.e2e.pages import Member, Person
from tests.e2e.test_pages_fit import FAULTS
from tests.factories import an_event
from tests.support.lanes import ONLY_IN_FULL
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIDEWAYS = """() => [...document.querySelectorAll(".table-scroll")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map((box) => `${box.scrollWidth} px in ${box.clientWidth}: ${box.textContent.trim().slice(0, 40)}`)"""


def lists_of_every_system(club) -> list:
    made = [
        create_list(
            actor=Actor.program(), club_id=club.pk, settings=ListSettings(name=f"By {system}", system=system)
        )
        for system in ("elo", "galaxy_2", "glicko2_length", "master")
    ]
    return [*club_lists(club.pk)[:1], *made]


@pytest.fixture
def tournament():
    tournament = an_event(entries=8, lengths=[5, 7])
    lists_of_every_system(tournament.club)
    tournament.publish().play_out()
    for rating_list in club_lists(tournament.club.pk):
        update_list_ratings(rating_list.pk)
    return tournament


ENDLESS = "W" * 100  # with a number, and nowhere to break a line


def with_endless_names(tournament) -> None:
    for row in (*Player.objects.all(), *Entry.objects.all(), *RatingList.objects.all(), *Club.objects.all()):
        row.name = f"{ENDLESS}{row.pk}"
        row.save()


@ONLY_IN_FULL
@pytest.mark.parametrize("endless", [False, True], ids=lambda it: "endless names" if it else "usual names")
def test_tables_of_ratings_fit_a_phone(house, tournament, endless):
    if endless:
        with_endless_names(tournament)
    first = tournament.stage.matches.order_by("number").first()
    a, b = (tournament.entry_at(first, side).players.get().public_id for side in "ab")
    facts = [Fact.objects.filter(kind=kind).first().pk for kind in (FactKind.RESULT, FactKind.PLACE)]
    faults = []

    def look(person: Person, what: str) -> None:
        faults.extend(f"{what}: {fault}" for fault in person.page.evaluate(FAULTS))
        faults.extend(f"{what}: {fault}" for fault in person.page.evaluate(SIDEWAYS))

    vera = Person(house, "Vera", phone=True)
    for rating_list in club_lists(tournament.club.pk):
        key = rating_list.public_id
        pages = [
            reverse("rating:list", args=[key]),
            reverse("rating:player", args=[key, a]),
            reverse("rating:opponents", args=[key, a]),
            reverse("rating:versus", args=[key, a, b]),
            *(reverse("rating:why", args=[key, fact]) for fact in facts),
            reverse("rating:what-if", args=[key]) + f"?a={a}&b={b}&length=9&field=1000&weight=10",
        ]
        for page in pages:
            vera.goes_to(page)
            look(vera, page)
    dora = Member(house, "Dora", phone=True).signs_in(tournament.director)
    for rating_list in club_lists(tournament.club.pk):
        key = rating_list.public_id
        ledger = reverse("rating_director:correct", args=[key, facts[0]])
        for name in ("list", "settings", "ledger", "import-openings"):
            dora.goes_to(reverse(f"rating_director:{name}", args=[key]))
            look(dora, f"{name} of {rating_list.system}")
        dora.goes_to(ledger)
        look(dora, "a result of the ledger")
    dora.goes_to(reverse("rating_director:import-results", args=[tournament.club.public_id]))
    look(dora, "the import of results")
    if not endless:
        corrects_a_result(tournament, first, dora)
        look(dora, "the preview of a correction")
    assert not faults, "\n".join(faults)


def corrects_a_result(tournament, match, dora: Member) -> None:
    """As far as the preview, with the ratings of both repairs open."""
    dora.goes_to(reverse("director:match", args=[tournament.event.public_id, match.public_id]))
    dora.page.locator("summary", has_text="Correct result").click()
    score = (1, 5) if match.winner_side == "a" else (5, 1)
    dora.fills(score_a=score[0], score_b=score[1]).sends("Preview changes")
    ratings = dora.page.locator("summary", has_text="Rating changes from these results only")
    expect(ratings).to_have_count(2)
    for one in ratings.all():
        one.click()


def test_director_weighs_an_event_and_why_tells(house, tournament):
    points = next(one for one in club_lists(tournament.club.pk) if one.system == "master")
    coming = an_event(entries=4, club=tournament.club, director=tournament.director, name="Grand final")
    dora = Member(house, "Dora").signs_in(tournament.director)
    settings = reverse("director:settings", args=[coming.event.public_id])
    dora.goes_to(settings).fills(weight="2.5").sends("Save").reads("Settings saved.")
    assert Event.objects.get(name="Grand final").weight == 2.5
    coming.fresh()
    coming.publish().play_out()
    update_list_ratings(points.pk)
    place = Fact.objects.get(kind=FactKind.PLACE, event_key=coming.event.public_id, place=1)
    vera = Person(house, "Vera").goes_to(reverse("rating:why", args=[points.public_id, place.pk]))
    vera.reads("2.5 · 1 (division 1)").reads("= 2.5 · 2.00 · 1.00").reads("+5.00")
    vera.goes_to(reverse("public:event", args=[coming.event.public_id])).reads("Master points × 2.50")
    dora.goes_to(settings).reads("The weight cannot be changed because there are already results")
