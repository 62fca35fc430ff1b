"""Lists in and out: what is kept and for whom, what is asked, and that what goes out can come in again."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from people.countries import countries
from people.models import Player
from tests.factories import an_event
from tests.support.director import desk_of, signed_in, words
from tournaments.engine.lists.files import read_text
from tournaments.engine.lists.reader import parse_list
from tournaments.models import Entry, EntryDetail

pytestmark = pytest.mark.django_db

LIST = (
    "Name;Country;Rating;Club;E-mail;Phone;Paid;Note\n"
    "Åse Ødegård;NOR;1502;Oslo BK;ase@example.org;+47 00 00 00 01;yes;=1+1\n"
    "Zoë Müller;GER;1623.5;;;;no;\n"
)


def entered_list(**more):
    tournament = an_event()
    desk = desk_of(tournament)
    assert desk.post("paste", list=LIST, step="enter", **more).status_code == 302
    return tournament, desk


def test_list_when_entered_then_what_it_says_is_kept_for_directors_and_shown_to_nobody_else():
    tournament, desk = entered_list()
    ase = EntryDetail.objects.get(player__name="Åse Ødegård")
    assert (ase.email, ase.phone, ase.rating, ase.club, ase.paid, ase.note) == (
        *("ase@example.org", "+47 00 00 00 01", 1502.0, "Oslo BK", True, "=1+1"),
    )
    assert "ase@example.org" in words(desk.get("entry", ase.entry.public_id))
    tournament.publish()
    pages = ("public:event", "public:bracket")
    public = "".join(
        signed_in(None).get(reverse(page, args=[tournament.event.public_id])).content.decode()
        for page in pages
    )
    assert "Ødegård" in public
    assert "ase@example.org" not in public
    stranger = signed_in(None)
    assert stranger.get(desk.url("entries-csv")).status_code in {302, 404}


def test_list_when_entered_then_nobody_has_a_public_page_or_a_home_club_by_it():
    tournament, _desk = entered_list()
    for player in Player.objects.filter(entries__division=tournament.division):
        assert (player.listed, player.home_club, list(player.clubs.all())) == (False, None, [tournament.club])
        assert signed_in(None).get(reverse("public:player", args=[player.public_id])).status_code == 404
    assert {player.country for player in Player.objects.filter(entries__isnull=False)} == {"NO", "DE"}


def test_list_when_its_people_have_agreed_then_they_are_public_and_still_at_home_nowhere():
    entered_list(listed="1")
    assert set(Player.objects.filter(entries__isnull=False).values_list("listed", "home_club")) == {
        (True, None)
    }


def test_list_when_somebody_is_known_then_they_stay_as_they_are():
    earlier = an_event(1).with_public_pages()
    tournament = an_event(club=earlier.club, director=earlier.director)
    desk_of(tournament).post("paste", list="ANN (DEN) 1500", step="enter")
    ann = Entry.objects.get(division=tournament.division).players.get()
    assert (ann.name, ann.country, ann.listed, ann.home_club) == ("Ann", "", True, earlier.club)


@pytest.mark.parametrize(
    ("field", "typed", "fault"),
    [
        ("email-0", "ase at example", "is not a valid e-mail address"),
        ("country-0", "Atlantis", "Enter a valid country."),
        ("rating-0", "high", "Enter a rating between 0 and 9999."),
        ("phone-0", "0" * 41, "too long: use at most 40"),
        ("name-0", "", "without a name"),
    ],
)
def test_field_when_it_cannot_be_then_told_beside_it_and_nobody_is_entered(field, typed, fault):
    desk = desk_of(an_event())
    answer = desk.post("paste", list=LIST, step="enter", **{field: typed, "note-1": "kept"})
    assert answer.status_code == 422
    assert fault in words(answer)
    assert f'value="{typed}"' in answer.content.decode()
    assert 'value="kept"' in answer.content.decode()
    assert not Entry.objects.exists()


def test_fields_when_the_list_has_changed_since_then_they_are_not_put_to_other_people():
    desk = desk_of(an_event())
    answer = desk.post(
        "paste", list="Ann Ace\nBo Ek", step="enter", **{"for": "another list", "name-0": "Carl Cube"}
    )
    assert answer.status_code == 200
    assert "Carl Cube" not in answer.content.decode()
    assert not Entry.objects.exists()


def test_list_when_somebody_came_in_meanwhile_then_told_and_nothing_is_lost():
    tournament = an_event()
    desk = desk_of(tournament)
    page = desk.post("paste", list="Ann Ace\nBo Ek", step="look")
    seen = page.context["seen"]
    desk.post("add-entry", name="Bo Ek", player="new")
    answer = desk.post(
        "paste", list="Ann Ace\nBo Ek", step="enter", seen=str(seen), **{"note-0": "left handed"}
    )
    assert answer.status_code == 409
    assert "New entries were added in the meantime: Bo Ek." in words(answer)
    assert "left handed" in answer.content.decode()
    again = desk.post("paste", list="Ann Ace\nBo Ek", step="enter", seen=str(answer.context["seen"]))
    assert again.status_code == 302
    assert [entry.name for entry in Entry.objects.order_by("pk")] == ["Bo Ek", "Ann Ace"]


def test_file_when_it_is_no_list_then_refused_and_what_was_pasted_stays():
    desk = desk_of(an_event())
    answer = desk.post(
        "paste", list="Ann Ace", file=SimpleUploadedFile("list.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    )
    assert answer.status_code == 422
    assert "old version of Excel" in words(answer)
    assert "Ann Ace" in answer.content.decode()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_list_when_it_goes_out_and_comes_in_again_then_it_is_the_same(language, kind):
    _tournament, desk = entered_list()
    url = desk.url(f"entries-{kind}")
    data = desk.client.get(url, headers={"accept-language": language}).content
    out = parse_list(read_text(data), countries()).people
    came = parse_list(LIST, countries()).people
    facts = ("name", "country", "rating", "club", "email", "phone", "paid", "note")
    assert [[getattr(one, fact) for fact in facts] for one in out] == [
        [getattr(one, fact) for fact in facts] for one in came
    ]
    if kind == "csv":
        assert "'=1+1" in data.decode()
        assert "'+47" in data.decode()
