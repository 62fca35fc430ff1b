"""Who is here by chance: a check-in opens and closes, people are marked by every way, some of it is taken back, and a draw asks who is missing."""

from collections.abc import Collection
from datetime import timedelta

from django.utils import timezone

from tournaments.check_in.services.leaving_out import leave_out_missing
from tournaments.check_in.services.marking import (
    mark_by_code,
    mark_here,
    mark_not_here,
    mark_rest_here,
    take_mark_back,
)
from tournaments.check_in.services.own import say_here
from tournaments.check_in.services.windows import (
    close_check_in,
    open_check_in,
    remove_check_in,
    set_check_in,
)
from tournaments.checks.simulation.hall import Hall, Step, least_of, phone_of
from tournaments.engine.statuses import DRAW_HIDDEN
from tournaments.models import CheckIn, Division, Entry, Here, Stage
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.check_in import COMING, absentees, last_mark


def before_the_draw(hall: Hall) -> list[Step]:
    """A check-in of every division, people who come, and most of those who are left marked at once."""
    some: tuple[Step, ...] = (
        mark_some,
        scan_code,
        tap_own_phone,
        unmark_some,
        take_last_mark_back,
        second_day,
        close,
    )
    return [open_all, *hall.rng.choices(some, k=hall.rng.randrange(3, 12)), mark_the_rest]


def open_all(hall: Hall) -> str:
    for division in Division.objects.filter(event=hall.event).order_by("position"):
        open_check_in(**hall.where, division_id=division.pk)
    return "check-in open"


def mark_some(hall: Hall) -> str:
    entries = _coming(hall)
    chosen = hall.rng.sample(entries, min(len(entries), hall.rng.randint(1, 5)))
    mark_here(**hall.where, entry_ids=[entry.pk for entry in chosen])
    return f"{len(chosen)} marked as here"


def scan_code(hall: Hall) -> str:
    entry = hall.some_entry()
    if entry is None:
        return "nobody with a code"
    mark_by_code(**hall.where, text=f"https://example.org/my/{entry_token(entry)}/")
    return f"the code of {entry.name}"


def tap_own_phone(hall: Hall) -> str:
    """With the code of the hall, or a wrong one."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody with a phone"
    code = CheckIn.objects.filter(division=entry.division_id).values_list("code", flat=True).first() or ""
    entry = Entry.objects.select_related("division__event").get(pk=entry.pk)
    say_here(
        entry=entry,
        code=code if hall.rng.random() < 0.8 else "BBBBB",
        phone=phone_of(entry),
    )
    return f"{entry.name} saying so"


def unmark_some(hall: Hall) -> str:
    rows = list(Here.objects.filter(check_in__division__event=hall.event).order_by("pk"))
    if not rows:
        return "nobody to unmark"
    mark_not_here(**hall.where, entry_ids=[hall.rng.choice(rows).entry_id])
    return "somebody not here"


def take_last_mark_back(hall: Hall) -> str:
    for check_in in CheckIn.objects.filter(division__event=hall.event).order_by("pk"):
        last = last_mark(check_in)
        if last is not None:
            take_mark_back(**hall.where, division_id=check_in.division_id, audit_id=last[0].pk)
            return "a mark taken back"
    return "no mark to take back"


def second_day(hall: Hall) -> str:
    """A check-in of the last day, set before, with somebody who is marked in it; or taken away again."""
    division = hall.rng.choice(list(Division.objects.filter(event=hall.event).order_by("position")))
    opens = timezone.now() + timedelta(hours=hall.rng.randrange(20, 30))
    where = {**hall.where, "division_id": division.pk, "day": hall.event.ends_on}
    set_check_in(**where, opens_at=opens, closes_at=opens + timedelta(hours=1))
    if hall.rng.random() < 0.3:
        remove_check_in(**where)
        return "no second check-in"
    return "a second check-in"


def close(hall: Hall) -> str:
    division = hall.rng.choice(list(Division.objects.filter(event=hall.event).order_by("position")))
    close_check_in(**hall.where, division_id=division.pk)
    return "check-in closed"


def mark_the_rest(hall: Hall) -> str:
    """All but a few of every division."""
    for division in Division.objects.filter(event=hall.event).order_by("position"):
        entries = [entry for entry in _coming(hall) if entry.division_id == division.pk]
        but = hall.rng.sample(entries, min(len(entries) // 3, hall.rng.randrange(4)))
        mark_rest_here(**hall.where, division_id=division.pk, but=[entry.pk for entry in but])
    return "all but some"


def left_out_or_drawn(hall: Hall, stage: Stage, drawn: Collection[int]) -> set[int] | None:
    """Of those who are ``drawn`` and not here: whom the director draws anyway; None: they were left out, and it is drawn anew."""
    missing = {entry.pk for entry in absentees(hall.event, stage, drawn)}
    if not missing:
        return set()
    first = Stage.objects.filter(division=stage.division_id).order_by("position")[0]
    early = first == stage and stage.status in DRAW_HIDDEN
    if early and len(set(drawn) - missing) >= least_of(stage) and hall.rng.random() < 0.6:
        leave_out_missing(**hall.where, stage_id=stage.pk, listed=missing)
        return None
    return missing


def _coming(hall: Hall) -> list[Entry]:
    """Who can be marked: nobody who has left."""
    return list(Entry.objects.filter(division__event=hall.event, status__in=COMING).order_by("pk"))
