"""Random messages and records besides play.

Announcements, answers, up-next notices, prizes, payments, details of entries.
"""

from dataclasses import replace
from datetime import datetime, time, timedelta
from decimal import Decimal

from django.utils import timezone

from people.actors import Actor
from tournaments.checks.simulation.hall import StepContext
from tournaments.engine.alerts import ALERT_KINDS
from tournaments.engine.alerts import Channel as ByWay
from tournaments.engine.matches.answers import ReplyChoice
from tournaments.engine.new_entry import EntryDetails
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.standings.prizes import SPLITS, Prize, PrizePlan, PrizeUnit, SectionPrizes
from tournaments.engine.statuses import NOT_STARTED
from tournaments.entries.services.details import DetailsChange, mark_paid, set_details
from tournaments.hall.services.forecasts import update_forecast
from tournaments.hall.services.near import send_up_next_notices
from tournaments.matches.services.answers import answer_call, dismiss_answer
from tournaments.models import CallAnswer, Entry, MatchSlot, Notice
from tournaments.notices.services.announcing import announce as say
from tournaments.notices.services.announcing import change_announcement, restore_announcement, withdraw_notice
from tournaments.notices.services.choosing import save_choice_by_link
from tournaments.notices.services.sending import create_deliveries
from tournaments.prizes.services.setting import set_prizes, undo_prizes_change
from tournaments.selectors.entries import details_from_row, entry_details
from tournaments.selectors.prizes import last_prize_change, prize_plan, prize_sections, prizes_version


def post_announcement(hall: StepContext) -> str:
    division = hall.rng.choice([None, *(stage.division_id for stage in hall.stages)])
    say(**hall.where, text=f"News {hall.key()}", division_id=division, until=_some_end_time(hall))
    return "an announcement"


def change_some_announcement(hall: StepContext) -> str:
    """Change an announcement, withdraw it, or show it again."""
    rows = list(Notice.objects.filter(event=hall.event).order_by("pk"))
    if not rows:
        return "nothing announced"
    notice, way = hall.rng.choice(rows), hall.rng.randrange(3)
    found = {**hall.where, "notice_id": notice.pk, "seen": notice.version}
    if way == 0:
        change_announcement(
            **found, text=f"News {hall.key()}", division_id=notice.division_id, until=_some_end_time(hall)
        )
    elif way == 1:
        withdraw_notice(**found)
    else:
        restore_announcement(**found)
    return "an announcement changed"


def set_some_prizes(hall: StepContext) -> str:
    """Set other prizes for one part, or undo the last change."""
    found = last_prize_change(hall.event)
    if found is not None and hall.rng.random() < 0.4:
        undo_prizes_change(**hall.where, audit_id=found[0].pk)
        return "prizes as they were"
    stages = hall.stages
    plan, stage = prize_plan(hall.event, stages), hall.rng.choice(stages)
    split = hall.rng.choice(SPLITS)
    part = SectionPrizes(
        section=hall.rng.choice(prize_sections(stage)),
        way=hall.rng.choice(list(PrizeUnit)),
        places=tuple(Prize(share, hall.rng.choice(["", "Cup"])) for share in split),
        pool=hall.rng.choice([None, Decimal(480)]),
    )
    wanted = PrizePlan(
        currency=hall.rng.choice(["", "EUR", "JPY"]),
        pools={**plan.pools, stage.division_id: Decimal(hall.rng.randrange(1000))},
        stages={**plan.stages, stage.pk: (part,)},
        withdrawn={stage.division_id: hall.rng.choice(list(WithdrawnRights))},
    )
    set_prizes(**hall.where, plan=wanted, seen=prizes_version(plan, stages))
    return "prizes"


def mark_some_paid(hall: StepContext) -> str:
    rows = list(Entry.objects.filter(division__event=hall.event).order_by("pk"))
    chosen = hall.rng.sample(rows, min(len(rows), 3))
    paid = hall.rng.random() < 0.7
    return f"{len(mark_paid(**hall.where, entry_ids=[one.pk for one in chosen], paid=paid))} marked as paid or not"


def change_details(hall: StepContext) -> str:
    """Change details of an entry's players, sometimes with an outdated expected version."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody to write about"
    known = entry_details([entry.division_id], entry)
    wanted = {}
    for player in entry.entry_players.order_by("position").values_list("player_id", flat=True):
        stands = details_from_row(known.get((entry.pk, player)))
        seen = EntryDetails() if hall.rng.random() < 0.2 else stands
        after = replace(stands, note=f"Note {hall.key()}", rating=hall.rng.choice([None, 1500.0, 1820.5]))
        wanted[player] = DetailsChange(after, seen, country=hall.rng.choice([None, "", "DE"]))
    set_details(**hall.where, entry_id=entry.pk, wanted=wanted)
    return f"details of {entry.name}"


def answer_some_call(hall: StepContext) -> str:
    """Answer a call (coming, later, cannot play) or retract the answer; sometimes staff dismiss one."""
    answers = list(CallAnswer.objects.filter(match__stage__division__event=hall.event).order_by("pk"))
    if answers and hall.rng.random() < 0.3:
        row = hall.rng.choice(answers)
        dismiss_answer(**hall.where, match_id=row.match_id, entry_id=row.entry.public_id)
        return "an answer seen to"
    match = hall.some_match(*NOT_STARTED)
    slots = (
        MatchSlot.objects.filter(match=match, entry__isnull=False).select_related("entry").order_by("side")
    )
    if not slots:
        return "no match to answer to"
    entry = hall.rng.choice(list(slots)).entry
    assert match is not None
    assert entry is not None
    answer_call(
        actor=Actor.named(f"Personal link of {entry.name}"),
        match_id=match.pk,
        entry=entry,
        coming=hall.rng.choice([None, *ReplyChoice]),
        reason=hall.rng.choice(["A train", "Fever"]),
    )
    return f"an answer to match {match.number}"


def choose_notifications(hall: StepContext) -> str:
    """Choose the channels of some notifications, and quiet hours."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody to tell"
    chosen = hall.rng.sample(sorted(ALERT_KINDS), 3)
    ways = {kind: hall.rng.choice([(), (ByWay.PUSH,), (ByWay.PUSH, ByWay.MAIL)]) for kind in chosen}
    save_choice_by_link(entry=entry, ways=ways, quiet=(time(hall.rng.randrange(24)), time(7)))
    return f"what {entry.name} is told"


def notify_near_matches(hall: StepContext) -> str:
    """Do what the worker does every minute: a forecast, up-next notices, and deliveries."""
    now = timezone.now()
    update_forecast(event_id=hall.event.pk, now=now)
    count = send_up_next_notices(event_id=hall.event.pk, now=now)
    create_deliveries(now=now)
    return f"{count} hear that their match is near"


def _some_end_time(hall: StepContext) -> datetime | None:
    return hall.rng.choice([None, timezone.now() + timedelta(hours=2)])
