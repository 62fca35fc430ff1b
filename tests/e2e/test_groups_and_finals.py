"""Groups and a knock-out in real browsers: a pairing changed by hand, a tie played off, a correction after the draw."""

import pytest

from tests.e2e.pages import Director, Evening, Spectator
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL
from tests.support.rounds import publish_next, stage_at, then
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import Claim
from tournaments.models import Match
from tournaments.repairs.services.correct import correct_result
from tournaments.selectors.arranged import drawn_groups

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def presses(director, words):
    with director.page.expect_navigation():
        director.page.get_by_role("button", name=words, exact=True).filter(visible=True).first.click()
    return director


def folded(director, words):
    director.page.locator("summary", has_text=words).filter(visible=True).first.click()
    return director


@ONLY_IN_FULL
def test_groups_then_finals_with_a_play_off_and_a_correction_after_the_draw(house):
    user = a_user("Greta Groups")
    swiss = SwissSettings(group_count=2, tie_breaks=())
    tournament = an_event(
        6, club=a_club(user, "Group Club"), director=user, system="round_robin", lengths=[3], swiss=swiss
    )
    then(tournament, name="Finals", system="single_elimination", fed_by=1, takes=1)
    director = Director(house, "Greta").signs_in(user)
    director.event = tournament.event

    # Drawn at once for all rounds, published one by one.
    director.opens("draw").sends("Draw all rounds").reads("Group A").reads("All rounds")
    director.sends("Publish round 1")
    watching = Spectator(house, "Walt", phone=True).watches(tournament.event, "bracket")
    watching.sees("Group B · Standings, 1 round paired")
    assert not watching.visitor.scrolls_sideways()

    # In group A everybody beats the next one; group B has a winner.
    first, second = (
        [tournament.division.entries.get(pk=pk).name for pk in group]
        for group in drawn_groups(stage_at(tournament))
    )
    beats = {(first[0], first[1]), (first[1], first[2]), (first[2], first[0])}
    beats |= {(second[0], second[1]), (second[0], second[2]), (second[1], second[2])}
    for number in (1, 2, 3):
        for match in tournament.playable():
            names = {slot.entry.name: slot.side for slot in match.slots.all()}
            a, b = names
            tournament.settle(match, names[a if (a, b) in beats else b])
        if number < 3:
            publish_next(tournament)
    watching.sees("are tied on all criteria: a drawing of lots from the stored seed decides who advances")

    # The tie is played off instead: one match is reported from the phones, the others by the director.
    director.opens("draw")
    director.page.locator("details.draw-part > summary", has_text="Round robin").click()
    presses(director, "Start play-off").reads("The play-off is under way: 3 matches without a result.")
    watching.sees("Play-off")
    best = (first[2], first[0], first[1])
    evening = Evening(house, tournament.event)
    for number, played in enumerate(tournament.playable()):
        names = {slot.entry.name: slot.side for slot in played.slots.all()}
        winner, loser = sorted(names, key=best.index)
        if number == 0:
            evening.phone_of(played, names[winner]).opens().reports("I won", 1, 0)
            evening.phone_of(played, names[loser]).opens().agrees()
        else:
            tournament.beats(winner, loser, 1, 0)
    watching.sees("The last qualifying place was decided by: Play-off")
    director.opens("draw").sends("Make the draw")
    lines = Match.objects.get(stage=stage_at(tournament, 2)).slots.values_list("entry__name", flat=True)
    assert set(lines) == {first[2], second[0]}
    director.does_not_read("The standings have changed since this draw was made")

    # A result of a group was wrong: the draw page says who is missing now.
    match = tournament.match(second[0], second[1])
    claim = Claim(0, 3) if match.winner_side == "a" else Claim(3, 0)
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=claim,
        submission_key="wrong",
    )
    match = tournament.match(second[0], second[2])
    claim = Claim(0, 3) if match.winner_side == "a" else Claim(3, 0)
    correct_result(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        match_id=match.pk,
        claim=claim,
        submission_key="again",
    )
    director.opens("draw").reads("The standings have changed since this draw was made.")
    director.reads(f"Now qualified, but not in this draw: {second[1]}.")
    director.reads(f"In this draw, but no longer qualified: {second[0]}.")
    director.page.get_by_text("Draw again", exact=True).filter(visible=True).first.click()
    presses(director, "Yes, draw again").does_not_read("The standings have changed since this draw was made")
    director.sends("Publish the draw")
    tournament.play_out()
    assert tournament.event.status == "finished"


def test_a_pairing_changed_by_hand_is_told_to_everybody(house):
    user = a_user("Hans Hand")
    tournament = an_event(
        5, club=a_club(user), director=user, system="swiss", lengths=[3], swiss=SwissSettings(rounds=2)
    )
    director = Director(house, "Hans", phone=True).signs_in(user)
    director.event = tournament.event
    director.opens("draw").sends("Pair round 1")
    bye = director.page.locator("li.pairing", has_text="Bye").locator(".is-a")
    before = bye.inner_text()
    other = next(name for name in ("Ann", "Bob") if name != before)
    folded(director, "Change manually")
    director.page.get_by_label("Player").filter(visible=True).first.select_option(label=before)
    director.page.get_by_label("swaps with").select_option(label=other)
    presses(director, "Swap players").reads(f"{before} and {other} have swapped places.")
    assert bye.inner_text() == other
    director.reads("The changes do not make the pairing worse.")
    assert not director.visitor.scrolls_sideways()
    director.sends("Publish round 1")
    Spectator(house, "Walt").watches(tournament.event, "bracket").sees(
        f"Changed by the director: {before} ↔ {other}"
    )
