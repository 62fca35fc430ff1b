"""Random check-ins by all means, with undo, and draws that have to handle absentees."""

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
from tournaments.checks.simulation.hall import Step, StepContext, link_device, min_entries_of
from tournaments.engine.statuses import DRAW_HIDDEN
from tournaments.models import CheckIn, Division, Entry, Here, Stage
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.check_in import CHECK_IN_STATUSES, absentees, last_attendance_action


def steps_before_draw(context: StepContext) -> list[Step]:
    """Return random steps with a check-in of every division.

    Some entries check in, then most others are checked in at once.
    """
    choices: tuple[Step, ...] = (
        check_in_some,
        scan_code,
        check_in_by_phone,
        undo_some_check_ins,
        undo_last_check_in,
        open_last_day,
        close_some_check_in,
    )
    return [open_check_ins, *context.rng.choices(choices, k=context.rng.randrange(3, 12)), check_in_the_rest]


def open_check_ins(context: StepContext) -> str:
    for division in Division.objects.filter(event=context.event).order_by("position"):
        open_check_in(**context.where, division_id=division.pk)
    return "check-in open"


def check_in_some(context: StepContext) -> str:
    entries = _markable_entries(context)
    chosen = context.rng.sample(entries, min(len(entries), context.rng.randint(1, 5)))
    check_in_entries(**context.where, entry_ids=[entry.pk for entry in chosen])
    return f"{len(chosen)} marked as here"


def scan_code(context: StepContext) -> str:
    entry = context.some_entry()
    if entry is None:
        return "nobody with a code"
    check_in_by_code(**context.where, text=f"https://example.org/my/{entry_token(entry)}/")
    return f"the code of {entry.name}"


def check_in_by_phone(context: StepContext) -> str:
    """Check in an entry on the player's own device, with the code of the hall or with a wrong one."""
    entry = context.some_entry()
    if entry is None:
        return "nobody with a phone"
    code = CheckIn.objects.filter(division=entry.division_id).values_list("code", flat=True).first() or ""
    entry = Entry.objects.select_related("division__event").get(pk=entry.pk)
    check_in_by_link(
        entry=entry,
        code=code if context.rng.random() < 0.8 else "BBBBB",
        phone=link_device(entry),
    )
    return f"{entry.name} saying so"


def undo_some_check_ins(context: StepContext) -> str:
    rows = list(Here.objects.filter(check_in__division__event=context.event).order_by("pk"))
    if not rows:
        return "nobody to unmark"
    uncheck_entries(**context.where, entry_ids=[context.rng.choice(rows).entry_id])
    return "somebody not here"


def undo_last_check_in(context: StepContext) -> str:
    for check_in in CheckIn.objects.filter(division__event=context.event).order_by("pk"):
        attendance_action = last_attendance_action(check_in)
        if attendance_action is not None:
            undo_check_in_action(
                **context.where, division_id=check_in.division_id, audit_id=attendance_action[0].pk
            )
            return "a mark taken back"
    return "no mark to take back"


def open_last_day(context: StepContext) -> str:
    """Schedule a check-in for the last day, and sometimes remove it again."""
    division = context.rng.choice(list(Division.objects.filter(event=context.event).order_by("position")))
    opens_at = timezone.now() + timedelta(hours=context.rng.randrange(20, 30))
    check_in_kwargs = {**context.where, "division_id": division.pk, "day": context.event.ends_on}
    set_check_in(**check_in_kwargs, opens_at=opens_at, closes_at=opens_at + timedelta(hours=1))
    if context.rng.random() < 0.3:
        remove_check_in(**check_in_kwargs)
        return "no second check-in"
    return "a second check-in"


def close_some_check_in(context: StepContext) -> str:
    division = context.rng.choice(list(Division.objects.filter(event=context.event).order_by("position")))
    close_check_in(**context.where, division_id=division.pk)
    return "check-in closed"


def check_in_the_rest(context: StepContext) -> str:
    """Check in all entries of every division but a few."""
    for division in Division.objects.filter(event=context.event).order_by("position"):
        entries = [entry for entry in _markable_entries(context) if entry.division_id == division.pk]
        absent_entries = context.rng.sample(entries, min(len(entries) // 3, context.rng.randrange(4)))
        check_in_others(**context.where, division_id=division.pk, but=[entry.pk for entry in absent_entries])
    return "all but some"


def absentees_to_draw(context: StepContext, stage: Stage, drawn_ids: Collection[int]) -> set[int] | None:
    """Return the ids of absentees in ``drawn_ids`` whom the director draws anyway.

    None: the absentees were withdrawn, and the draw has to be made again.
    """
    missing_ids = {entry.pk for entry in absentees(context.event, stage, drawn_ids)}
    if not missing_ids:
        return set()
    first_stage = Stage.objects.filter(division=stage.division_id).order_by("position")[0]
    is_early = first_stage == stage and stage.status in DRAW_HIDDEN
    if is_early and len(set(drawn_ids) - missing_ids) >= min_entries_of(stage) and context.rng.random() < 0.6:
        withdraw_missing(**context.where, stage_id=stage.pk, listed=missing_ids)
        return None
    return missing_ids


def _markable_entries(context: StepContext) -> list[Entry]:
    """Return the entries that can be checked in: those that have not withdrawn."""
    return list(
        Entry.objects.filter(division__event=context.event, status__in=CHECK_IN_STATUSES).order_by("pk")
    )
