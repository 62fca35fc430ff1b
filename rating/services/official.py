"""Make official lists, manually and by schedule: each in one transaction that locks the list's row."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from faults import Conflict, CrawfordError, Fault, Invalid, raise_faults
from people.actors import Actor
from people.models import Player
from people.permissions import require_director
from people.rows import one_or_none
from people.services import audit
from people.signing import sign
from people.text import clean_line
from people.zones import FIRST_YEAR, midnight
from rating.formulas.calendar import Frequency, allowed_days, due_days
from rating.models import OfficialList, OfficialRequest, OfficialRow, OfficialSchedule, RatingList, Standing
from rating.selectors.as_of import PlayerNumbers, numbers_at
from rating.selectors.official import build_document, list_zone, official_schedule, published_days
from rating.selectors.ranking import CurrentRules, current_rules, ranking_rules
from rating.selectors.shown import is_provisional
from rating.services.apply import must_rebuild, update_list_ratings
from rating.services.intake import apply_pending_facts
from rating.services.locks import lock_list, raise_list_version
from rating.services.queue import queue_official
from rating.store.moments import from_moment, to_moment
from rating.store.reading import changes_from

FORMAT: Final = "crawford/official-list/1"
NOTE_LIMIT: Final = 200
MAX_PLAYERS_AT_ONCE: Final = 2_000  # of a list that is made within a request
MAX_CHANGES_AT_ONCE: Final = 20_000  # since the day of such a list
_BATCH: Final = 2000
_FIRST_FACT_NUMBER: Final = 0  # below every number in the ledger


@dataclass(frozen=True, slots=True)
class ListSnapshot:
    """The content of an official list, read before the list is locked, and the state of the list then."""

    version: tuple[int | None, int]
    numbers: list[PlayerNumbers]


@transaction.atomic
def set_schedule(*, actor: Actor, list_id: int, every: str, day: int) -> OfficialSchedule:
    """Set or end the schedule of official lists, from today on. Missed days are not made up for."""
    found = lock_list(list_id)
    require_director(actor, found.club)
    if every not in set(Frequency):
        raise Invalid("rating.official.every", field="every")
    chosen = Frequency(every)
    if chosen is Frequency.NEVER:
        day = 1
    elif day not in allowed_days(chosen):
        last = allowed_days(chosen)[-1]
        raise Invalid("rating.official.schedule_day", field="day", last=last)
    today = timezone.now().astimezone(list_zone(found)).date()
    before = official_schedule(found)
    if before is not None and (before.every, before.day) == (every, day):
        return before
    made, _new = OfficialSchedule.objects.update_or_create(
        rating_list=found, defaults={"every": every, "day": day, "since": today}
    )
    data = {"every": every, "day": day}
    audit.record_action(
        actor=actor, action="rating_list.official_schedule", subject=found, club=found.club, data=data
    )
    return made


@transaction.atomic
def make_official(
    *,
    actor: Actor,
    list_id: int,
    day: date,
    note: str = "",
    replaces: int | None = None,
    read: ListSnapshot | None = None,
) -> OfficialList:
    """Make the list as of the beginning of ``day``, manually.

    ``replaces``: the number of the issue that it replaces; ``read``: the result of ``read_snapshot``.

    Raises ``Conflict`` if the day has a list other than ``replaces``, or while ratings are being computed.
    """
    found = lock_list(list_id)
    note, present = _check_can_make(actor, found, day, note, replaces)
    return _write_official(actor, found, day, note=note, replaces=present, read=read)


def _check_can_make(
    actor: Actor, found: RatingList, day: date, note: str, replaces: int | None
) -> tuple[str, OfficialList | None]:
    """Return the cleaned note and the replaced issue. Raises all errors. The caller holds the list."""
    require_director(actor, found.club)
    note = clean_line(note)
    faults = []
    if len(note) > NOTE_LIMIT:
        faults.append(Fault("rating.official.note_long", "note", {"limit": NOTE_LIMIT}))
    if replaces is not None and not note:
        faults.append(Fault("rating.official.note_missing", "note"))
    if day.year < FIRST_YEAR or day > timezone.now().astimezone(list_zone(found)).date():
        faults.append(Fault("rating.official.day", "day", {"first": FIRST_YEAR}))
    raise_faults(faults)
    if must_rebuild(found):
        raise Conflict("rating.official.computing")
    apply_pending_facts(found)
    present = OfficialList.objects.filter(rating_list=found, day=day).order_by("-issue").first()
    if replaces is None and present is not None:
        raise Conflict("rating.official.exists", present={"number": present.number})
    if replaces is not None and (present is None or present.number != replaces):
        raise Conflict("rating.official.replaced")
    return note, present


def read_snapshot(rating_list: RatingList, day: date) -> ListSnapshot:
    """Return the numbers as of the beginning of ``day``, without a lock: the writer checks for changes."""
    numbers = numbers_at(rating_list, to_moment(midnight(day, list_zone(rating_list))))
    return ListSnapshot((rating_list.generation_id, rating_list.version), numbers)


def is_slow_to_make(rating_list: RatingList, day: date) -> bool:
    """Return whether making the list is too slow for a request: many players, or many later results."""
    players = Standing.objects.filter(generation=rating_list.generation_id)
    since = to_moment(midnight(day, list_zone(rating_list)))
    changes = changes_from(rating_list, (since, _FIRST_FACT_NUMBER))
    return players[MAX_PLAYERS_AT_ONCE:].exists() or changes[MAX_CHANGES_AT_ONCE:].exists()


@transaction.atomic
def request_official(
    *, actor: Actor, list_id: int, day: date, note: str = "", replaces: int | None = None
) -> OfficialRequest:
    """Request an official list from a worker. Raises as ``make_official``, and while one is requested."""
    found = lock_list(list_id)
    note, _present = _check_can_make(actor, found, day, note, replaces)
    if OfficialRequest.objects.filter(rating_list=found, refused="").exists():
        raise Conflict("rating.official.requested")
    made, _new = OfficialRequest.objects.update_or_create(
        rating_list=found,
        defaults={"user": actor.user, "day": day, "note": note, "replaces": replaces, "refused": ""},
    )
    queue_official(list_id)
    return made


def requested_list_ids() -> list[int]:
    """Return the lists with a request that is not done."""
    return list(
        OfficialRequest.objects.filter(refused="").order_by("pk").values_list("rating_list_id", flat=True)
    )


def make_requested(*, list_id: int) -> bool:
    """Make the requested list; return whether one was made. A second worker finds nothing to do."""
    asked = OfficialRequest.objects.filter(rating_list=list_id, refused="").first()
    if asked is None:
        return False
    update_list_ratings(list_id)
    read = read_snapshot(RatingList.objects.get(pk=list_id), asked.day)
    same = OfficialRequest.objects.filter(pk=asked.pk, refused="", asked_at=asked.asked_at)
    try:
        with transaction.atomic():
            lock_list(list_id)
            if not same.exists():
                return False
            made = make_official(
                actor=Actor.program() if asked.user is None else Actor.of(asked.user),
                list_id=list_id,
                day=asked.day,
                note=asked.note,
                replaces=asked.replaces,
                read=read,
            )
            # Keep names removed from the note meanwhile out. Locked last: an erasure holds players that the rows reference.
            present = same.select_for_update().get()
            OfficialList.objects.filter(pk=made.pk).rewrite_note(present.note)
            present.delete()
    except CrawfordError as error:
        if error.code != "rating.official.computing":  # then it is made when that is done
            same.update(refused=error.code)
        return False
    return True


def rewrite_notes(change: Callable[[str], str]) -> None:
    """Apply ``change`` to every note, to remove a person's name; notes are not signed.

    Joins the caller's transaction.
    """
    # Requests first: this waits for a worker that is making an issue of one, and then finds the issue.
    for asked in OfficialRequest.objects.exclude(note=""):
        OfficialRequest.objects.filter(pk=asked.pk).update(note=change(asked.note)[:NOTE_LIMIT])
    for issue in OfficialList.objects.exclude(note="").only("pk", "note", "rating_list_id"):
        new = change(issue.note)[:NOTE_LIMIT]
        if new != issue.note:
            OfficialList.objects.filter(pk=issue.pk).rewrite_note(new)


def make_due_lists(list_id: int) -> int:
    """Make the due lists of the schedule, oldest first, each in its own transaction; return their number."""
    rating_list = one_or_none(RatingList.objects.public().filter(pk=list_id))
    if rating_list is None:
        return 0
    update_list_ratings(list_id)
    made = 0
    for day in due_days_of_list(rating_list):
        read = read_snapshot(RatingList.objects.get(pk=list_id), day)
        with transaction.atomic():
            found = lock_list(list_id)
            # Another worker was faster, or something changed meanwhile: left to the next run.
            if must_rebuild(found) or day not in due_days_of_list(found):
                return made
            apply_pending_facts(found)
            _write_official(Actor.program(), found, day, scheduled=True, read=read)
            made += 1
    return made


def lists_with_due_days() -> list[int]:
    """Return public lists whose schedule has a due day."""
    found = RatingList.objects.public().exclude(official_schedule__every=Frequency.NEVER)
    found = found.filter(official_schedule__isnull=False).select_related("official_schedule")
    return [rating_list.pk for rating_list in found.order_by("pk") if due_days_of_list(rating_list)]


def due_days_of_list(rating_list: RatingList) -> list[date]:
    """Return the due days, by midnight in the list's zone."""
    schedule = official_schedule(rating_list)
    if schedule is None:
        return []
    today = timezone.now().astimezone(list_zone(rating_list)).date()
    made = published_days(rating_list, schedule.since)
    return due_days(Frequency(schedule.every), schedule.day, since=schedule.since, today=today, made=made)


