"""Make official lists, by hand and by schedule, each in one transaction that locks the rating list's row."""

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
from rating.selectors.as_of import PastRating, ratings_at
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
    """The ratings for an official list, read before the rating list is locked.

    ``version``: the id of the generation and the list's version at that time, by which changes are noticed.
    """

    version: tuple[int | None, int]
    numbers: list[PastRating]


@transaction.atomic
def set_schedule(*, actor: Actor, list_id: int, every: str, day: int) -> OfficialSchedule:
    """Set or end the schedule of official lists, from today on. Lists of earlier dates are not made.

    ``every``: a ``Frequency``; ``day``: the day of the week or month.
    """
    rating_list = lock_list(list_id)
    require_director(actor, rating_list.club)
    if every not in set(Frequency):
        raise Invalid("rating.official.every", field="every")
    frequency = Frequency(every)
    if frequency is Frequency.NEVER:
        day = 1
    elif day not in allowed_days(frequency):
        last = allowed_days(frequency)[-1]
        raise Invalid("rating.official.schedule_day", field="day", last=last)
    today = timezone.now().astimezone(list_zone(rating_list)).date()
    before = official_schedule(rating_list)
    if before is not None and (before.every, before.day) == (every, day):
        return before
    schedule, _new = OfficialSchedule.objects.update_or_create(
        rating_list=rating_list, defaults={"every": every, "day": day, "since": today}
    )
    data = {"every": every, "day": day}
    audit.record_action(
        actor=actor,
        action="rating_list.official_schedule",
        subject=rating_list,
        club=rating_list.club,
        data=data,
    )
    return schedule


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
    """Make an official list as of the beginning of ``day``, by hand.

    ``replaces``: the number of the issue that it corrects; ``read``: the result of ``read_snapshot``. Raises
    ``Conflict`` if the day has a list other than ``replaces``, or while ratings are being computed.
    """
    rating_list = lock_list(list_id)
    note, replaced_issue = _check_can_make(actor, rating_list, day, note, replaces)
    return _write_official(actor, rating_list, day, note=note, replaces=replaced_issue, snapshot=read)


def _check_can_make(
    actor: Actor, rating_list: RatingList, day: date, note: str, replaces: int | None
) -> tuple[str, OfficialList | None]:
    """Return the cleaned note and the issue to be replaced. Raises all errors.

    Rates pending facts. The caller holds the lock on the rating list.
    """
    require_director(actor, rating_list.club)
    note = clean_line(note)
    faults = []
    if len(note) > NOTE_LIMIT:
        faults.append(Fault("rating.official.note_long", "note", {"limit": NOTE_LIMIT}))
    if replaces is not None and not note:
        faults.append(Fault("rating.official.note_missing", "note"))
    if day.year < FIRST_YEAR or day > timezone.now().astimezone(list_zone(rating_list)).date():
        faults.append(Fault("rating.official.day", "day", {"first": FIRST_YEAR}))
    raise_faults(faults)
    if must_rebuild(rating_list):
        raise Conflict("rating.official.computing")
    apply_pending_facts(rating_list)
    latest_issue = OfficialList.objects.filter(rating_list=rating_list, day=day).order_by("-issue").first()
    if replaces is None and latest_issue is not None:
        raise Conflict("rating.official.exists", present={"number": latest_issue.number})
    if replaces is not None and (latest_issue is None or latest_issue.number != replaces):
        raise Conflict("rating.official.replaced")
    return note, latest_issue


def read_snapshot(rating_list: RatingList, day: date) -> ListSnapshot:
    """Return the ratings as of the beginning of ``day``, without a lock: the writer checks for changes."""
    numbers = ratings_at(rating_list, to_moment(midnight(day, list_zone(rating_list))))
    return ListSnapshot((rating_list.generation_id, rating_list.version), numbers)


def is_slow_to_make(rating_list: RatingList, day: date) -> bool:
    """Return whether making the official list takes too long for a request.

    That is so with many players, or many results after ``day``.
    """
    players = Standing.objects.filter(generation=rating_list.generation_id)
    since = to_moment(midnight(day, list_zone(rating_list)))
    changes = changes_from(rating_list, (since, _FIRST_FACT_NUMBER))
    return players[MAX_PLAYERS_AT_ONCE:].exists() or changes[MAX_CHANGES_AT_ONCE:].exists()


