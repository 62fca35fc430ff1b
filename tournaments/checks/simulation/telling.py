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


def post_announcement(context: StepContext) -> str:
    division = context.rng.choice([None, *(stage.division_id for stage in context.stages)])
    say(**context.where, text=f"News {context.key()}", division_id=division, until=_some_end_time(context))
    return "an announcement"


def change_some_announcement(context: StepContext) -> str:
    """Change an announcement, withdraw it, or show it again."""
    rows = list(Notice.objects.filter(event=context.event).order_by("pk"))
    if not rows:
        return "nothing announced"
    notice, change_kind = context.rng.choice(rows), context.rng.randrange(3)
    notice_kwargs = {**context.where, "notice_id": notice.pk, "seen": notice.version}
    if change_kind == 0:
        change_announcement(
            **notice_kwargs,
            text=f"News {context.key()}",
            division_id=notice.division_id,
            until=_some_end_time(context),
        )
    elif change_kind == 1:
        withdraw_notice(**notice_kwargs)
    else:
        restore_announcement(**notice_kwargs)
    return "an announcement changed"


def set_some_prizes(context: StepContext) -> str:
    """Set other prizes for one section of a stage, or undo the last change of prizes."""
    last_change = last_prize_change(context.event)
    if last_change is not None and context.rng.random() < 0.4:
        undo_prizes_change(**context.where, audit_id=last_change[0].pk)
        return "prizes as they were"
    stages = context.stages
    plan, stage = prize_plan(context.event, stages), context.rng.choice(stages)
    split = context.rng.choice(SPLITS)
    section_prizes = SectionPrizes(
        section=context.rng.choice(prize_sections(stage)),
        way=context.rng.choice(list(PrizeUnit)),
        places=tuple(Prize(share, context.rng.choice(["", "Cup"])) for share in split),
        pool=context.rng.choice([None, Decimal(480)]),
    )
    new_plan = PrizePlan(
        currency=context.rng.choice(["", "EUR", "JPY"]),
        pools={**plan.pools, stage.division_id: Decimal(context.rng.randrange(1000))},
        stages={**plan.stages, stage.pk: (section_prizes,)},
        withdrawn={stage.division_id: context.rng.choice(list(WithdrawnRights))},
    )
    set_prizes(**context.where, plan=new_plan, seen=prizes_version(plan, stages))
    return "prizes"


def mark_some_paid(context: StepContext) -> str:
    rows = list(Entry.objects.filter(division__event=context.event).order_by("pk"))
    chosen = context.rng.sample(rows, min(len(rows), 3))
    paid = context.rng.random() < 0.7
    return f"{len(mark_paid(**context.where, entry_ids=[entry.pk for entry in chosen], paid=paid))} marked as paid or not"


def change_details(context: StepContext) -> str:
    """Change details of an entry's players, sometimes with an outdated expected version."""
    entry = context.some_entry()
    if entry is None:
        return "nobody to write about"
    details_by_player = entry_details([entry.division_id], entry)
    changes = {}
    for player in entry.entry_players.order_by("position").values_list("player_id", flat=True):
        current = details_from_row(details_by_player.get((entry.pk, player)))
        expected = EntryDetails() if context.rng.random() < 0.2 else current
        changed = replace(
            current, note=f"Note {context.key()}", rating=context.rng.choice([None, 1500.0, 1820.5])
        )
        changes[player] = DetailsChange(changed, expected, country=context.rng.choice([None, "", "DE"]))
    set_details(**context.where, entry_id=entry.pk, wanted=changes)
    return f"details of {entry.name}"


def answer_some_call(context: StepContext) -> str:
    """Answer an up-next notice or retract the answer; sometimes staff dismiss an answer."""
    answers = list(CallAnswer.objects.filter(match__stage__division__event=context.event).order_by("pk"))
    if answers and context.rng.random() < 0.3:
        row = context.rng.choice(answers)
        dismiss_answer(**context.where, match_id=row.match_id, entry_id=row.entry.public_id)
        return "an answer seen to"
    match = context.some_match(*NOT_STARTED)
    slots = (
        MatchSlot.objects.filter(match=match, entry__isnull=False).select_related("entry").order_by("side")
    )
    if not slots:
        return "no match to answer to"
    entry = context.rng.choice(list(slots)).entry
    assert match is not None
    assert entry is not None
    answer_call(
        actor=Actor.with_label(f"Personal link of {entry.name}"),
        match_id=match.pk,
        entry=entry,
        coming=context.rng.choice([None, *ReplyChoice]),
        reason=context.rng.choice(["A train", "Fever"]),
    )
    return f"an answer to match {match.number}"


def choose_notifications(context: StepContext) -> str:
    """Choose the channels of some notifications, and quiet hours, for an entry."""
    entry = context.some_entry()
    if entry is None:
        return "nobody to tell"
    kinds = context.rng.sample(sorted(ALERT_KINDS), 3)
    channels = {kind: context.rng.choice([(), (ByWay.PUSH,), (ByWay.PUSH, ByWay.MAIL)]) for kind in kinds}
    save_choice_by_link(
        entry=entry, channels_by_kind=channels, quiet_hours=(time(context.rng.randrange(24)), time(7))
    )
    return f"what {entry.name} is told"


def notify_near_matches(context: StepContext) -> str:
    """Do what the worker does every minute: a forecast, up-next notices, and deliveries."""
    now = timezone.now()
    update_forecast(event_id=context.event.pk, now=now)
    count = send_up_next_notices(event_id=context.event.pk, now=now)
    create_deliveries(now=now)
    return f"{count} hear that their match is near"


def _some_end_time(context: StepContext) -> datetime | None:
    return context.rng.choice([None, timezone.now() + timedelta(hours=2)])
