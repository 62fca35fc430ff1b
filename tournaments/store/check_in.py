"""What a draw writes of the check-in that it asked for, and who stays here when entries go to another division."""

from collections.abc import Collection, Sequence

from faults import Conflict
from tournaments.engine.types import EntryId
from tournaments.models import CheckIn, Division, Entry, Event, Here, Round, Stage
from tournaments.selectors.check_in import check_in_to_ask, check_ins_of, missing_in
from tournaments.selectors.draws import PLAY_OFF

NAMED = 5  # of those who are missing, in the words of a refusal


def must_be_here(
    event: Event, stage: Stage, entries: Collection[int], absent: Collection[int]
) -> tuple[CheckIn | None, tuple[EntryId, ...]]:
    """Refuse to show ``entries`` of ``stage`` while some of them are not here, but for those (``absent``) of whom the director said so.

    Gives the check-in that was asked, and who is in it although they are not here. Joins the caller's transaction, which holds the event:
    whoever is marked or unmarked meanwhile comes before or after.
    """
    check_in = check_in_to_ask(event, stage)
    if check_in is None:
        return None, ()
    missing = missing_in(check_in, entries)
    left = [entry.name for entry in missing if entry.pk not in absent]
    if left:
        raise Conflict(
            "check_in.missing",
            present={"status": stage.status, "missing": [entry.public_id for entry in missing]},
            count=len(left),
            names=", ".join(left[:NAMED]) + (", …" if len(left) > NAMED else ""),
        )
    return check_in, tuple(EntryId(entry.pk) for entry in missing)


def asked_by(check_in: CheckIn | None, stage: Stage) -> None:
    """The draw is shown: what is published later that day asks no more. Thrown away, its rounds take this with them."""
    if check_in is not None:
        check_in.drawn = Round.objects.filter(stage=stage).exclude(code=PLAY_OFF).order_by("-number").first()
        check_in.save(update_fields=["drawn"])


def take_along(entries: Sequence[Entry], to: Division) -> None:
    """Entries that were just moved are as much here as they were: in the check-ins that ``to`` has on the same days."""
    rows = list(Here.objects.filter(entry__in=entries).select_related("check_in"))
    if not rows:
        return
    days = check_ins_of([to.pk])[to.pk]
    for row in rows:
        there = days.get(row.check_in.day)
        if there is None:
            row.delete()
        else:
            row.check_in = there
            row.save(update_fields=["check_in"])
