"""Rating limits of divisions: rejection of players outside, and admission with a director's reason."""

from collections.abc import Collection, Mapping, Sequence

from faults import Fault, Invalid, raise_faults
from people.actors import Actor
from people.models import AuditEntry, Player
from people.permissions import require_director
from people.text import clean_line
from tournaments.engine.limits import (
    MAX_REASON_LENGTH,
    OUTSIDE_LIMIT,
    LimitComparison,
    LimitVerdict,
    Rating,
    RatingLimit,
    limit_verdict,
)
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import ENTRY_UNCONFIRMED, EntryStatus
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import LimitOverruled
from tournaments.engine.types import EntryId
from tournaments.models import Division, Entry, EntryPlayer, Event
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.limits import limit_verdicts, source_name, verdicts_by_division
from tournaments.store.lock import record_action


def clean_reason(text: str) -> str:
    """Return the reason for admitting a player outside the rating limit, with whitespace normalised.

    Raises ``Invalid`` if the reason is too long.
    """
    reason = clean_line(text)
    if len(reason) > MAX_REASON_LENGTH:
        raise Invalid("entry.reason_long", field="overrule", limit=MAX_REASON_LENGTH)
    return reason


def require_within_limit(
    event: Event,
    division: Division,
    new_entries: Sequence[NewEntry],
    teams: Sequence[Sequence[Player]],
    status: EntryStatus,
) -> None:
    """Raise ``Invalid`` with all players outside the rating limit, if the division rejects them.

    Entries with a reason (``overrule``) and players without a known rating pass. Players pending approval are
    not checked here: directors review them, a duplicated event brings all of its players, and an unverified
    visitor must learn nothing of a player's ratings.
    """
    limit = division.limit
    if limit is None or not limit.rejects_outsiders or status in ENTRY_UNCONFIRMED:
        return
    verdicts = _verdicts(event, limit, new_entries, teams)
    raise_faults(
        [
            limit_fault(limit, division, player.name, verdicts[player.pk], field)
            for new_entry, players in zip(new_entries, teams, strict=True)
            if not clean_reason(new_entry.overrule)
            for position, player in enumerate(players, start=1)
            if verdicts[player.pk].fit in OUTSIDE_LIMIT
            for field in ["name" if position == 1 else f"name_{position}"]
        ]
    )


def record_overrules(
    actor: Actor,
    event: Event,
    division: Division,
    entries: Sequence[Entry],
    new_entries: Sequence[NewEntry],
    teams: Sequence[Sequence[Player]],
) -> None:
    """Record in the audit log each entry that was admitted with a reason although outside the rating limit.

    ``entries``, ``new_entries`` and ``teams`` are in the same order. Joins the caller's transaction.
    """
    limit = division.limit
    if limit is None or not any(new_entry.overrule for new_entry in new_entries):
        return
    verdicts = _verdicts(event, limit, new_entries, teams)
    for entry, new_entry, players in zip(entries, new_entries, teams, strict=True):
        reason = clean_reason(new_entry.overrule)
        outside = [player for player in players if verdicts[player.pk].fit in OUTSIDE_LIMIT]
        if reason and outside:
            _record_overrule(actor, event, entry, reason)


def check_limits_on_approval(actor: Actor, event: Event, entries: Sequence[Entry], reason: str) -> None:
    """Check the rating limits for entries that are about to be approved.

    If the division rejects players outside its limit, ``reason`` is required for them and recorded, and the
    actor must be a director. Raises ``Invalid`` without ratings in the message, because assistants approve,
    too.
    """
    limited = {
        division.pk: division
        for division in (entry.division for entry in entries)
        if division.limit and division.limit.rejects_outsiders
    }
    rows = EntryPlayer.objects.filter(entry__in=entries, division__in=limited)
    players = list(rows.values_list("entry_id", "division_id", "player_id")) if limited else []
    verdicts = verdicts_by_division(
        event, limited.values(), [player for _entry, _division, player in players]
    )
    outside_ids = {
        entry for entry, division, player in players if verdicts[division][player].fit in OUTSIDE_LIMIT
    }
    outside_entries = [entry for entry in entries if entry.pk in outside_ids]
    text = clean_reason(reason)
    if outside_entries and text:
        require_director(actor, event.club)
    elif outside_entries:
        fault_params = [{"name": entry.name, "division": str(entry.division)} for entry in outside_entries]
        raise_faults([Fault("entry.outside_limit", "overrule", params) for params in fault_params])
    for entry in outside_entries:
        _record_overrule(actor, event, entry, text)


