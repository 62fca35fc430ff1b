"""What somebody agrees to at entry: asked, kept, changed, shown to those who need it, and obeyed."""

import csv
import io
import re

import pytest
from django.test import Client

from people.models import AuditEntry, Membership, Player
from tests.factories import Tournament, a_user, an_event
from tests.permissions.world import a_record
from tests.support.lanes import ON_ONE
from tournaments.engine.consents import Consent
from tournaments.engine.types import Side
from tournaments.entries.services.registration import set_approval_required
from tournaments.events.services.events import set_registration
from tournaments.matches.services.records import Upload, read_evidence
from tournaments.models import Entry, EntryDetail, EntryPlayer, Event, Match, Report
from tournaments.selectors.access.links import entry_token, join_token

pytestmark = [pytest.mark.django_db, *ON_ONE]  # pages and answers write no query

KEY = "7c9e6679-7425-40de-944b-e07fc1f90ae{}"


@pytest.fixture
def tournament() -> Tournament:
    return an_event(4, lengths=[5])


def browser_of(user) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def joins(tournament: Tournament, name: str, number: int = 1, **said: str):
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    data = {"name": name, "submission_key": KEY.format(number), **said}
    return Client().post(f"/join/{join_token(tournament.fresh())}/", data, follow=True)


def answer_by_link(entry: Entry, **said: str):
    data = {"player": entry.players.get().public_id, **said}
    return Client().post(f"/my/{entry_token(entry)}/agreements/", data)


def all_answer(tournament: Tournament, **said: str) -> None:
    for entry in Entry.objects.filter(division__event=tournament.event):
        assert answer_by_link(entry, **said).status_code == 302


def with_a_record(tournament: Tournament) -> Match:
    """A match that was played, with its games handed in."""
    tournament.publish()
    match = tournament.playable()[0]
    upload = Upload(a_record(*(tournament.entry_at(match, side).name for side in Side)), "match.mat")
    claim = read_evidence(match, upload).claim
    for who in (Side.A, None):
        tournament.says(match, who, claim.score_a, claim.score_b, **({"record": upload} if who else {}))
    return Match.objects.get(pk=match.pk)


def test_entering_without_a_name_in_the_hall_is_told_and_with_it_kept(tournament):
    refused = joins(tournament, "Zoe Zimmer", photo="yes")
    assert refused.status_code == 422
    assert "so that opponents can find them" in refused.content.decode()
    assert not Player.objects.filter(name="Zoe Zimmer").exists()
    assert re.search(r'name="photo".*?value="yes" selected', refused.content.decode(), re.DOTALL)
    done = joins(tournament, "Zoe Zimmer", hall="yes", photo="yes", streaming="no")
    assert done.status_code == 200
    kept = EntryDetail.objects.get(player__name="Zoe Zimmer")
    assert (kept.photo, kept.filming, kept.streaming, kept.record, kept.hall) == (
        "yes",
        "ask",
        "no",
        "ask",
        True,
    )
    assert joins(tournament, "Yan Young", 2, hall="yes", photo="perhaps").status_code == 422


def test_event_that_requires_something_says_so_before_and_refuses_who_does_not_agree(tournament):
    desk = browser_of(tournament.director)
    address = f"/direct/events/{tournament.event.public_id}/settings/registration/"
    assert "Players must agree to" in desk.get(address).content.decode()
    about = tournament.event
    fields = {
        "part": "event",
        "name": about.name,
        "starts_on": str(about.starts_on),
        "ends_on": str(about.ends_on),
        "timezone": about.timezone,
        "tables": about.tables,
        "weight": "1",
        "visibility": "public",
        "requires": ["streaming"],
    }
    assert desk.post(address, {**fields, "requires": ["blood"]}).status_code == 422
    assert desk.post(address, fields).status_code == 302
    assert tournament.fresh().requires == ["streaming"]
    assert "streaming" in str(AuditEntry.objects.get(action="event.update").data["after"])
    refused = joins(tournament, "Zoe Zimmer", hall="yes")
    assert refused.status_code == 422
    assert "You must agree to this to enter this event" in refused.content.decode()
    public = Client().get(f"/e/{tournament.event.public_id}/").content.decode()
    assert "you agree to: Streaming" in public
    assert Client().get(f"/api/v1/events/{tournament.event.public_id}/").json()["requires"] == ["streaming"]
    assert joins(tournament, "Zoe Zimmer", hall="yes", streaming="yes").status_code == 200


