"""What is in a bundle: everything of an event or a club, and of people no more than whoever holds the file may know."""

import hashlib
from datetime import date

import pytest
from django.apps import apps

from games.models import AnalysedDecision, AnalysedSide, RecordAnalysis, StoredRecord
from people.models import FederationNumber, OutsideRating, OwnConsent, Player
from rating.models import OfficialList, OfficialRow, RatingList
from tests.factories import a_club, an_event
from tests.support.bundles import exported, new_site, take_in
from tests.support.lanes import ON_ONE
from tests.support.rounds import publish_next, where
from tournaments.backups.services.archive import BackupRefused
from tournaments.bundles.services.contents import EVENT_LOOKUPS, NOT_EXPORTED, club_contents, event_contents
from tournaments.bundles.services.exporting import CLUB_KIND, export_club
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.models import ClubTemplate, Event, Lot, Report, Series
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = [pytest.mark.django_db, *ON_ONE]


@pytest.fixture
def tournament():
    """A running event of which one match is over."""
    tournament = an_event(entries=4, lengths=[3, 3]).publish()
    tournament.settle(tournament.playable()[0], "a")
    tournament.fresh()
    return tournament


def test_tables_when_all_models_are_asked_then_each_travels_or_stays_with_a_reason(tournament):
    travels = {one.model._meta.label for one in club_contents(tournament.club).querysets}
    assert {model._meta.label for model in EVENT_LOOKUPS} <= travels
    every = {
        model._meta.label
        for app in ("tournaments", "people", "games", "rating")
        for model in apps.get_app_config(app).get_models()
    }
    assert travels | set(NOT_EXPORTED) == every
    assert not travels & set(NOT_EXPORTED)
    assert {one.model for one in club_contents(tournament.club).querysets} - {
        one.model for one in event_contents(tournament.event).querysets
    } == {
        FederationNumber, OutsideRating, OwnConsent, Series, ClubTemplate, RatingList, OfficialList, OfficialRow,
    }  # fmt: skip


def an_analysis(tournament):
    """The games of a match that is over, analysed; and asked about once more, by another level."""
    stored = StoredRecord.objects.create(
        sha256=hashlib.sha256(b"moves").hexdigest(), content=b"moves", size=5, format="jf"
    )
    assert Report.objects.filter(match__status="confirmed").update(record=stored) == 1
    RecordAnalysis.objects.create(record=stored, engine="gnubg", version="9", level="3-ply")
    done = RecordAnalysis.objects.create(
        record=stored, engine="gnubg", version="9", level="2-ply", state="done", games=1, rates=True
    )
    for turn in (1, 2):
        AnalysedDecision.objects.create(
            analysis=done, game=1, turn=turn, kind="checker", side="white", lost=0.125, counts=True,
            plays=[["8/5 6/5", 0.25, None, "2-ply"]], cube=None if turn == 1 else [0.5, 1.0],
        )  # fmt: skip
    counts = (
        "checker_counted",
        "cube_counted",
        "errors",
        "blunders",
        "missed_doubles",
        "wrong_doubles",
        "wrong_takes",
        "wrong_passes",
    )
    lost = {"checker_lost": 0.25, "cube_lost": 0.0, "openings": [["", 3, 1, 0.125]]}
    AnalysedSide.objects.create(analysis=done, side="white", **dict.fromkeys(counts, 1), **lost)


def analyses():
    return [
        list(model.objects.order_by("pk").values())
        for model in (RecordAnalysis, AnalysedDecision, AnalysedSide)
    ]


def test_numbers_and_analyses_when_an_event_or_its_club_moves_then_once_and_where_they_may(
    tournament, tmp_path
):
    own, visitor = Player.objects.order_by("pk")[:2]
    Player.objects.filter(pk=visitor.pk).update(home_club=a_club())
    for player in (own, visitor):
        FederationNumber.objects.create(player=player, federation="USBGF", number=f"1{player.pk}")
        OutsideRating.objects.create(player=player, source="WBF", value=1650.5, on=date(2026, 11, 1))
    an_analysis(tournament)
    event = exported(tournament, tmp_path / "night.bundle")
    club = tmp_path / "club.bundle"
    export_club(club, club_id=tournament.club.pk)
    RecordAnalysis.objects.exclude(state="done").delete()
    before = analyses()
    owner = new_site(tournament)
    take_in(event, owner=owner)
    assert analyses() == before
    assert not FederationNumber.objects.exists()  # not by what a director of the event holds
    assert not OutsideRating.objects.exists()
    assert take_in(club, of=CLUB_KIND).has_changes
    assert sorted(RatingList.objects.values_list("is_main", flat=True)) == [
        False,
        True,
    ]  # one was made with the event
    assert FederationNumber.objects.get().number == f"1{own.pk}"
    assert OutsideRating.objects.values_list("player", "value", "on").get() == (
        own.pk,
        1650.5,
        date(2026, 11, 1),
    )
    assert not take_in(club, of=CLUB_KIND).has_changes
    assert not take_in(event).has_changes
    assert analyses() == before
    FederationNumber.objects.update(number="2")  # somebody has set another one here
    RecordAnalysis.objects.update(state="waiting")  # nobody has done it here yet
    AnalysedDecision.objects.all().delete()
    assert take_in(event).has_changes
    assert analyses() == before
    assert not take_in(club, of=CLUB_KIND).has_changes
    assert FederationNumber.objects.get().number == "2"


def test_swiss_when_each_round_is_drawn_with_the_same_seed_then_taken_in(tmp_path):
    tournament = an_event(4, system="swiss", lengths=[3], swiss=SwissSettings(rounds=2))
    publish_next(tournament, seed=1)
    tournament.play_out()
    publish_next(tournament, seed=1)
    assert Lot.objects.filter(what="round", seed="1").count() == 2
    whole = exported(tournament, tmp_path / "night.bundle")
    assert take_in(whole, owner=new_site(tournament)).has_changes


def test_swiss_when_its_pairing_does_not_follow_from_its_seed_or_is_not_the_published_one_then_refused(
    tmp_path,
):
    tournament = an_event(4, system="swiss", lengths=[3], swiss=SwissSettings(rounds=2))
    pair_next_round(**where(tournament))
    publish_next(tournament)
    whole = exported(tournament, tmp_path / "night.bundle")
    lot = Lot.objects.get(what="round")
    (a, b), (c, d) = lot.outcome["pairs"]
    others = [[c, b], [a, d]]
    Lot.objects.update(outcome={**lot.outcome, "pairs": others})
    odd = exported(tournament, tmp_path / "odd.bundle")
    Lot.objects.update(outcome={**lot.outcome, "pairs": others, "swaps": [[a, c]]})
    other = exported(tournament, tmp_path / "other.bundle")
    owner = new_site(tournament)
    with pytest.raises(BackupRefused, match="its outcome does not follow from the seed"):
        take_in(odd, owner=owner)
    with pytest.raises(BackupRefused, match="the audit log has a different published pairing"):
        take_in(other, owner=owner)
    assert not Event.objects.exists()
    assert take_in(whole, owner=owner).has_changes
