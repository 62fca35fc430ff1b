"""A weekend of many divisions in the middle of its first rounds, made by the services."""

import random
from datetime import timedelta

from django.utils import timezone

from people.actors import Actor
from people.models import Club, User
from tournaments.checks.simulation import people_names
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.types import Claim
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.events import EventDetails, create_event
from tournaments.events.services.stages import StageDetails
from tournaments.matches.services.reports import submit_report
from tournaments.models import Event, Match, Stage
from tournaments.site.services.clubs import create_club_with_list


def weekend(
    user: User,
    *,
    divisions: int,
    entries: int,
    results: int,
    rng: random.Random,
    policy: str = "single_report_settles",
) -> Event:
    """A running event of so many divisions with so many entries each, ``results`` played in each of them."""
    actor = Actor.of(user)
    club = Club.objects.filter(memberships__user=user).order_by("pk").first()
    if club is None:
        club = create_club_with_list(actor=actor, name="Harbour Backgammon")
    today = timezone.now().date()
    event = create_event(
        actor=actor,
        club_id=club.pk,
        details=EventDetails(
            name="Autumn Weekend",
            place="Old Harbour Hall",
            starts_on=today,
            ends_on=today + timedelta(days=1),
            tables=200,
        ),
        divisions=[
            DivisionDetails(
                name=f"Division {number}", stages=(StageDetails(lengths=[5, 7], report_policy=policy),)
            )
            for number in range(1, divisions + 1)
        ],
    )
    names = people_names(divisions * entries, rng)
    for index, division in enumerate(event.divisions.order_by("position")):
        people = [NewEntry(name=name) for name in names[index * entries : (index + 1) * entries]]
        add_entries(actor=actor, event_id=event.pk, division_id=division.pk, entries=people)
        stage = Stage.objects.get(division=division)
        draw_stage(actor=actor, event_id=event.pk, stage_id=stage.pk, seed=1)
        publish_draw(actor=actor, event_id=event.pk, stage_id=stage.pk)
        ready = Match.objects.filter(stage=stage, status="ready").order_by("number")
        for match in list(ready[:results]):
            score = (match.length, rng.randrange(match.length))
            a, b = rng.choice((score, score[::-1]))
            submit_report(
                actor=actor,
                match_id=match.pk,
                entry=None,
                claim=Claim(a, b),
                submission_key=f"weekend-{match.pk}",
            )
    event.refresh_from_db()
    return event