@transaction.atomic
def request_official(
    *, actor: Actor, list_id: int, day: date, note: str = "", replaces: int | None = None
) -> OfficialRequest:
    """Request an official list that a worker makes.

    Raises the same errors as ``make_official``, and ``Conflict`` while another one is requested.
    """
    rating_list = lock_list(list_id)
    note, _present = _check_can_make(actor, rating_list, day, note, replaces)
    if OfficialRequest.objects.filter(rating_list=rating_list, refused="").exists():
        raise Conflict("rating.official.requested")
    new_request, _new = OfficialRequest.objects.update_or_create(
        rating_list=rating_list,
        defaults={"user": actor.user, "day": day, "note": note, "replaces": replaces, "refused": ""},
    )
    queue_official(list_id)
    return new_request


def requested_list_ids() -> list[int]:
    """Return the ids of rating lists with a request for an official list that is not done."""
    return list(
        OfficialRequest.objects.filter(refused="").order_by("pk").values_list("rating_list_id", flat=True)
    )


def make_requested(*, list_id: int) -> bool:
    """Make the requested official list of a rating list; return whether it was made.

    A second worker finds nothing to do. An error is stored with the request.
    """
    pending_request = OfficialRequest.objects.filter(rating_list=list_id, refused="").first()
    if pending_request is None:
        return False
    update_list_ratings(list_id)
    snapshot = read_snapshot(RatingList.objects.get(pk=list_id), pending_request.day)
    unchanged_requests = OfficialRequest.objects.filter(
        pk=pending_request.pk, refused="", asked_at=pending_request.asked_at
    )
    try:
        with transaction.atomic():
            lock_list(list_id)
            if not unchanged_requests.exists():
                return False
            official = make_official(
                actor=Actor.program() if pending_request.user is None else Actor.of(pending_request.user),
                list_id=list_id,
                day=pending_request.day,
                note=pending_request.note,
                replaces=pending_request.replaces,
                read=snapshot,
            )
            # Keep names removed from the note meanwhile out. Locked last: an erasure holds players that the rows reference.
            locked_request = unchanged_requests.select_for_update().get()
            OfficialList.objects.filter(pk=official.pk).rewrite_note(locked_request.note)
            locked_request.delete()
    except CrawfordError as error:
        if error.code != "rating.official.computing":  # then it is made when that is done
            unchanged_requests.update(refused=error.code)
        return False
    return True


def rewrite_notes(change: Callable[[str], str]) -> None:
    """Apply ``change`` to the note of every official list and request, to remove a person's name.

    Notes are not signed. Joins the caller's transaction.
    """
    # Requests first: this waits for a worker that is making an issue of one, and then finds the issue.
    for open_request in OfficialRequest.objects.exclude(note=""):
        OfficialRequest.objects.filter(pk=open_request.pk).update(note=change(open_request.note)[:NOTE_LIMIT])
    for issue in OfficialList.objects.exclude(note="").only("pk", "note", "rating_list_id"):
        new_note = change(issue.note)[:NOTE_LIMIT]
        if new_note != issue.note:
            OfficialList.objects.filter(pk=issue.pk).rewrite_note(new_note)


def make_due_lists(list_id: int) -> int:
    """Make the official lists that are due by schedule, oldest first; return their number.

    Each is made in its own transaction.
    """
    rating_list = one_or_none(RatingList.objects.public().filter(pk=list_id))
    if rating_list is None:
        return 0
    update_list_ratings(list_id)
    made_count = 0
    for day in due_days_of_list(rating_list):
        snapshot = read_snapshot(RatingList.objects.get(pk=list_id), day)
        with transaction.atomic():
            locked_list = lock_list(list_id)
            # Another worker was faster, or something changed meanwhile: left to the next run.
            if must_rebuild(locked_list) or day not in due_days_of_list(locked_list):
                return made_count
            apply_pending_facts(locked_list)
            _write_official(Actor.program(), locked_list, day, scheduled=True, snapshot=snapshot)
            made_count += 1
    return made_count


def lists_with_due_days() -> list[int]:
    """Return the ids of public rating lists with an official list that is due."""
    lists = RatingList.objects.public().exclude(official_schedule__every=Frequency.NEVER)
    lists = lists.filter(official_schedule__isnull=False).select_related("official_schedule")
    return [rating_list.pk for rating_list in lists.order_by("pk") if due_days_of_list(rating_list)]


def due_days_of_list(rating_list: RatingList) -> list[date]:
    """Return the dates on which an official list is due and not made, in the list's time zone."""
    schedule = official_schedule(rating_list)
    if schedule is None:
        return []
    today = timezone.now().astimezone(list_zone(rating_list)).date()
    published = published_days(rating_list, schedule.since)
    return due_days(
        Frequency(schedule.every), schedule.day, since=schedule.since, today=today, existing_days=published
    )


