"""A misspelt name is put right from the entry after the draw; draw, wall and player follow, nobody else's player is touched."""

import pytest

from people.models import AuditEntry, Player
from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


def test_name_when_corrected_after_the_draw_then_everywhere_and_in_the_trail() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)
    ann = tournament.entry("Ann")
    page = words(desk.get("entry", ann.public_id))
    assert "Correct spelling" in page
    answer = desk.post("entry", ann.public_id, part="spelling", spelling_1="  Änn  Ångström ")
    assert answer.status_code == 302
    assert Entry.objects.get(pk=ann.pk).name == "Änn Ångström"
    player = Player.objects.get(name="Änn Ångström")
    assert player.search_name == "angstrom ann"
    assert AuditEntry.objects.filter(action="player.update", subject_id=player.pk).count() == 1
    assert "Änn Ångström" in words(desk.get("board", state="now"))
    assert "Entry changed. name: Ann → Änn Ångström" in words(desk.get("audit"))
    version = tournament.fresh().version
    desk.post("entry", ann.public_id, part="spelling", spelling_1="Änn Ångström")
    assert tournament.fresh().version == version  # nothing changed, nothing written


def test_name_when_empty_or_of_another_club_s_player_then_refused_and_kept() -> None:
    tournament, away = an_event(4).publish(), an_event(2)
    desk = desk_of(tournament)
    ann = tournament.entry("Ann")
    refused = desk.post("entry", ann.public_id, part="spelling", spelling_1=" ")
    assert refused.status_code == 422
    Player.objects.filter(entry_players__entry=ann).update(home_club=away.club)
    assert desk.post("entry", ann.public_id, part="spelling", spelling_1="Anna").status_code == 403
    assert Entry.objects.get(pk=ann.pk).name == "Ann"


def test_name_when_seen_at_a_match_then_put_right_from_there_and_back_again() -> None:
    tournament = an_event(4).publish()
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    entry = tournament.entry_at(match, "a")
    address = f"{desk.url('entry', entry.public_id)}?match={match.public_id}"
    assert address in desk.get("match", match.public_id).content.decode()
    answer = desk.client.post(address, {"part": "spelling", "spelling_1": "Zoë"})
    assert answer["Location"] == desk.url("match", match.public_id)
    assert "Zoë" in words(desk.get("match", match.public_id))
    odd = desk.client.post(
        f"{desk.url('entry', entry.public_id)}?match=//evil", {"part": "spelling", "spelling_1": "Zoe"}
    )
    assert odd["Location"].startswith(desk.url("entries"))


def test_name_when_misspelt_before_the_draw_then_the_same_player_is_put_right() -> None:
    tournament = an_event(4)
    desk = desk_of(tournament)
    ann = tournament.entry("Ann")
    before = Player.objects.count()
    assert "Correct spelling" in words(desk.get("entry", ann.public_id))
    desk.post("entry", ann.public_id, part="spelling", spelling_1="Anne")
    assert Entry.objects.get(pk=ann.pk).name == "Anne"
    assert Player.objects.count() == before
