"""What is said and kept beside play by chance: announcements, answers, words before calls, prizes, who has paid, details of entries."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from decimal import Decimal

from django.utils import timezone

from people.actors import Actor
from tournaments.checks.simulation.hall import Hall
from tournaments.engine.alerts import KINDS
from tournaments.engine.alerts import Way as ByWay
from tournaments.engine.matches.answers import Coming
from tournaments.engine.new_entry import EntryDetails
from tournaments.engine.standings.leaving import Withdrawn
from tournaments.engine.standings.prizes import SPLITS, Prize, PrizePlan, SectionPrizes, Way
from tournaments.engine.statuses import AWAITED
from tournaments.entries.services.details import Wanted, mark_paid, set_details
from tournaments.hall.services.forecasts import make_forecast
from tournaments.hall.services.near import tell_near
from tournaments.matches.services.answers import answer_call, set_aside_answer
from tournaments.models import CallAnswer, Entry, MatchSlot, Notice
from tournaments.notices.services.announcing import announce as say
from tournaments.notices.services.announcing import change_announcement, show_again, withdraw_notice
from tournaments.notices.services.choosing import choose_by_link
from tournaments.notices.services.sending import spread_some
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
        withdrawn={stage.division_id: hall.rng.choice(list(Withdrawn))},
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


def answer_before_a_match(hall: Hall) -> str:
    """Somebody says that they come, come later or cannot play, or takes that back; now and then the desk has seen to an answer."""
    answers = list(CallAnswer.objects.filter(match__stage__division__event=hall.event).order_by("pk"))
    if answers and hall.rng.random() < 0.3:
        row = hall.rng.choice(answers)
        set_aside_answer(**hall.where, match_id=row.match_id, entry_id=row.entry.public_id)
        return "an answer seen to"
    match = hall.some_match(*AWAITED)
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
        coming=hall.rng.choice([None, *Coming]),
        reason=hall.rng.choice(["A train", "Fever"]),
    )
    return f"an answer to match {match.number}"


def choose_notices(hall: Hall) -> str:
    """By whom somebody is told of what, and when nothing is to sound."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody to tell"
    chosen = hall.rng.sample(sorted(KINDS), 3)
    ways = {kind: hall.rng.choice([(), (ByWay.PUSH,), (ByWay.PUSH, ByWay.MAIL)]) for kind in chosen}
    choose_by_link(entry=entry, ways=ways, quiet=(time(hall.rng.randrange(24)), time(7)))
    return f"what {entry.name} is told"


def say_what_is_near(hall: Hall) -> str:
    """What the worker does once a minute: a forecast, a word to whoever's match is near, and who is told by which way."""
    now = timezone.now()
    make_forecast(event_id=hall.event.pk, now=now)
    count = tell_near(event_id=hall.event.pk, now=now)
    spread_some(now=now)
    return f"{count} hear that their match is near"


def _until(hall: Hall) -> datetime | None:
    return hall.rng.choice([None, timezone.now() + timedelta(hours=2)])
