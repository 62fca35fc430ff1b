"""What is said and kept beside play by chance: announcements, prizes, who has paid, details of entries."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from tournaments.checks.simulation.hall import Hall
from tournaments.engine.new_entry import EntryDetails
from tournaments.engine.standings.prizes import SPLITS, Prize, PrizePlan, SectionPrizes, Way
from tournaments.entries.services.details import Wanted, mark_paid, set_details
from tournaments.models import Entry, Notice
from tournaments.notices.services.announcing import announce as say
from tournaments.notices.services.announcing import change_announcement, show_again, withdraw_notice
from tournaments.prizes.services.setting import set_prizes, take_prizes_back
from tournaments.selectors.entries import details_in, details_of
from tournaments.selectors.prizes import last_change, prize_plan, prizes_version, sections_of


def announce(hall: Hall) -> str:
    division = hall.rng.choice([None, *(stage.division_id for stage in hall.stages)])
    say(**hall.where, text=f"News {hall.key()}", division_id=division, until=_until(hall))
    return "an announcement"


def change_what_stands(hall: Hall) -> str:
    """An announcement is said otherwise, withdrawn, or shown again."""
    rows = list(Notice.objects.filter(event=hall.event).order_by("pk"))
    if not rows:
        return "nothing announced"
    notice, way = hall.rng.choice(rows), hall.rng.randrange(3)
    found = {**hall.where, "notice_id": notice.pk, "seen": notice.version}
    if way == 0:
        change_announcement(
            **found, text=f"News {hall.key()}", division_id=notice.division_id, until=_until(hall)
        )
    elif way == 1:
        withdraw_notice(**found)
    else:
        show_again(**found)
    return "an announcement changed"


def set_some_prizes(hall: Hall) -> str:
    """Other prizes for one part, or the last change taken back."""
    found = last_change(hall.event)
    if found is not None and hall.rng.random() < 0.4:
        take_prizes_back(**hall.where, audit_id=found[0].pk)
        return "prizes as they were"
    stages = hall.stages
    plan, stage = prize_plan(hall.event, stages), hall.rng.choice(stages)
    split = hall.rng.choice(SPLITS)
    part = SectionPrizes(
        section=hall.rng.choice(sections_of(stage)),
        way=hall.rng.choice(list(Way)),
        places=tuple(Prize(share, hall.rng.choice(["", "Cup"])) for share in split),
        pool=hall.rng.choice([None, Decimal(480)]),
    )
    wanted = PrizePlan(
        currency=hall.rng.choice(["", "EUR", "JPY"]),
        pools={**plan.pools, stage.division_id: Decimal(hall.rng.randrange(1000))},
        stages={**plan.stages, stage.pk: (part,)},
    )
    set_prizes(**hall.where, plan=wanted, seen=prizes_version(plan, stages))
    return "prizes"


def mark_some_paid(hall: Hall) -> str:
    rows = list(Entry.objects.filter(division__event=hall.event).order_by("pk"))
    chosen = hall.rng.sample(rows, min(len(rows), 3))
    paid = hall.rng.random() < 0.7
    return f"{len(mark_paid(**hall.where, entry_ids=[one.pk for one in chosen], paid=paid))} marked as paid or not"


def write_details(hall: Hall) -> str:
    """What is known about the players of an entry; now and then by somebody who looks at what stood there before."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody to write about"
    known = details_of([entry.division_id], entry)
    wanted = {}
    for player in entry.entry_players.order_by("position").values_list("player_id", flat=True):
        stands = details_in(known.get((entry.pk, player)))
        seen = EntryDetails() if hall.rng.random() < 0.2 else stands
        after = replace(stands, note=f"Note {hall.key()}", rating=hall.rng.choice([None, 1500.0, 1820.5]))
        wanted[player] = Wanted(after, seen, country=hall.rng.choice([None, "", "DE"]))
    set_details(**hall.where, entry_id=entry.pk, wanted=wanted)
    return f"details of {entry.name}"


def _until(hall: Hall) -> datetime | None:
    return hall.rng.choice([None, timezone.now() + timedelta(hours=2)])