def test_who_enters_as_somebody_else_agrees_to_nothing_for_them(tournament):
    name = Entry.objects.first().name
    assert answer_by_link(Entry.objects.first(), photo="no").status_code == 302
    coming = an_event(2, club=tournament.event.club, director=tournament.director)
    set_approval_required(actor=tournament.actor, event_id=coming.event.pk, everybody=True)
    assert joins(coming, name, 3, hall="yes", photo="yes").status_code == 200
    known = Entry.objects.first().players.get()
    assert not Entry.objects.filter(division=coming.division, players=known).exists()
    assert set(EntryDetail.objects.filter(player=known).values_list("photo", flat=True)) == {"no"}


def test_own_answer_is_changed_by_link_by_account_and_at_the_desk_and_stands_in_the_trail(tournament):
    entry = Entry.objects.first()
    player = entry.players.get()
    assert "ask me each time" in Client().get(f"/my/{entry_token(entry)}/agreements/").content.decode()
    assert answer_by_link(entry, photo="yes", filming="no").status_code == 302
    assert answer_by_link(entry, photo="certainly").status_code == 422
    row = AuditEntry.objects.get(action="entry.details")
    assert row.data["replies"] == {"photo": "yes", "filming": "no"}
    user = a_user("Ann")
    Player.objects.filter(pk=player.pk).update(user=user)
    mine = browser_of(user)
    assert "Photos" not in mine.get("/me/").content.decode()
    data = {"player": player.public_id, "entry": entry.public_id, "photo": "no"}
    assert mine.post("/me/agree/", data).status_code == 302
    assert browser_of(a_user("Sly")).post("/me/agree/", data).status_code == 404
    assert EntryDetail.objects.get().photo == "no"
    desk = browser_of(tournament.director)
    address = f"/direct/events/{tournament.event.public_id}/entries/of/{entry.public_id}/"
    form = {
        "part": "details",
        "details1-photo": "yes",
        "details1-filming": "",
        "initial-details1-photo": "no",
    }
    assert desk.post(address, {**form, "initial-details1-filming": "no"}).status_code == 302
    assert (EntryDetail.objects.get().photo, EntryDetail.objects.get().filming) == ("yes", "")
    trail = desk.get(f"/direct/events/{tournament.event.public_id}/audit/").content.decode()
    assert "Photos: yes" in trail


def test_streamers_and_directors_see_it_at_the_match_and_nobody_else(tournament):
    tournament.publish()
    match = tournament.playable()[0]
    desk = browser_of(tournament.director)
    assert (
        desk.post(
            f"/direct/events/{tournament.event.public_id}/matches/{match.public_id}/act/start/"
        ).status_code
        == 302
    )
    first, second = (tournament.entry_at(match, side) for side in Side)
    answer_by_link(first, streaming="yes", filming="yes")
    answer_by_link(second, streaming="no", filming="yes")
    reader = a_user("Rea")
    Membership.objects.create(user=reader, club=tournament.event.club, role="reader")
    Player.objects.filter(entries=first).update(shown_as="hidden")
    Player.objects.get(entries=first).save()
    page, all_of_it = f"/m/{match.public_id}/", f"/direct/events/{tournament.event.public_id}/agreements/"
    for user in (tournament.director, reader):
        listed = browser_of(user).get(all_of_it).content.decode()
        assert "Now playing" in listed
        row = listed[listed.index(page) :].partition("</tr>")[0]
        assert re.findall(r'class="badge[^"]*">(\w+)<', row) == ["ask", "yes", "no", "ask", "ask"]
        assert listed.count('href="/m/') == 1  # what has a table and is not called yet is not played
    match_page = f"/direct/events/{tournament.event.public_id}/matches/{match.public_id}/"
    shown = browser_of(tournament.director).get(match_page).content.decode()
    assert "Streaming: no" in shown
    assert "Filming: yes" in shown
    assert (
        Player.objects.get(entries=first).name
        in browser_of(tournament.director).get(all_of_it).content.decode()
    )
    assert "Streaming" not in Client().get(page).content.decode()
    assert "Streaming" not in browser_of(a_user("Sly")).get(page).content.decode()
    assert browser_of(a_user("Sly")).get(all_of_it).status_code == 403


