"""Hide a club, rating list, event, player or text from the public, remove it for everyone, or restore it.

These are the subjects. A `Moderation` row records what, why and since when, and the values needed to restore
it. The subject's own row has the state that pages check (``shut``); a text is empty while it is restricted.
Nothing is deleted: results, ratings and audit logs stay.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import F
from django.utils import timezone

from faults import Conflict, Missing
from people import versions
from people.actors import Actor
from people.models import Club, Moderation, Player, Restriction
from people.selectors import active_moderation
from people.services.clubs import locked_club
from people.services.operators import clean_reason, record_operator_action
from people.services.versions import raise_versions
from people.transactions import durable
from rating.models import RatingList
from rating.services.locks import lock_list
from tournaments.engine.notices import Announcement
from tournaments.models import Event, MoneySession, Notice
from tournaments.selectors.operators.subjects import RESTRICTABLE_KINDS, TEXT_KINDS, Subject, get_subject
from tournaments.selectors.seats import events_with_players
from tournaments.store.chain import add_audit_row
from tournaments.store.lock import lock_event
from tournaments.store.publicity import commitments_action, update_public_since
from tournaments.store.shown import raise_event_versions

REMOVED_TEXT: Final = "–"  # replaces the text of a removed announcement
MODERATED_KINDS: Final = (*RESTRICTABLE_KINDS, *TEXT_KINDS)
SavedValues = dict[str, Any]


@durable
def moderate(*, actor: Actor, kind: str, key: str, state: str, reason: str) -> Subject:
    """Set the state of a subject: ``hidden``, ``removed``, or empty to restore it. Return the subject.

    The caller has checked that the actor is an operator. Raises ``Conflict`` if the subject has this state
    already, or if a text to be restored was rewritten since. Only clubs, lists and events can be removed.
    """
    reason = clean_reason(reason)
    subject = get_subject(kind, key)
    if (
        kind not in MODERATED_KINDS
        or (state == Restriction.REMOVED and kind not in RESTRICTABLE_KINDS[:3])
        or state not in {"", *Restriction.values}
    ):
        raise Missing("operator.unknown")
    _LOCKS[kind](subject)
    subject = get_subject(kind, key)  # read again under the lock
    before = active_moderation(kind, subject.pk)
    if subject.state == state:
        raise Conflict("operator.stands", present={"status": state})
    saved_values = _APPLY_BY_KIND[kind](subject, state, before.kept if before is not None else {})
    if before is not None:
        before.ended_at = timezone.now()
        before.save(update_fields=["ended_at"])
    if state:
        Moderation.objects.create(
            kind=kind, subject_id=subject.pk, club=subject.club, state=state, reason=reason, kept=saved_values
        )
    assert subject.row is not None
    record_operator_action(
        actor=actor,
        verb="moderate",
        subject=subject.row,
        reason=reason,
        kind=kind,
        before=subject.state,
        after=state,
    )
    return get_subject(kind, key)


def _lock_event_of(subject: Subject) -> None:
    assert subject.event is not None
    lock_event(subject.event.pk)


def _lock_club(subject: Subject) -> None:
    """Lock the club's events, then the club."""
    events = Event.objects.select_for_update().filter(club=subject.pk).order_by("pk")
    list(events.values_list("pk"))
    locked_club(subject.pk)


def _lock_player(subject: Subject) -> None:
    """Lock the player's events, then the player, in the same order as a merge."""
    events = events_with_players([subject.pk]).values("pk")
    list(Event.objects.select_for_update().filter(pk__in=events).order_by("pk").values_list("pk"))
    Player.objects.select_for_update(of=("self",)).get(pk=subject.pk)


def _restrict_event(subject: Subject, state: str, _saved_values: SavedValues) -> SavedValues:
    event = Event.objects.select_related("club").get(pk=subject.pk)
    event.shut = state
    _record_publicity(event)
    event.save(update_fields=["shut", "public_since", "trail_head"])
    raise_event_versions([event])
    raise_versions([versions.club_events_topic(event.club_id)])
    return {}


def _record_publicity(event: Event) -> bool:
    """Update whether the event is public, and return whether that changed.

    If so, the audit log records it with the event's commitments for bracket draws.
    """
    has_changed = update_public_since(event)
    if has_changed:
        add_audit_row(event, Actor.program(), commitments_action(event), event)
    return has_changed