def _write_official(
    actor: Actor,
    rating_list: RatingList,
    day: date,
    *,
    note: str = "",
    replaces: OfficialList | None = None,
    scheduled: bool = False,
    read: ListSnapshot | None = None,
) -> OfficialList:
    """Write an issue. The caller holds the list's row, up to date; an outdated ``read`` is read again."""
    rating_list.refresh_from_db(fields=["generation", "version"])
    zone = list_zone(rating_list)
    begins = midnight(day, zone)
    if read is None or read.version != (rating_list.generation_id, rating_list.version):
        read = read_snapshot(rating_list, day)
    rows = _ranked_rows(rating_list, read.numbers, current_rules(rating_list, begins))
    last = OfficialList.objects.filter(rating_list=rating_list).aggregate(last=Max("number"))["last"] or 0
    made = OfficialList(
        rating_list=rating_list,
        number=last + 1,
        day=day,
        zone=zone.key,
        moment=to_moment(begins),
        issue=replaces.issue + 1 if replaces is not None else 1,
        replaces=replaces,
        scheduled=scheduled,
        note=note,
        made_at=timezone.now().replace(microsecond=0),
        players=len(rows),
    )
    made.head = _document_head(rating_list, made)
    signature = sign(build_document(made.head, [_signed_part(row) for row in rows]))
    made.key, made.signature = signature.key, signature.value
    made.save()
    for row in rows:
        row.official = made
    OfficialRow.objects.bulk_create(rows, batch_size=_BATCH)
    raise_list_version(rating_list)
    data = {"day": day.isoformat(), "number": made.number, "replaces": replaces and replaces.number}
    audit.record_action(
        actor=actor, action="rating_list.official", subject=rating_list, club=rating_list.club, data=data
    )
    return made