def require_within_limit_on_return(
    actor: Actor,
    event: Event,
    entry: Entry,
    overrule: str = "",
    *,
    players: Sequence[Player] | None = None,
) -> None:
    """Check the rating limit for an entry that returns or re-enters, or for ``players`` who are new in it.

    If the division rejects players outside its limit, they need a director's reason (``overrule``), which the
    audit log records; otherwise ``Invalid`` is raised. An entry once admitted to this division with a reason
    needs no other; neither does its re-entry. Entries pending approval are checked when approved. Joins the
    caller's transaction.
    """
    division, reason = entry.division, clean_reason(overrule)
    limit = division.limit
    if limit is None or entry.status in ENTRY_UNCONFIRMED:
        return
    checked_players = list(entry.players.all()) if players is None else list(players)
    verdicts = limit_verdicts(limit, {player.pk for player in checked_players}, event)
    outside = [player for player in checked_players if verdicts[player.pk].fit in OUTSIDE_LIMIT]
    if outside and reason:
        _record_overrule(actor, event, entry, reason)
    elif limit.rejects_outsiders and not (players is None and outside and _was_overruled(event, entry)):
        raise_faults(
            [limit_fault(limit, division, player.name, verdicts[player.pk], "overrule") for player in outside]
        )


def _record_overrule(actor: Actor, event: Event, entry: Entry, reason: str) -> None:
    named_entries = (NamedEntry(EntryId(entry.pk), entry.name),)
    action = LimitOverruled(entries=named_entries, division=str(entry.division), reason=reason)
    record_action(event, actor=actor, action=action, subject=entry)


def _was_overruled(event: Event, entry: Entry) -> bool:
    """Return whether a director has given a reason to admit this entry, or its original, to its division.

    The original is the entry for which this one re-enters.
    """
    linked_entries = [entry]
    while linked_entries[-1].again_of is not None:
        linked_entries.append(linked_entries[-1].again_of)
    rows = AuditEntry.objects.filter(
        scope=audit_scope(event),
        action=LimitOverruled.kind,
        subject_type=entry._meta.label_lower,  # noqa: SLF001 (public API of Django models)
        subject_id__in=[linked_entry.pk for linked_entry in linked_entries],
    )
    actions = [parse_row(row) for row in rows]
    division = str(entry.division)
    return any(isinstance(action, LimitOverruled) and action.division == division for action in actions)


def needs_director_review(
    event: Event, division: Division, players: Collection[int | None], *, known: bool
) -> bool:
    """Return whether an entry through the registration link waits for a director because of the rating limit.

    If the limit only warns, entries outside wait; if the limit rejects, those without a known rating wait.
    ``players``: ids; ``known``: whether all of them were known before.
    """
    limit = division.limit
    if limit is None:
        return False
    verdicts = limit_verdicts(limit, {pk for pk in players if pk is not None}, event)
    unknown = not known or any(verdict.fit is LimitComparison.UNKNOWN for verdict in verdicts.values())
    return (
        unknown
        if limit.rejects_outsiders
        else any(verdict.fit in OUTSIDE_LIMIT for verdict in verdicts.values())
    )


def _verdicts(
    event: Event, limit: RatingLimit, new_entries: Sequence[NewEntry], teams: Sequence[Sequence[Player]]
) -> Mapping[int, LimitVerdict]:
    """Return how each player's rating fits the limit, keyed by player id.

    Ratings from an imported list replace those known before.
    """
    verdicts = limit_verdicts(limit, {player.pk for players in teams for player in players}, event)
    today = event_today(event)
    for new_entry, players in zip(new_entries, teams, strict=True):
        for member, player in zip(new_entry.members, players, strict=True):
            for source, value in member.outside:
                if source.casefold() == limit.source.casefold():
                    verdicts[player.pk] = limit_verdict(limit, Rating(value, today), today)
    return verdicts


def limit_fault(
    limit: RatingLimit, division: Division, name: str, verdict: LimitVerdict, field: str
) -> Fault:
    """Return the error for a player above or below the limit, with the rating, its source and its date.

    ``field``: form field of the error.
    """
    above = verdict.fit is LimitComparison.ABOVE
    rating = verdict.rating
    return Fault(
        "entry.above_limit" if above else "entry.below_limit",
        field,
        {
            "name": name,
            "division": str(division),
            "source": source_name(limit.source),
            "rating": f"{rating.value:g}" if rating is not None else "",
            "on": rating.on.isoformat() if rating is not None and rating.on is not None else "",
            "limit": f"{(limit.most if above else limit.least) or 0:g}",
        },
    )