def _restrict_club(subject: Subject, state: str, _saved_values: SavedValues) -> SavedValues:
    Club.objects.filter(pk=subject.pk).update(shut=state, version=F("version") + 1)
    events = Event.objects.select_related("club").filter(club=subject.pk).order_by("pk")
    changed_events = [event for event in events if _record_publicity(event)]
    for event in changed_events:
        event.save(update_fields=["public_since", "trail_head"])
    raise_event_versions(changed_events)
    lists = list(RatingList.objects.filter(club=subject.pk).order_by("pk").values_list("pk", flat=True))
    RatingList.objects.filter(pk__in=lists).update(version=F("version") + 1)
    club_topics = (
        versions.club_topic(subject.pk),
        versions.club_events_topic(subject.pk),
        versions.club_players_topic(subject.pk),
    )
    parent = Club.objects.values_list("parent_id", flat=True).get(pk=subject.pk)
    parent_topics = [] if parent is None else [versions.club_topic(parent)]
    raise_versions([versions.NAMES, *club_topics, *parent_topics, *map(versions.rating_list_topic, lists)])
    return {}


def _restrict_list(subject: Subject, state: str, _saved_values: SavedValues) -> SavedValues:
    RatingList.objects.filter(pk=subject.pk).update(shut=state, version=F("version") + 1)
    assert subject.club is not None
    raise_versions([versions.rating_list_topic(subject.pk), versions.club_topic(subject.club.pk)])
    return {}


def _restrict_player(subject: Subject, state: str, saved_values: SavedValues) -> SavedValues:
    """Set the state of a player, and return whether the name was listed, for a restoration.

    ``saved_values``: what an earlier restriction returned.
    """
    player = Player.objects.get(pk=subject.pk)
    was_listed = player.listed
    player.shut = state
    player.listed = bool(saved_values.get("listed", was_listed)) if not state else was_listed
    player.version += 1
    player.save()
    raise_event_versions(list(events_with_players([player.pk]).order_by("pk")))
    clubs = player.club_links.values_list("club_id", flat=True)
    raise_versions([versions.NAMES, *map(versions.club_players_topic, clubs)])
    return {"listed": was_listed}


def _replace_text(subject: Subject, state: str, saved_values: SavedValues) -> SavedValues:
    """Remove a text and return it as saved value, or restore it from ``saved_values`` (empty ``state``).

    Raises ``Conflict`` if a text to be restored was rewritten since.
    """
    assert subject.event is not None or subject.club is not None
    if not state and subject.text not in {"", REMOVED_TEXT}:
        raise Conflict("operator.written_anew", name=subject.name)
    text = "" if state else str(saved_values.get("text", ""))
    if subject.kind == "announcement":
        notice = Notice.objects.get(pk=subject.pk)
        saved_values = (
            {"text": subject.text, "withdrawn_at": _isoformat(notice.withdrawn_at)} if state else saved_values
        )
        notice.news = Announcement(text=text or REMOVED_TEXT)
        notice.withdrawn_at = timezone.now() if state else saved_values.get("withdrawn_at")
        notice.version += 1
        notice.save()
    elif subject.kind == "note":
        MoneySession.objects.filter(pk=subject.pk).update(note=text)
    elif subject.kind == "description":
        Event.objects.filter(pk=subject.pk).update(description=text)
    else:
        Club.objects.filter(pk=subject.pk).update(about=text, version=F("version") + 1)
        raise_versions([versions.club_topic(subject.pk)])
    if subject.event is not None:
        raise_event_versions([Event.objects.get(pk=subject.event.pk)])
    return {**saved_values, "text": subject.text} if state else {}


def _isoformat(moment: Any) -> str | None:
    return None if moment is None else moment.isoformat()


_LOCKS: Final[Mapping[str, Callable[[Subject], Any]]] = {
    "event": _lock_event_of,
    "club": _lock_club,
    "list": lambda subject: lock_list(subject.pk),
    "player": _lock_player,
    "about": lambda subject: locked_club(subject.pk),
    **dict.fromkeys(("announcement", "description", "note"), _lock_event_of),
}
_APPLY_BY_KIND: Final[Mapping[str, Callable[[Subject, str, SavedValues], SavedValues]]] = {
    "event": _restrict_event,
    "club": _restrict_club,
    "list": _restrict_list,
    "player": _restrict_player,
    **dict.fromkeys(TEXT_KINDS, _replace_text),
}
