"""A weekend with main draw, consolation and last chance in real browsers, from the template to the last places.

A result turns out wrong after the consolation has begun: everybody who is concerned sees it at once, wherever they look.
"""

from dataclasses import dataclass

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rating.selectors import club_lists, ratings_for
from tests.e2e.pages import Director, Evening, Spectator
from tests.factories import Tournament, a_club, a_user
from tests.support.lanes import ONLY_IN_FULL
from tests.support.workers import wait_until
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.statuses import EventStatus, MatchStatus, StageStatus
from tournaments.models import Entry, Match, MatchSlot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = (
    *("Ann Ace", "Bob Bar", "Cleo Cube", "Dan Double", "Eva Edge", "Finn Fork"),
    *("Gil Gammon", "Hana Hit", "Ida Inner", "Jon Joker", "Kim Kibitz", "Lea Luck"),
    *("Max Move", "Nia Nack"),
)


@dataclass(frozen=True)
class Mistake:
    """The result that was noted the wrong way round, and what has been played on it."""

    match: Match
    quarter: Match  # where its winner went on, and won
    consolation: Match  # where its loser went on, and lost
    noted: Entry  # as the winner
    right: Entry  # who has won it


def in_section(event, section, *statuses):
    """Matches of a section between two people, the first first."""
    matches = Match.objects.filter(stage__division__event=event, round__section=section).order_by("number")
    found = matches.filter(status__in=statuses) if statuses else matches
    return [match for match in found if match.result_kind != "bye"]


def first_match_of(entry):
    slots = MatchSlot.objects.filter(entry=entry, match__round__section="main").exclude(
        match__result_kind="bye"
    )
    return slots.order_by("match__number")[0].match


def winner_of(match):
    match.refresh_from_db()
    return match.slots.get(side=match.winner_side).entry


def loser_of(match):
    match.refresh_from_db()
    return match.slots.exclude(side=match.winner_side).get().entry


def opponent_in(match, entry):
    return match.slots.exclude(entry=entry).get().entry.name


def sides_of(match):
    return {slot.entry: slot.side for slot in match.slots.select_related("entry")}


def rating_of(entry):
    (rating_list,) = club_lists(entry.division.event.club_id)
    player = entry.players.get()
    return ratings_for([player.pk], rating_list.pk).get(player.pk, 1500.0)


def is_put_right(slip, tournament):
    """Both stand in each other's place, and what they had played there is to be played again."""
    assert winner_of(slip.match) == slip.right
    for match, there, gone in (
        (slip.quarter, slip.right, slip.noted),
        (slip.consolation, slip.noted, slip.right),
    ):
        match.refresh_from_db()
        names = {slot.entry.name for slot in match.slots.all()}
        assert (match.status, match.winner_side) == (MatchStatus.READY, "")
        assert there.name in names
        assert gone.name not in names
    assert integrity_faults(tournament.event) == []


def goes_wrong(event, tournament):
    """A match of the first round of which both have played on: its winner won again, its loser lost again."""
    consolation = in_section(event, "consolation", MatchStatus.READY)[0]
    right = tournament.entry_at(consolation, "a")
    match = first_match_of(right)
    noted = winner_of(match)
    slot = MatchSlot.objects.get(entry=noted, match__round__section="main", match__status=MatchStatus.READY)
    return Mistake(match, slot.match, consolation, noted, right)