def _write_official(
    actor: Actor,
    rating_list: RatingList,
    day: date,
    *,
    note: str = "",
    replaces: OfficialList | None = None,
    scheduled: bool = False,
    snapshot: ListSnapshot | None = None,
) -> OfficialList:
    """Write and sign an official list. The caller holds the lock on the rating list, which is up to date.

    An outdated ``snapshot`` is read again.
    """
    rating_list.refresh_from_db(fields=["generation", "version"])
    zone = list_zone(rating_list)
    starts_at = midnight(day, zone)
    if snapshot is None or snapshot.version != (rating_list.generation_id, rating_list.version):
        snapshot = read_snapshot(rating_list, day)
    rows = _ranked_rows(rating_list, snapshot.numbers, current_rules(rating_list, starts_at))
    last_number = (
        OfficialList.objects.filter(rating_list=rating_list).aggregate(last=Max("number"))["last"] or 0
    )
    official = OfficialList(
        rating_list=rating_list,
        number=last_number + 1,
        day=day,
        zone=zone.key,
        moment=to_moment(starts_at),
        issue=replaces.issue + 1 if replaces is not None else 1,
        replaces=replaces,
        scheduled=scheduled,
        note=note,
        made_at=timezone.now().replace(microsecond=0),
        players=len(rows),
    )
    official.head = _document_head(rating_list, official)
    signature = sign(build_document(official.head, [_signed_part(row) for row in rows]))
    official.key, official.signature = signature.key, signature.value
    official.save()
    for row in rows:
        row.official = official
    OfficialRow.objects.bulk_create(rows, batch_size=_BATCH)
    raise_list_version(rating_list)
    data = {"day": day.isoformat(), "number": official.number, "replaces": replaces and replaces.number}
    audit.record_action(
        actor=actor, action="rating_list.official", subject=rating_list, club=rating_list.club, data=data
    )
    return official


def _ranked_rows(
    rating_list: RatingList, numbers: list[PastRating], rules: CurrentRules
) -> list[OfficialRow]:
    """Return the rows in order: players ranked by the list's rules on that day, then the others.

    Private players are left out without a gap; equal ratings share a rank, sorted by the players' public ids.
    """
    public_players = {
        player.pk: player
        for player in Player.objects.filter(listed=True, merged_into=None).only(
            "pk", "public_id", "home_club_id"
        )
    }
    unranked = {
        player_numbers.player: bool(
            rules.reasons(
                matches=player_numbers.matches,
                experience=player_numbers.experience,
                moment=player_numbers.moment,
                club=public_players[player_numbers.player].home_club_id,
            )
        )
        for player_numbers in numbers
        if player_numbers.player in public_players
    }
    numbers = [player_numbers for player_numbers in numbers if player_numbers.player in public_players]
    numbers.sort(
        key=lambda player_numbers: (
            unranked[player_numbers.player],
            -player_numbers.rating,
            public_players[player_numbers.player].public_id,
        )
    )
    rows: list[OfficialRow] = []
    for position, player_numbers in enumerate(numbers, 1):
        is_tied = bool(rows) and rows[-1].rating == player_numbers.rating
        rows.append(
            OfficialRow(
                player=public_players[player_numbers.player],
                position=position,
                rank=None if unranked[player_numbers.player] else rows[-1].rank if is_tied else position,
                rating=player_numbers.rating,
                deviation=player_numbers.deviation,
                experience=player_numbers.experience,
                matches=player_numbers.matches,
                provisional=is_provisional(rating_list, player_numbers.experience),
            )
        )
    return rows


def _signed_part(row: OfficialRow) -> tuple[Any, ...]:
    numbers = (row.rating, row.deviation, row.experience, row.matches, row.provisional)
    return (row.rank, row.player.public_id, *numbers)


def _document_head(rating_list: RatingList, official: OfficialList) -> dict[str, Any]:
    """Return the signed document without the players: ids, codes and numbers, rule and time; no name."""
    return {
        "format": FORMAT,
        "site": settings.SITE_URL,
        "club": rating_list.club.public_id,
        "list": rating_list.public_id,
        "number": official.number,
        "day": official.day.isoformat(),
        "zone": official.zone,
        "until": _format_time(from_moment(official.moment)),
        "issue": official.issue,
        "replaces": official.replaces.number if official.replaces is not None else None,
        "made_at": _format_time(official.made_at),
        "system": rating_list.system,
        "parameters": _fractions_to_text(rating_list.parameters),
        "start": repr(rating_list.start),
        "ranked": asdict(ranking_rules(rating_list)),
    }


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _fractions_to_text(value: Any) -> Any:
    """Return the JSON value with all floats as texts."""
    if isinstance(value, dict):
        return {name: _fractions_to_text(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_fractions_to_text(item) for item in value]
    return repr(value) if isinstance(value, float) else value
