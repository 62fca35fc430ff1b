"""What goes along with former players: earlier take-overs, merging, what is stored about a person, erasure, names in public."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from faults import Conflict
from people.audience import FORMER_PLAYER_NAME, Audience, override_audience
from people.models import Player
from people.models.player import ShownAs
from tests.factories import an_event
from tests.support.repairs import standing_facts
from tests.support.rounds import publish_next, stage_at, then, where
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import StageStatus
from tournaments.entries.services.merge_players import merge_players, undo_last_merge
from tournaments.models import CallAnswer, Entry, EntryPlayer, FormerLineup, FormerPlayer, Match, Stage
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.about_me import player_tables
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.repairs.substitutions import slots_to_freeze
from tournaments.selectors.repairs.undo import last_repair
from tournaments.selectors.rounds.next import has_round_to_come
from tournaments.site.services.forgetting import erase_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Four in a knock-out: the winner of match 1 is replaced before the final."""
    tournament = an_event(entries=4, lengths=[7]).publish()
    for match in tournament.playable():
        tournament.settle(match, "a")
    return tournament


def replaced(tournament, name="Zoran Zet"):
    """The winner of match 1, who is replaced by ``name``: the player before."""
    entry = tournament.entry_at(Match.objects.get(number=1), "a")
    was = EntryPlayer.objects.get(entry=entry).player
    at = {"actor": tournament.actor, "event_id": tournament.event.pk, "entry_id": entry.pk}
    change_player(**at, wrong_id=was.pk, right=NewEntry(name=name), from_now=True)
    return was


def names_of(tournament):
    matches = Match.objects.select_related("round").order_by("number")
    return [tuple(side.name for side in drawn_match(match).sides) for match in matches]


def test_take_over_when_undone_after_more_was_played_then_results_and_ratings_go_back(tournament):
    was = replaced(tournament)
    final = Match.objects.get(number=3)
    tournament.settle(final, "a")
    zoran = Player.objects.get(name="Zoran Zet")
    assert {was.pk, zoran.pk} <= {pk for row in standing_facts() for pk in row[:2]}
    undo_repair(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        audit_id=last_repair(tournament.fresh(), tournament.stage).pk,
    )
    assert zoran.pk not in {pk for row in standing_facts() for pk in row[:2]}
    assert names_of(tournament)[2][0] == was.name
    assert not Entry.objects.filter(changed_hands=True).exists()
    assert not FormerLineup.objects.exists()
    assert integrity_faults(tournament.event) == []


def test_path_when_a_player_has_taken_over_then_earlier_matches_name_who_played(tournament, client):
    was = replaced(tournament)
    tournament.settle(Match.objects.get(number=3), "a")
    entry = tournament.entry("Zoran Zet")
    page = client.get(f"/e/{tournament.event.public_id}/way/{entry.public_id}/").content.decode()
    semifinal, final = page[page.index("Semifinal: won") :].split("Final: won", 1)
    assert f"(played by {was.name})" in semifinal
    assert "played by" not in final.split("</li>")[0]


@pytest.mark.parametrize("from_now", [False, True], ids=["wrong player", "takes over"])
def test_player_when_undone_after_a_later_stage_was_played_then_all_stages_are_rated_for_who_is_back(
    from_now,
):
    tournament = an_event(entries=4, lengths=[5], system="round_robin")
    then(tournament, name="Final", system="single_elimination", fed_by=1, takes=4)
    publish_next(tournament)
    entry = tournament.entry_at(tournament.playable()[0], "a")
    was = EntryPlayer.objects.get(entry=entry).player
    at = {"actor": tournament.actor, "event_id": tournament.event.pk, "entry_id": entry.pk}
    change_player(**at, wrong_id=was.pk, right=NewEntry(name="Zoran Zet"), from_now=from_now)
    tournament.play_out()
    while has_round_to_come(stage_at(tournament)):
        publish_next(tournament)
        tournament.play_out()
    draw_stage(**where(tournament, 2), seed=1)
    publish_draw(**where(tournament, 2))
    tournament.play_out()
    zoran = Player.objects.get(name="Zoran Zet")
    assert integrity_faults(tournament.event) == []
    undo_repair(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        audit_id=last_repair(tournament.fresh(), stage_at(tournament)).pk,
    )
    assert zoran.pk not in {pk for row in standing_facts() for pk in row[:2]}
    assert integrity_faults(tournament.event) == []