def test_list_when_long_then_in_pages_found_by_name_and_no_dearer_for_each(
    tournament, django_assert_max_num_queries
):
    others = Player.objects.bulk_create(Player(name=f"Player {number:03}") for number in range(250))
    entries = Entry.objects.bulk_create(Entry(division=tournament.division, name=one.name) for one in others)
    rows = [
        EntryPlayer(entry=entry, player=player, division=tournament.division)
        for entry, player in zip(entries, others, strict=True)
    ]
    EntryPlayer.objects.bulk_create(rows)
    desk, address = (
        browser_of(tournament.director),
        f"/direct/events/{tournament.event.public_id}/agreements/",
    )
    with django_assert_max_num_queries(14):
        first = desk.get(address).content.decode()
    assert first.count('<th scope="row">') == 200
    assert desk.get(address + "?page=2").content.decode().count('<th scope="row">') == 54
    found = desk.get(address + "?q=player+24&page=9").content.decode()
    assert found.count('<th scope="row">') == 13
    assert "No player found" in desk.get(address + "?q=zebra").content.decode()


def test_games_are_public_once_both_agree_and_gone_as_soon_as_one_minds(tournament):
    match = with_a_record(tournament)
    where = [
        f"/records/m/{match.public_id}/",
        *[f"/records/m/{match.public_id}/1/{end}" for end in ("", "original/", "as/mat/")],
    ]

    def seen(browser: Client) -> set[int]:
        return {browser.get(address).status_code for address in where}

    def linked() -> bool:
        return "/records/m/" in Client().get(f"/m/{match.public_id}/").content.decode()

    assert (seen(Client()), linked()) == ({404}, False)
    assert seen(browser_of(tournament.director)) == {200}
    all_answer(tournament, record="yes")
    assert (seen(Client()), linked()) == ({200}, True)
    answer_by_link(Entry.objects.filter(slots__match=match).first(), record="ask")
    assert seen(Client()) == {404}
    desk, address = (
        browser_of(tournament.director),
        f"/direct/events/{tournament.event.public_id}/matches/{match.public_id}/record/",
    )
    assert "the players have not agreed yet" in desk.get(address.removesuffix("record/")).content.decode()
    assert desk.post(address, {"report": "1", "shown": "yes"}).status_code == 302
    assert seen(Client()) == {200}
    answer_by_link(Entry.objects.filter(slots__match=match).first(), record="no")
    assert seen(Client()) == {404}
    refused = desk.post(address, {"report": "1", "shown": "yes"}, follow=True)
    assert "does not want these games to be public" in refused.content.decode()
    assert desk.post(address, {"report": "99", "shown": "yes"}).status_code == 404
    answer_by_link(Entry.objects.filter(slots__match=match).first(), record="yes")
    assert desk.post(address, {"report": "1", "shown": "no"}).status_code == 302
    assert seen(Client()) == {404}
    assert [row.data["shown"] for row in AuditEntry.objects.filter(action="match.record").order_by("pk")] == [
        True,
        False,
    ]
    assert Report.objects.filter(record_shown=False).count() == 1


def test_list_that_goes_out_comes_in_with_what_was_agreed_to_and_who_is_a_minor(tournament):
    entry = Entry.objects.first()
    answer_by_link(entry, photo="no", record="yes")
    Player.objects.filter(entries=entry).update(minor=True)
    desk = browser_of(tournament.director)
    sent = desk.get(f"/direct/events/{tournament.event.public_id}/entries/list.csv").content.decode(
        "utf-8-sig"
    )
    row = next(row for row in csv.DictReader(io.StringIO(sent)) if row["Name"] == entry.name)
    assert (row["Photos"], row["Filming"], row["Public games"], row["Minor"]) == (
        "no",
        "",
        "yes",
        "yes",
    )
    other = an_event(club=tournament.event.club, director=tournament.director).event
    pasted = "Name;Photo;Streaming;Minor\nZed Young;no;yes;x\nYan Old;;ask;\n"
    address = f"/direct/events/{other.public_id}/entries/paste/"
    page = desk.post(address, {"list": pasted, "step": "look"}).content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    fields.pop("csrfmiddlewaretoken", "")
    assert desk.post(address, {**fields, "list": pasted, "step": "enter"}).status_code == 302
    zed, yan = (Player.objects.get(name=name) for name in ("Zed Young", "Yan Old"))
    assert (zed.minor, zed.listed, zed.public_name, yan.minor) == (True, False, "Zed Y.", False)
    kept = EntryDetail.objects.get(player=zed)
    assert (kept.photo, kept.streaming, kept.filming) == ("no", "yes", "")
    assert EntryDetail.objects.get(player=yan).streaming == "ask"


def test_kinds_are_the_columns_that_keep_them():
    assert {kind.value for kind in Consent} <= {field.name for field in EntryDetail._meta.get_fields()}
    assert Event._meta.get_field("requires").default is list
