"""The director's pages for what goes wrong in a drawn event: they show what follows, do it, and take it back."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.director import desk_of, words
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.stages.feeding import Admission
from tournaments.models import Entry, EntryPlayer, Match
from tournaments.rounds.services.rounds import publish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.repairs.late import free_lines
from tournaments.selectors.rounds.next import next_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return an_event(entries=6, lengths=[7]).publish()


@pytest.fixture
def desk(tournament):
    return desk_of(tournament)


def played_out(tournament):
    tournament.play_out()
    return Match.objects.filter(round__number=1).exclude(result_kind="bye").first()


def other_way(match):
    return (match.score_b, match.score_a)


def correct(desk, match, a, b, **fields):
    data = {"score_a": a, "score_b": b, "kind": "played", "winner": "", "submission_key": "fix", **fields}
    return desk.post("correct", match.public_id, **data)


def hidden(page, name):
    return page.context[name] if name in page.context else dict(page.context["kept"])[name]


def test_correction_when_later_matches_were_played_then_both_repairs_are_shown_with_what_they_do(
    tournament, desk
):
    match = played_out(tournament)
    page = correct(desk, match, *other_way(match))
    text = words(page)
    assert page.status_code == 200
    assert "Replay from here" in text
    assert "Leave later matches unchanged" in text
    assert "Results that will be cancelled" in text
    assert " replaces " in text
    assert Match.objects.filter(status="confirmed").count() == Match.objects.count()
    done = correct(desk, match, *other_way(match), apply="1", repair="void", seen=hidden(page, "seen"))
    assert done.status_code == 302
    assert Match.objects.filter(status="ready").count() == 1
    assert "Undo" in words(desk.get("match", match.public_id))


def test_correction_when_no_repair_is_chosen_then_the_choice_is_shown_again(tournament, desk):
    match = played_out(tournament)
    seen = hidden(correct(desk, match, *other_way(match)), "seen")
    page = correct(desk, match, *other_way(match), apply="1", seen=seen)
    assert page.status_code == 409
    assert "Choose whether to cancel or keep them" in words(page)


def test_correction_when_something_happened_since_the_preview_then_409_with_a_fresh_one(tournament, desk):
    first, second = [m for m in tournament.playable() if m.round.number == 1]
    tournament.settle(first, "a", 2)
    first.refresh_from_db()
    page = correct(desk, first, *other_way(first))
    semifinal = Match.objects.get(pk=first.slots.first().match.feeds.first().match_id)
    tournament.settle(second, "a")
    semifinal.refresh_from_db()
    tournament.settle(semifinal, "a")
    stale = correct(desk, first, *other_way(first), apply="1", repair="replace", seen=hidden(page, "seen"))
    assert stale.status_code == 409
    text = words(stale)
    assert "changed in the meantime" in text
    assert "Replay from here" in text


def test_undo_when_pressed_in_the_trail_then_taken_back_and_struck_through(tournament, desk):
    match = played_out(tournament)
    before = list(Match.objects.order_by("pk").values_list("status", "winner_side"))
    seen = hidden(correct(desk, match, *other_way(match)), "seen")
    correct(desk, match, *other_way(match), apply="1", repair="void", seen=seen)
    trail = desk.get("audit")
    assert "Later results cancelled" in words(trail)
    pk = next(row["undo"] for row in trail.context["entries"] if row["undo"])
    assert desk.post("undo-repair", str(pk)).status_code == 302
    assert list(Match.objects.order_by("pk").values_list("status", "winner_side")) == before
    trail = desk.get("audit")
    assert "Undone: correction of match" in words(trail)
    assert not any(row["undo"] for row in trail.context["entries"])
    assert desk.post("undo-repair", str(pk)).status_code == 409


def test_late_entry_when_a_bye_is_chosen_then_in_the_draw(tournament, desk):
    page = desk.get("late-entry")
    assert "gives up the bye; the winner of this match goes to match" in words(page)
    place = free_lines(load_draw(tournament.stage))[0]
    value = f"{tournament.stage.pk}.{place.match.number}.{place.side}"
    assert desk.post("late-entry", name="Zoe Late", place=value).status_code == 302
    assert Entry.objects.get(name="Zoe Late").slots.get().match.status == "ready"
    again = desk.post("late-entry", name="Zac Later", place=value)
    assert again.status_code == 409
    assert "no longer free" in words(again)
    assert desk.post("late-entry", name="Zac Later", place="x").status_code == 422
    assert not Entry.objects.filter(name="Zac Later").exists()
    assert "Late entry: Zoe Late" in words(desk.get("audit"))


def test_late_entry_when_the_name_is_known_then_asked_who_is_meant(tournament, desk):
    elsewhere = an_event(club=tournament.club, director=tournament.director)
    desk_of(elsewhere).post("add-entry", name="Zoe Known")
    place = free_lines(load_draw(tournament.stage))[0]
    value = f"{tournament.stage.pk}.{place.match.number}.{place.side}"
    page = desk.post("late-entry", name="Zoe Known", place=value)
    assert "Which player is" in words(page)
    known = EntryPlayer.objects.get(entry__name="Zoe Known").player
    done = desk.post("late-entry", name="Zoe Known", player=known.public_id, place=value)
    assert done.status_code == 302
    assert EntryPlayer.objects.filter(player=known).count() == 2


def test_withdrawal_when_asked_then_what_follows_is_shown_and_done(tournament, desk):
    match = tournament.playable()[0]
    entry = tournament.entry_at(match, "a")
    page = desk.get("leave", entry.public_id)
    text = words(page)
    assert "Walkover" in text
    assert f"{tournament.entry_at(match, 'b').name} wins" in text
    pk = tournament.stage.pk
    shown = desk.post("leave", entry.public_id, **{f"end-{pk}": "retired", f"a-{pk}": "2", f"b-{pk}": "5"})
    assert shown.status_code == 200
    fields = {f"end-{pk}": "retired", f"a-{pk}": "2", f"b-{pk}": "5", "apply": "1"}
    stale = desk.post("leave", entry.public_id, seen=page.context["seen"], **fields)
    assert stale.status_code == 409
    done = desk.post("leave", entry.public_id, seen=shown.context["seen"], **fields)
    assert done.status_code == 302
    match.refresh_from_db()
    assert (match.result_kind, match.score_a, match.winner_side) == ("retired", 2, "b")
    assert "withdrew after the draw" in words(desk.get("audit"))


def test_withdrawal_when_the_score_is_impossible_then_said_and_nothing_done(tournament, desk):
    entry = tournament.entry_at(tournament.playable()[0], "a")
    pk = tournament.stage.pk
    fields = {f"end-{pk}": "retired", f"a-{pk}": "7", f"b-{pk}": "7", "apply": "1"}
    page = desk.post("leave", entry.public_id, **fields)
    assert page.status_code == 422
    entry.refresh_from_db()
    assert entry.status == "active"


def test_wrong_player_when_shown_and_changed_then_the_right_one_has_the_results(tournament, desk):
    match = tournament.playable()[0]
    tournament.settle(match, "a")
    entry = tournament.entry_at(match, "a")
    wrong = EntryPlayer.objects.get(entry=entry).player.public_id
    assert desk.get("wrong-player", entry.public_id).status_code == 200
    shown = desk.post("wrong-player", entry.public_id, wrong=wrong, name="Rita Right", player="new")
    assert "Results that count for the right player" in words(shown)
    done = desk.post(
        "wrong-player",
        entry.public_id,
        wrong=wrong,
        name="Rita Right",
        player="new",
        apply="1",
        seen=shown.context["seen"],
    )
    assert done.status_code == 302
    entry.refresh_from_db()
    assert entry.name == "Rita Right"
    assert "Rita Right instead of" in words(desk.get("audit"))


def test_wrong_player_when_somebody_else_has_the_name_then_asked(tournament, desk):
    entry = tournament.entry("Ann")
    wrong = EntryPlayer.objects.get(entry=entry).player.public_id
    page = desk.post("wrong-player", entry.public_id, wrong=wrong, name="Bob")
    assert "Which player is" in words(page)
    bob = EntryPlayer.objects.get(entry__name="Bob").player.public_id
    shown = desk.post("wrong-player", entry.public_id, wrong=wrong, name="Bob", player=bob)
    assert "swap places" in words(shown)
    same = desk.post("wrong-player", entry.public_id, wrong=wrong, name="Ann", player=wrong)
    assert same.status_code == 422


def test_length_when_wrong_then_changed_for_the_match_or_the_round(tournament, desk):
    match, other = tournament.playable()
    assert "Only this match" in words(desk.get("match-length", match.public_id))
    assert desk.post("match-length", match.public_id, length="9", scope="match").status_code == 302
    match.refresh_from_db()
    assert match.length == 9
    assert (
        desk.post("match-length", match.public_id, length="5", scope="round", round_seen="7").status_code
        == 302
    )
    other.refresh_from_db()
    assert other.length == 5
    assert desk.post("match-length", match.public_id, length="500", scope="match").status_code == 422
    assert desk.post("match-length", match.public_id, length="x", scope="round").status_code == 422
    assert desk.post("match-length", match.public_id, length="9", scope="match", seen="1").status_code == 409
    assert "to 9 points instead of 7" in words(desk.get("audit"))


def test_length_when_the_match_is_over_then_corrected_with_its_result(tournament, desk):
    match = played_out(tournament)
    assert "Enter the right length and the score that counts with it" in words(
        desk.get("match-length", match.public_id)
    )
    impossible = correct(desk, match, 7, 3, length="5")
    assert impossible.status_code == 422
    page = correct(desk, match, 5, 3, length="5")
    assert page.status_code == 200
    assert "to 5 points instead of 7" in words(page)
    on = correct(desk, match, "", "", length="9", play_on="1")
    assert on.status_code == 200
    assert "play continues" in words(on)
    done = correct(
        desk,
        match,
        "",
        "",
        length="9",
        play_on="1",
        apply="1",
        repair="void",
        seen=hidden(on, "seen"),
    )
    assert done.status_code == 302
    match.refresh_from_db()
    assert (match.status, match.length) == ("ready", 9)
    assert "continues to 9" in words(desk.get("audit"))


def test_withdrawal_from_a_round_robin_when_struck_then_asked_shown_and_public_pages_stand():
    tournament = an_event(entries=4, system="round_robin", lengths=[3])
    desk = desk_of(tournament)
    desk.post("make-draw", stage="1", seed="4")
    for is_played in (True, False):
        stage = tournament.stage
        publish_round(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            stage_id=stage.pk,
            seen=next_round(stage, load_draw(stage)).version,
        )
        tournament.fresh()
        if is_played:
            tournament.play_out()
    entry = tournament.entry_at(Match.objects.get(number=1), "a")
    page = desk.get("leave", entry.public_id)
    assert "Remove all from the standings" in words(page)
    shown = desk.post("leave", entry.public_id, leaving="strike")
    assert "matches are removed from the standings" in words(shown)
    assert "Points" in words(shown)
    done = desk.post("leave", entry.public_id, leaving="strike", apply="1", seen=shown.context["seen"])
    assert done.status_code == 302
    assert {match.status for match in Match.objects.filter(slots__entry=entry)} == {"void"}
    for name in ("public:event", "public:bracket", "public:entries", "api:bracket"):
        assert Client().get(reverse(name, args=[tournament.event.public_id])).status_code == 200
    assert "removed from the standings" in words(desk.get("audit"))


@pytest.mark.parametrize("admission", list(Admission))
def test_withdrawal_when_only_this_match_is_lost_then_plays_on_where_walk_overs_may(admission):
    flights = (Flight(FlightKind.PROGRESSIVE, (5,), rounds=1, admission=admission),)
    tournament = an_event(entries=4, lengths=[7], bracket=BracketSettings(flights=flights)).publish()
    desk = desk_of(tournament)
    match = tournament.playable()[0]
    entry = tournament.entry_at(match, "b")
    page = desk.get("leave", entry.public_id)
    offered = admission is Admission.ALSO_WALKOVERS
    assert ("Lose only this match" in words(page)) is offered
    assert ("a player who loses by a walkover is out" in words(page)) is not offered
    asked = {"only": str(tournament.stage.pk), "seen": page.context["seen"]}
    stale = desk.post("leave", entry.public_id, **{**asked, "seen": "old"})
    assert stale.status_code == (409 if offered else 404)
    done = desk.post("leave", entry.public_id, **asked)
    match.refresh_from_db()
    entry.refresh_from_db()
    assert entry.status == "active"
    if not offered:
        assert (done.status_code, match.status) == (404, "ready")
        return
    assert (done.status_code, match.result_kind, match.winner_side) == (302, "walkover", "a")
    assert entry.slots.filter(match__round__section="consolation").exists()
    tournament.play_out()
    assert tournament.fresh().status == "finished"