def test_migration_when_a_player_had_taken_over_before_then_the_audit_log_tells_who_sat_there(tournament):
    replaced(tournament)
    replaced(tournament, "Yuri Yak")  # nothing was played since: Zoran sat nowhere
    tournament.play_out()
    known, facts = names_of(tournament), standing_facts()
    lineups = list(FormerPlayer.objects.values_list("player_id", "position"))
    FormerLineup.objects.all().delete()
    Entry.objects.update(changed_hands=False)
    assert names_of(tournament) != known
    module = import_module("tournaments.migrations.0053_former_players")
    module.read_take_overs(apps, None)
    assert (names_of(tournament), standing_facts()) == (known, facts)
    assert list(FormerPlayer.objects.values_list("player_id", "position")) == lineups
    assert integrity_faults(tournament.event) == []
    FormerLineup.objects.all().delete()
    Entry.objects.update(changed_hands=False)
    module.read_ledger(apps, None)
    assert names_of(tournament) == known
    assert integrity_faults(tournament.event) == []


def test_merge_when_a_former_player_is_the_duplicate_then_they_follow_and_come_back(tournament):
    was = replaced(tournament)
    keep = Player.objects.create(name="Keep Me", home_club=tournament.club)
    keep.club_links.create(club=tournament.club)
    at = {"actor": tournament.actor, "club_id": tournament.club.pk}
    merge_players(**at, keep_id=keep.pk, duplicate_id=was.pk)
    assert FormerPlayer.objects.get().player == keep
    assert names_of(tournament)[0][0] == "Keep Me"
    assert integrity_faults(tournament.event) == []
    undo_last_merge(**at, duplicate=was.public_id)
    assert FormerPlayer.objects.get().player == was
    assert names_of(tournament)[0][0] == was.name
    zoran = Player.objects.get(name="Zoran Zet")
    with pytest.raises(Conflict) as refused:
        merge_players(**at, keep_id=was.pk, duplicate_id=zoran.pk)
    assert refused.value.code == "player.same_division"


def test_person_when_they_played_before_another_took_over_then_it_is_told_and_erased(tournament):
    was = replaced(tournament)
    known = player_tables(was)
    assert [row["name"] for row in known["former_entries"]] == [was.name]
    assert len(known["matches"]) == 1
    assert len(player_tables(Player.objects.get(name="Zoran Zet"))["matches"]) == 1  # the final
    erase_player(actor=tournament.actor, player_id=was.pk)
    assert FormerLineup.objects.get().name == FORMER_PLAYER_NAME
    assert was.name not in str(names_of(tournament))
    assert integrity_faults(tournament.event) == []


def test_person_when_they_play_against_their_former_entry_then_its_words_stay_with_who_wrote_them(tournament):
    was = replaced(tournament)
    final = Match.objects.get(number=3)
    entry, other = (tournament.entry_at(final, side) for side in "ab")
    at = {"actor": tournament.actor, "event_id": tournament.event.pk, "entry_id": other.pk}
    wrong = EntryPlayer.objects.get(entry=other).player
    change_player(**at, wrong_id=wrong.pk, right=NewEntry(player_id=was.pk), from_now=True)
    for one in (entry, other):
        CallAnswer.objects.create(match=final, entry=one, coming="coming", at=timezone.now())
    erase_player(actor=tournament.actor, player_id=was.pk)
    assert [row.entry for row in CallAnswer.objects.all()] == [entry]


def test_take_over_when_a_later_draw_is_not_published_then_its_byes_are_of_who_comes(tournament):
    tournament.play_out()
    Stage.objects.update(status=StageStatus.DRAWN)
    entry = tournament.entry_at(Match.objects.get(number=1), "a")
    assert slots_to_freeze([entry]) == []


def test_name_when_a_former_player_shows_none_then_nobody_reads_it(tournament):
    was = replaced(tournament)
    was.shown_as = ShownAs.HIDDEN
    was.save()
    with override_audience(Audience.PUBLIC):
        shown = names_of(tournament)
    place = EntryPlayer.objects.get(entry=tournament.entry_at(Match.objects.get(number=1), "a"))
    number = 1 + EntryPlayer.objects.filter(division=tournament.division, pk__lt=place.pk).count()
    assert shown[0][0] == f"Player {number}"
    assert shown[2][0] == "Zoran Zet"
