"""Club settings, members, federation, the directory of players, merging duplicates."""

import pytest
from django.urls import reverse

from people.models import Club, Membership, Player
from tests.factories import a_club, a_director, a_user, an_event
from tests.support.director import desk_of, signed_in, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(a_user("Olga Owner"), "Turku BG")


@pytest.fixture
def owner(club):
    return signed_in(club.memberships.get().user)


def test_settings_when_saved_then_shown_and_in_the_trail(club, owner) -> None:
    url = reverse("people:settings", args=[club.public_id])
    fields = {"name": "Turku Backgammon", "city": "Turku", "country": "fi", "website": "", "about": "Mondays"}
    assert owner.post(url, fields)["Location"] == url
    club.refresh_from_db()
    assert (club.name, club.country, club.about) == ("Turku Backgammon", "FI", "Mondays")
    trail = words(owner.get(reverse("people:audit", args=[club.public_id])))
    assert "name: Turku BG → Turku Backgammon" in trail


def test_settings_when_wrong_then_beside_the_fields_and_kept(club, owner) -> None:
    url = reverse("people:settings", args=[club.public_id])
    answer = owner.post(url, {"name": "", "country": "F1", "website": "javascript:alert(1)", "about": "Kept"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"name", "country", "website"}
    assert "Kept" in answer.content.decode()


def test_member_when_given_less_and_removed_then_follows(club, owner) -> None:
    user = a_director(club, "Dora Director")
    member = Membership.objects.get(user=user)
    url = reverse("people:members", args=[club.public_id])
    assert "Dora Director" in words(owner.get(url))
    change = reverse("people:change-role", args=[club.public_id])
    assert owner.post(change, {"member": member.pk, "role": "owner"}).status_code == 409
    owner.post(change, {"member": member.pk, "role": "reader"})
    member.refresh_from_db()
    assert member.role == "reader"
    owner.post(reverse("people:remove-member", args=[club.public_id]), {"member": member.pk})
    assert not Membership.objects.filter(user=user).exists()
    trail = words(owner.get(reverse("people:audit", args=[club.public_id])))
    assert "Role of Dora Director: Director → Viewer." in trail
    assert "Member removed: Dora Director." in trail


def test_owner_when_the_last_one_then_stays(club, owner) -> None:
    own = club.memberships.get()
    for name, fields in (("change-role", {"role": "director"}), ("remove-member", {})):
        answer = owner.post(reverse(f"people:{name}", args=[club.public_id]), {"member": own.pk, **fields})
        assert answer.status_code == 409
        assert "A club needs an owner." in words(answer)
    assert club.memberships.get().role == "owner"


def test_member_of_another_club_when_named_then_missing(club, owner) -> None:
    foreign = a_club().memberships.get()
    answer = owner.post(reverse("people:remove-member", args=[club.public_id]), {"member": foreign.pk})
    assert answer.status_code == 404
    assert Membership.objects.filter(pk=foreign.pk).exists()


def test_owner_when_giving_up_the_own_role_then_lands_outside(club, owner) -> None:
    second = a_director(club)
    Membership.objects.filter(user=second).update(role="owner")
    own = club.memberships.exclude(user=second).get()
    answer = owner.post(reverse("people:remove-member", args=[club.public_id]), {"member": own.pk})
    assert answer["Location"] == reverse("people:clubs")


def test_federation_when_both_clubs_are_mine_then_joined_and_left(club, owner) -> None:
    federation = a_club(club.memberships.get().user, "Finnish Federation")
    foreign = a_club()
    url = reverse("people:federation", args=[club.public_id])
    assert owner.post(url, {"parent": federation.public_id}).status_code == 302
    club.refresh_from_db()
    assert club.parent == federation
    loop = owner.post(reverse("people:federation", args=[federation.public_id]), {"parent": club.public_id})
    assert loop.status_code == 422
    assert "cannot belong to itself" in words(loop)
    assert owner.post(url, {"parent": foreign.public_id}).status_code == 422
    ahead = owner.post(url, {"leave": "yes", "last_day": "9999-12-31"})
    assert (ahead.status_code, "Choose a date on or before" in words(ahead)) == (422, True)
    assert owner.post(url, {"leave": "yes"}).status_code == 302
    club.refresh_from_db()
    assert club.parent is None
    settings = words(owner.get(reverse("people:settings", args=[federation.public_id])))
    assert "Turku BG from" in settings
    trail = words(owner.get(reverse("people:audit", args=[federation.public_id])))
    assert "Turku BG joined the federation." in trail
    assert "Turku BG left the federation." in trail


# --- players --------------------------------------------------------------------------------------------------------


def test_directory_when_searched_then_accents_case_and_order_do_not_matter() -> None:
    tournament = an_event()
    desk = desk_of(tournament)
    desk.post("paste", list="Jörg Müller\nAnna Smith", step="enter")
    url = reverse("people:players", args=[tournament.club.public_id])
    assert "Jörg Müller" in words(desk.client.get(url, {"q": "MULLER jorg"}))
    assert "Anna Smith" not in words(desk.client.get(url, {"q": "muller"}))
    assert "No players found for" in words(desk.client.get(url, {"q": "zzz"}))


def test_player_when_edited_then_saved_and_can_leave_the_public_list() -> None:
    tournament = an_event(2)
    ann = Player.objects.get(name="Ann")
    client = signed_in(tournament.director)
    url = reverse("people:player", args=[tournament.club.public_id, ann.public_id])
    assert client.post(url, {"name": "Anne", "country": "fi"}).status_code == 302
    ann.refresh_from_db()
    assert (ann.name, ann.country, ann.listed) == ("Anne", "FI", False)
    wrong = client.post(url, {"name": "!!", "country": "1"})
    assert wrong.status_code == 422
    assert set(wrong.context["form"].errors) & {"name", "country"}


def test_player_of_another_club_when_edited_then_missing() -> None:
    tournament = an_event(1)
    other = a_club()
    ann = Player.objects.get()
    client = signed_in(other.memberships.get().user)
    url = reverse("people:player", args=[other.public_id, ann.public_id])
    assert client.get(url).status_code == 404
    assert client.post(url, {"name": "Stolen"}).status_code == 404
    assert tournament.club != other


def test_duplicates_when_found_then_previewed_merged_and_taken_back() -> None:
    first = an_event(2, name="First night")
    second = an_event(club=first.club, director=first.director, name="Second night")
    desk = desk_of(second)
    desk.post("add-entry", name="ÁNN", player="new")
    keep, duplicate = Player.objects.get(name="Ann"), Player.objects.get(name="ÁNN")
    club = first.club.public_id
    assert "ÁNN" in words(desk.client.get(reverse("director:duplicates", args=[club])))
    url = reverse("director:merge", args=[club])
    both = {"keep": keep.public_id, "duplicate": duplicate.public_id}
    assert "Second night" in words(desk.client.get(url, both))
    duplicate.refresh_from_db()
    assert duplicate.merged_into is None
    assert desk.client.post(url, both).status_code == 302
    duplicate.refresh_from_db()
    assert duplicate.merged_into == keep
    assert desk.client.post(url, both).status_code in {404, 409}
    trail = desk.client.get(reverse("people:audit", args=[club]))
    merge = next(entry["row"] for entry in trail.context["entries"] if entry["undo"])
    undo = reverse("director:undo-merge", args=[club])
    assert desk.client.post(undo, {"merge": merge.pk}).status_code == 302
    duplicate.refresh_from_db()
    assert duplicate.merged_into is None
    assert desk.client.post(undo, {"merge": merge.pk}).status_code == 409


def test_players_when_both_in_one_event_then_merging_is_refused_with_the_reason() -> None:
    tournament = an_event(1)
    desk = desk_of(tournament)
    desk.post("add-entry", name="Ann", player="new")
    keep, duplicate = Player.objects.order_by("pk")
    url = reverse("director:merge", args=[tournament.club.public_id])
    both = {"keep": keep.public_id, "duplicate": duplicate.public_id}
    assert "so they are two people" in words(desk.client.get(url, both))
    answer = desk.client.post(url, both)
    assert answer.status_code == 409
    duplicate.refresh_from_db()
    assert duplicate.merged_into is None


def test_merge_when_no_player_is_chosen_then_a_plain_search_offers_some() -> None:
    first = an_event(2)
    ann, bob = Player.objects.order_by("name")
    desk = desk_of(first)
    page = desk.client.get(
        reverse("director:merge", args=[first.club.public_id]), {"duplicate": ann.public_id, "q": "bob"}
    )
    assert f"keep={bob.public_id}" in page.content.decode()