@ONLY_IN_FULL  # its repairs: test_weekend_repairs
def test_weekend_with_three_flights_and_a_correction_after_the_consolation_began(house, celery_worker):
    user = a_user("Dora Director")
    a_club(user, "Harbour Club")
    director = Director(house, "Dora").signs_in(user)
    director.goes_to(reverse("director:home"))
    director.creates_event(
        "Harbour Weekend", "3, 3, 5", kind="Weekend tournament", timezone="Europe/Helsinki"
    )
    event = director.event
    tournament = Tournament(event, user)
    director.pastes(*NAMES).reads("14 entries")

    # Drawn, looked at, drawn again, published: nobody but the director sees it before.
    director.draws().reads("2 byes")
    for section in ("Main draw", "Consolation", "Last chance"):
        director.reads(section)
    seed = director.page.locator(".seed-number").inner_text()
    director.page.locator("summary", has_text="Draw again").click()
    director.sends("Yes, draw again")
    assert director.page.locator(".seed-number").inner_text() != seed
    nobody = Spectator(house, "Nick").may_see(404)
    nobody.goes_to(reverse("public:bracket", args=[event.public_id])).does_not_read("Ann Ace")
    director.publishes().reads("The draw is published.")
    assert integrity_faults(event) == []

    # Somebody stands in the door: the first of the free byes is hers, and its owner plays after all.
    director.opens("entries")
    bye = Match.objects.filter(stage=tournament.stage, result_kind="bye", round__section="main").first()
    lucky = bye.slots.exclude(entry=None).get().entry.name
    director.enters_late("Zoe Late", beside=lucky)
    bye.refresh_from_db()
    assert (bye.status, tournament.entry("Zoe Late").slots.get().match_id) == (MatchStatus.READY, bye.pk)
    assert integrity_faults(event) == []

    wide = Spectator(house, "Walt", size={"width": 1440, "height": 900}).watches(event, "bracket")
    small = Spectator(house, "Wilma", phone=True, dark=True).watches(event, "bracket")
    wide.sees("Zoe Late")

    # The first round: two matches by phones, the others at the director's desk.
    evening = Evening(house, event)
    opening = [match for match in evening.playable() if match.round.section == "main"]
    assert len(opening) == 7
    for match in opening[:2]:
        evening.agree_on(match, "a", 1)
    for match in opening[2:4]:
        director.records(match, 3, 2)
    for match in opening[4:]:
        tournament.settle(match, "a", 0)

    # The consolation begins, and both go on from a result that was noted the wrong way round.
    slip = goes_wrong(event, tournament)
    side = slip.quarter.slots.get(entry=slip.noted).side
    evening.agree_on(slip.quarter, side, 0)
    director.opens("board").reads("Consolation")
    director.records(slip.consolation, 0, slip.consolation.length)
    wait_until(lambda: rating_of(slip.noted) > 1500 > rating_of(slip.right), 120)
    played_against = opponent_in(slip.quarter, slip.noted)
    met_below = opponent_in(slip.consolation, slip.right)
    assert integrity_faults(event) == []

    # Both hold their phones in their hands when the director puts it right.
    phones = {entry.pk: evening.phone_of(slip.match, at) for entry, at in sides_of(slip.match).items()}
    for phone in phones.values():
        phone.visitor.marks_window()
    slip.match.refresh_from_db()
    a, b = slip.match.score_b, slip.match.score_a
    director.asks_to_correct(slip.match, a, b)
    shown = director.page.locator("fieldset")
    for words in ("Pairings", "Results that will be cancelled", "They no longer count for ratings either."):
        expect(shown).to_contain_text(words)
    expect(shown).to_contain_text(
        f"Match {slip.quarter.number} (Quarterfinal): {slip.right.name} replaces {slip.noted.name}."
    )
    expect(shown).to_contain_text(f"Match {slip.consolation.number} (Consolation,")
    expect(shown).to_contain_text(f"{slip.noted.name} replaces {slip.right.name}.")
    effects = shown.locator("details").first  # of playing again
    for entry in (slip.noted, slip.right):
        expect(effects).to_contain_text(entry.name)
    assert winner_of(slip.match) == slip.noted  # nothing has been changed by looking
    director.chooses("Replay from here").sends("Correct result")
    director.reads("Matches that depended on it are replayed.")
    is_put_right(slip, tournament)

    # Everybody who looks at the draw sees it, and the two are told whom they play now.
    for watching in (wide, small):
        for match, there in ((slip.quarter, slip.right), (slip.consolation, slip.noted)):
            cell = watching.page.locator(f".bracket-cell[data-key='{match.public_id}']")
            expect(cell).to_contain_text(there.name)
            expect(cell.locator(".is-winner")).to_have_count(0)
    expect(phones[slip.right.pk].card(slip.quarter)).to_contain_text(played_against)
    expect(phones[slip.noted.pk].card(slip.consolation)).to_contain_text(met_below)
    wait_until(lambda: rating_of(slip.right) > 1500 > rating_of(slip.noted), 120)

    # Taken back, and made again.
    director.sends("Undo").reads("Undone. Everything is as it was before.")
    assert (winner_of(slip.match), winner_of(slip.quarter)) == (slip.noted, slip.noted)
    assert loser_of(slip.consolation) == slip.right
    assert integrity_faults(event) == []
    wait_until(lambda: rating_of(slip.noted) > 1500 > rating_of(slip.right), 120)
    director.asks_to_correct(slip.match, a, b).chooses("Replay from here").sends("Correct result")
    is_put_right(slip, tournament)
    wait_until(lambda: rating_of(slip.right) > 1500 > rating_of(slip.noted), 120)
    expect(phones[slip.right.pk].card(slip.quarter)).to_contain_text(played_against)
    assert all(phone.visitor.never_reloaded() for phone in phones.values())

    # Somebody goes home before a match: the opponent goes on, and the consolation waits for nobody.
    ready = next(m for m in in_section(event, "main", MatchStatus.READY) if m.pk != slip.quarter.pk)
    leaver, stays = tournament.entry_at(ready, "a"), tournament.entry_at(ready, "b")
    director.goes_to(reverse("director:entry", args=[event.public_id, leaver.public_id]))
    director.follows("Withdraw").reads(f"{stays.name} wins").sends("Withdraw")
    director.reads(f"{leaver.name} is withdrawn.")
    assert (winner_of(ready), ready.result_kind) == (stays, "walkover")
    assert not MatchSlot.objects.filter(entry=leaver, match__status=MatchStatus.READY).exists()
    assert integrity_faults(event) == []

    # To the end: the finals of the three flights at the director's desk.
    while rest := [match for match in tournament.playable() if match.round.code != "final"]:
        for match in rest:
            tournament.settle(match, "a", 1)
    assert {match.round.section for match in tournament.playable()} == {"main", "consolation", "last_chance"}
    winners = {}
    for match in tournament.playable():
        director.records(match, 0, match.length)
        winners[match.round.section] = winner_of(match).name
    event.refresh_from_db()
    assert (event.status, tournament.stage.status) == (EventStatus.FINISHED, StageStatus.FINISHED)
    assert integrity_faults(event) == []
    assert not Match.objects.filter(stage=tournament.stage).exclude(status__in=["confirmed", "void"]).exists()
    for watching in (wide, small):
        for name in winners.values():
            expect(watching.page.locator(".bracket-champion", has_text=name).first).to_be_attached()
        assert watching.visitor.never_reloaded(), watching.name
        assert not watching.visitor.scrolls_sideways()

    # The places of all flights, and everybody's rating.
    small.goes_to(reverse("public:event", args=[event.public_id]))
    for words in ("Main draw: places", "Consolation: places", "Last chance: places"):
        small.reads(words)
    for name in winners.values():
        expect(small.page.locator(".champion", has_text=name).first).to_be_visible()
    assert not small.visitor.scrolls_sideways()
    for phone in evening.phones.values():
        assert not phone.visitor.scrolls_sideways(), phone.name
    director.opens("audit").reads("Undone: the correction of match").reads("withdrew after the draw")
