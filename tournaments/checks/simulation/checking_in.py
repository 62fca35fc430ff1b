"""Random check-ins through all channels, with undo, and draws that report absentees."""

from collections.abc import Collection
from datetime import timedelta

from django.utils import timezone

from tournaments.check_in.services.leaving_out import withdraw_missing
from tournaments.check_in.services.marking import (
    check_in_by_code,
    check_in_entries,
    check_in_others,
    uncheck_entries,
    undo_check_in_action,
)
from tournaments.check_in.services.own import check_in_by_link
from tournaments.check_in.services.windows import (
    close_check_in,
    open_check_in,
    remove_check_in,
    set_check_in,
)
from tournaments.checks.simulation.hall import Step, StepContext, min_entries_of, phone_of
from tournaments.engine.statuses import DRAW_HIDDEN
from tournaments.models import CheckIn, Division, Entry, Here, Stage
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.check_in import MARKABLE_STATUSES, absentees, last_attendance_action


def steps_before_draw(hall: StepContext) -> list[Step]:
    """Steps with a check-in of every division.

    Some people check in, then most others are checked in at once.
    """
    some: tuple[Step, ...] = (
        check_in_some,
        scan_code,
        check_in_by_phone,
        undo_some_check_ins,
        undo_last_check_in,
        open_last_day,
        close_some_check_in,
    )
    return [open_check_ins, *hall.rng.choices(some, k=hall.rng.randrange(3, 12)), check_in_the_rest]


def open_check_ins(hall: StepContext) -> str:
    for division in Division.objects.filter(event=hall.event).order_by("position"):
        open_check_in(**hall.where, division_id=division.pk)
    return "check-in open"


def check_in_some(hall: StepContext) -> str:
    entries = _markable_entries(hall)
    chosen = hall.rng.sample(entries, min(len(entries), hall.rng.randint(1, 5)))
    check_in_entries(**hall.where, entry_ids=[entry.pk for entry in chosen])
    return f"{len(chosen)} marked as here"


def scan_code(hall: StepContext) -> str:
    entry = hall.some_entry()
    if entry is None:
        return "nobody with a code"
    check_in_by_code(**hall.where, text=f"https://example.org/my/{entry_token(entry)}/")
    return f"the code of {entry.name}"


def check_in_by_phone(hall: StepContext) -> str:
    """Check in with the hall code, or with a wrong one."""
    entry = hall.some_entry()
    if entry is None:
        return "nobody with a phone"
    code = CheckIn.objects.filter(division=entry.division_id).values_list("code", flat=True).first() or ""
    entry = Entry.objects.select_related("division__event").get(pk=entry.pk)
    check_in_by_link(
        entry=entry,
        code=code if hall.rng.random() < 0.8 else "BBBBB",
        phone=phone_of(entry),
    )
    return f"{entry.name} saying so"


def undo_some_check_ins(hall: StepContext) -> str:
    rows = list(Here.objects.filter(check_in__division__event=hall.event).order_by("pk"))
    if not rows:
        return "nobody to unmark"
    uncheck_entries(**hall.where, entry_ids=[hall.rng.choice(rows).entry_id])
    return "somebody not here"


def undo_last_check_in(hall: StepContext) -> str:
    for check_in in CheckIn.objects.filter(division__event=hall.event).order_by("pk"):
        last = last_attendance_action(check_in)
        if last is not None:
            undo_check_in_action(**hall.where, division_id=check_in.division_id, audit_id=last[0].pk)
            return "a mark taken back"
    return "no mark to take back"


def open_last_day(hall: StepContext) -> str:
    """Schedule a check-in of the last day in advance, or remove it again."""
    division = hall.rng.choice(list(Division.objects.filter(event=hall.event).order_by("position")))
    opens = timezone.now() + timedelta(hours=hall.rng.randrange(20, 30))
    where = {**hall.where, "division_id": division.pk, "day": hall.event.ends_on}
    set_check_in(**where, opens_at=opens, closes_at=opens + timedelta(hours=1))
    if hall.rng.random() < 0.3:
        remove_check_in(**where)
        return "no second check-in"
    return "a second check-in"


def close_some_check_in(hall: StepContext) -> str:
    division = hall.rng.choice(list(Division.objects.filter(event=hall.event).order_by("position")))
    close_check_in(**hall.where, division_id=division.pk)
    return "check-in closed"


def check_in_the_rest(hall: StepContext) -> str:
    """Check in all but a few of every division."""
    for division in Division.objects.filter(event=hall.event).order_by("position"):
        entries = [entry for entry in _markable_entries(hall) if entry.division_id == division.pk]
        but = hall.rng.sample(entries, min(len(entries) // 3, hall.rng.randrange(4)))
        check_in_others(**hall.where, division_id=division.pk, but=[entry.pk for entry in but])
    return "all but some"


def absentees_to_draw(hall: StepContext, stage: Stage, drawn: Collection[int]) -> set[int] | None:
    """Return the ids of absentees in ``drawn`` whom the director draws anyway.

    None: they were withdrawn, and the draw has to be made again.
    """
    missing = {entry.pk for entry in absentees(hall.event, stage, drawn)}
    if not missing:
        return set()
    first = Stage.objects.filter(division=stage.division_id).order_by("position")[0]
    early = first == stage and stage.status in DRAW_HIDDEN
    if early and len(set(drawn) - missing) >= min_entries_of(stage) and hall.rng.random() < 0.6:
        withdraw_missing(**hall.where, stage_id=stage.pk, listed=missing)
        return None
    return missing


def _markable_entries(hall: StepContext) -> list[Entry]:
    """Entries that can be checked in: those that have not withdrawn."""
    return list(Entry.objects.filter(division__event=hall.event, status__in=MARKABLE_STATUSES).order_by("pk"))
