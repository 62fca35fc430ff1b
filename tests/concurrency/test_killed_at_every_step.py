"""Web and worker killed with -9 at every step of draw, report, correction, import of an archive and rebuild of ratings.

What one transaction writes is whole or not there; what takes several goes on where it was. In every run at a few steps chosen by
chance (`SEED=…` is printed), in `.ci/long` after each statement. That another worker takes the task up again: `test_killed_worker`.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from games.models import ImportedFile, StoredRecord
from games.services import imports
from games.services.imports import CLAIM_TIMEOUT, process_import, start_import
from people.actors import Actor
from rating.models import Change, Generation, RatingList
from rating.services import check_list, rebuild_list
from rating.services.apply import outdated_lists, update_list_ratings
from rating.services.rebuild import WORKER_TIMEOUT
from tests.factories import Tournament, a_club, an_event
from tests.services.games.test_imports import season
from tests.support.killed import killed_at, steps
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.types import Claim
from tournaments.models import Report
from tournaments.repairs.services.correct import correct_result

__all__ = ["steps"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
Steps = Callable[[], Iterator[int]]
APPS = ("tournaments", "rating", "games", "people")
FILES = 4


def everything() -> dict[str, list[tuple[object, ...]]]:
    """All that is stored."""
    return {
        model._meta.label: sorted(model._default_manager.values_list(), key=repr)
        for app in APPS
        for model in apps.get_app_config(app).get_models()
    }


def whole_or_not_at_all(steps: Steps, work: Callable[[], object]) -> int:
    """Kill ``work`` again and again until it gets to its end; how often."""
    before, count = everything(), 0
    for step in steps():
        if not killed_at(step, work):
            break
        count += 1
        assert everything() == before, f"something is left of {work} after step {step}"
    assert everything() != before
    return count


def test_draw_report_and_correction_when_killed_then_whole_or_not_there_and_once(steps: Steps) -> None:
    tournament = an_event(4, lengths=[3])
    stage = tournament.stage.pk

    def draw() -> None:
        draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage, seed=1)

    def publish() -> None:
        publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage)

    kills = {"draw": whole_or_not_at_all(steps, draw), "publish": whole_or_not_at_all(steps, publish)}
    match, _ = tournament.playable()

    def report() -> bool:
        return tournament.says(match, None, 3, 1, key="the-same").repeated

    def correct() -> None:
        correct_result(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            match_id=match.pk,
            claim=Claim(1, 3),
            submission_key="corrected",
        )

    kills["report"] = whole_or_not_at_all(steps, report)
    assert report(), "what was stored and not answered is known by its key"
    assert Report.objects.filter(match=match).count() == 1
    kills["correction"] = whole_or_not_at_all(steps, correct)
    print(kills)
    assert all(kills.values())
    sound(tournament)


def sound(tournament: Tournament) -> None:
    """Each list takes in what is there, once, and nothing is wrong."""
    for pk in outdated_lists():
        update_list_ratings(pk)
    rating_list = RatingList.objects.get(club=tournament.club, is_main=True)
    assert Change.objects.of(rating_list.generation).count() == 2
    assert check_list(list_id=rating_list.pk) == []
    assert integrity_faults(tournament.fresh()) == []


def test_ratings_when_their_worker_is_killed_then_the_next_one_has_each_result_once(steps: Steps) -> None:
    tournament = an_event(4, lengths=[3]).publish().play_out()
    rating_list = RatingList.objects.get(club=tournament.club, is_main=True)
    kills = 0
    for work in (update_list_ratings, lambda pk: rebuild_list(list_id=pk, started_by="Dora")):
        for step in steps():
            killed = killed_at(step, lambda work=work: work(rating_list.pk))
            # Until it is taken for dead, whose clock goes on.
            silent = timezone.now() - WORKER_TIMEOUT - timedelta(seconds=1)
            Generation.objects.filter(rating_list=rating_list).update(touched_at=silent)
            if not killed:
                break
            kills += 1
            if work is not update_list_ratings:
                assert check_list(list_id=rating_list.pk) == [], f"step {step}"
    print(f"killed {kills} times")
    assert outdated_lists() == []
    rating_list.refresh_from_db()
    assert Change.objects.of(rating_list.generation).count() == 2 * 3
    assert check_list(list_id=rating_list.pk) == []
    assert integrity_faults(tournament.fresh()) == []


def test_import_when_its_worker_is_killed_then_each_record_is_stored_once(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "CHUNK_FILES", 2)
    club = a_club()
    batch = start_import(
        actor=Actor.of(club.memberships.get().user), club_id=club.pk, content=season(FILES), filename="a.zip"
    ).batch
    kills = 0
    for step in steps():
        if not killed_at(step, lambda: process_import(batch_id=batch.pk)):
            break
        kills += 1
        # The time it takes a claim to grow old has passed.
        ImportedFile.objects.exclude(claimed_at=None).update(
            claimed_at=timezone.now() - CLAIM_TIMEOUT - timedelta(seconds=1)
        )
    print(f"killed {kills} times")
    batch.refresh_from_db()
    assert batch.finished_at is not None
    assert (
        StoredRecord.objects.count(),
        ImportedFile.objects.filter(done=True, record__isnull=False).count(),
    ) == (
        FILES,
        FILES,
    )