def _ranked_rows(
    rating_list: RatingList, numbers: list[PlayerNumbers], rules: CurrentRules
) -> list[OfficialRow]:
    """Return the rows in order: players ranked by the list's rules on that day, then the others.

    Private players are omitted without a gap; equal ratings share a rank, in the order of the players' ids.
    """
    public = {
        player.pk: player
        for player in Player.objects.filter(listed=True, merged_into=None).only(
            "pk", "public_id", "home_club_id"
        )
    }
    apart = {
        one.player: bool(
            rules.reasons(
                matches=one.matches,
                experience=one.experience,
                moment=one.moment,
                club=public[one.player].home_club_id,
            )
        )
        for one in numbers
        if one.player in public
    }
    numbers = [one for one in numbers if one.player in public]
    numbers.sort(key=lambda one: (apart[one.player], -one.rating, public[one.player].public_id))
    rows: list[OfficialRow] = []
    for position, one in enumerate(numbers, 1):
        tied = bool(rows) and rows[-1].rating == one.rating
        rows.append(
            OfficialRow(
                player=public[one.player],
                position=position,
                rank=None if apart[one.player] else rows[-1].rank if tied else position,
                rating=one.rating,
                deviation=one.deviation,
                experience=one.experience,
                matches=one.matches,
                provisional=is_provisional(rating_list, one.experience),
            )
        )
    return rows


def _signed_part(row: OfficialRow) -> tuple[Any, ...]:
    numbers = (row.rating, row.deviation, row.experience, row.matches, row.provisional)
    return (row.rank, row.player.public_id, *numbers)


def _document_head(rating_list: RatingList, made: OfficialList) -> dict[str, Any]:
    """Return the head of the signed document: ids, codes and numbers, rule and time; no name."""
    return {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "club": rating_list.club.public_id,
        "list": rating_list.public_id,
        "number": made.number,
        "day": made.day.isoformat(),
        "zone": made.zone,
        "until": _format_time(from_moment(made.moment)),
        "issue": made.issue,
        "replaces": made.replaces.number if made.replaces is not None else None,
        "made_at": _format_time(made.made_at),
        "system": rating_list.system,
        "parameters": _fractions_to_text(rating_list.parameters),
        "start": repr(rating_list.start),
        "ranked": asdict(ranking_rules(rating_list)),
    }


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _fractions_to_text(value: Any) -> Any:
    """Return JSON with fractions as texts."""
    if isinstance(value, dict):
        return {name: _fractions_to_text(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_fractions_to_text(part) for part in value]
    return repr(value) if isinstance(value, float) else value
