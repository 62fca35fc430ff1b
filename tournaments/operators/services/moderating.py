"""Hide a club, list, event, player or text from the public, remove it for everyone, restore it.

One row (`Moderation`) records what, why and since when, and the values that a restoration needs. The subject
carries the state that pages check (``shut``); a text is empty while it is restricted. Nothing is deleted:
results, ratings and audit logs stay.
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
    """Hide (``hidden``) or remove the subject, or restore it (empty ``state``).

    The caller has checked that the actor is an operator. Raises ``Conflict`` if it has this state already, or
    if a text was rewritten since. Players and texts can be hidden, but not removed: a player is erased by
    another service.
    """
    reason = clean_reason(reason)
    about = get_subject(kind, key)
    if (
        kind not in MODERATED_KINDS
        or (state == Restriction.REMOVED and kind not in RESTRICTABLE_KINDS[:3])
        or state not in {"", *Restriction.values}
    ):
        raise Missing("operator.unknown")
    _LOCKS[kind](about)
    about = get_subject(kind, key)  # read again under the lock
    before = active_moderation(kind, about.pk)
    if about.state == state:
        raise Conflict("operator.stands", present={"status": state})
    kept = _APPLY_BY_KIND[kind](about, state, before.kept if before is not None else {})
    if before is not None:
        before.ended_at = timezone.now()
        before.save(update_fields=["ended_at"])
    if state:
        Moderation.objects.create(
            kind=kind, subject_id=about.pk, club=about.club, state=state, reason=reason, kept=kept
        )
    assert about.row is not None
    record_operator_action(
        actor=actor,
        verb="moderate",
        subject=about.row,
        reason=reason,
        kind=kind,
        before=about.state,
        after=state,
    )
    return get_subject(kind, key)


def _lock_event_of(about: Subject) -> None:
    assert about.event is not None
    lock_event(about.event.pk)


def _lock_club(about: Subject) -> None:
    """Lock the club's events, then the club."""
    events = Event.objects.select_for_update().filter(club=about.pk).order_by("pk")
    list(events.values_list("pk"))
    locked_club(about.pk)


def _lock_player(about: Subject) -> None:
    """Lock the player's events, then the player, in the same order as a merge."""
    events = events_with_players([about.pk]).values("pk")
    list(Event.objects.select_for_update().filter(pk__in=events).order_by("pk").values_list("pk"))
    Player.objects.select_for_update(of=("self",)).get(pk=about.pk)


def _restrict_event(about: Subject, state: str, _kept: SavedValues) -> SavedValues:
    event = Event.objects.select_related("club").get(pk=about.pk)
    event.shut = state
    _record_publicity(event)
    event.save(update_fields=["shut", "public_since", "trail_head"])
    raise_event_versions([event])
    raise_versions([versions.club_events_topic(event.club_id)])
    return {}


def _record_publicity(event: Event) -> bool:
    """Update whether the event is public. Return whether that changed.

    The audit log then records it, with the event's commitments.
    """
    turned = update_public_since(event)
    if turned:
        add_audit_row(event, Actor.program(), commitments_action(event), event)
    return turned


def _restrict_club(about: Subject, state: str, _kept: SavedValues) -> SavedValues:
    Club.objects.filter(pk=about.pk).update(shut=state, version=F("version") + 1)
    events = Event.objects.select_related("club").filter(club=about.pk).order_by("pk")
    turned = [event for event in events if _record_publicity(event)]
    for event in turned:
        event.save(update_fields=["public_since", "trail_head"])
    raise_event_versions(turned)
    lists = list(RatingList.objects.filter(club=about.pk).order_by("pk").values_list("pk", flat=True))
    RatingList.objects.filter(pk__in=lists).update(version=F("version") + 1)
    of_club = (
        versions.club_topic(about.pk),
        versions.club_events_topic(about.pk),
        versions.club_players_topic(about.pk),
    )
    parent = Club.objects.values_list("parent_id", flat=True).get(pk=about.pk)
    above = [] if parent is None else [versions.club_topic(parent)]
    raise_versions([versions.NAMES, *of_club, *above, *map(versions.rating_list_topic, lists)])
    return {}


def _restrict_list(about: Subject, state: str, _kept: SavedValues) -> SavedValues:
    RatingList.objects.filter(pk=about.pk).update(shut=state, version=F("version") + 1)
    assert about.club is not None
    raise_versions([versions.rating_list_topic(about.pk), versions.club_topic(about.club.pk)])
    return {}


def _restrict_player(about: Subject, state: str, kept: SavedValues) -> SavedValues:
    """Set the state of a player, and stop listing their name while they are hidden."""
    player = Player.objects.get(pk=about.pk)
    was_listed = player.listed
    player.shut = state
    player.listed = bool(kept.get("listed", was_listed)) if not state else was_listed
    player.version += 1
    player.save()
    raise_event_versions(list(events_with_players([player.pk]).order_by("pk")))
    clubs = player.club_links.values_list("club_id", flat=True)
    raise_versions([versions.NAMES, *map(versions.club_players_topic, clubs)])
    return {"listed": was_listed}


def _replace_text(about: Subject, state: str, kept: SavedValues) -> SavedValues:
    """Remove a text, or restore it unless it was rewritten since."""
    assert about.event is not None or about.club is not None
    if not state and about.text not in {"", REMOVED_TEXT}:
        raise Conflict("operator.written_anew", name=about.name)
    words = "" if state else str(kept.get("text", ""))
    if about.kind == "announcement":
        notice = Notice.objects.get(pk=about.pk)
        kept = {"text": about.text, "withdrawn_at": _isoformat(notice.withdrawn_at)} if state else kept
        notice.news = Announcement(text=words or REMOVED_TEXT)
        notice.withdrawn_at = timezone.now() if state else kept.get("withdrawn_at")
        notice.version += 1
        notice.save()
    elif about.kind == "note":
        MoneySession.objects.filter(pk=about.pk).update(note=words)
    elif about.kind == "description":
        Event.objects.filter(pk=about.pk).update(description=words)
    else:
        Club.objects.filter(pk=about.pk).update(about=words, version=F("version") + 1)
        raise_versions([versions.club_topic(about.pk)])
    if about.event is not None:
        raise_event_versions([Event.objects.get(pk=about.event.pk)])
    return {**kept, "text": about.text} if state else {}


def _isoformat(moment: Any) -> str | None:
    return None if moment is None else moment.isoformat()


_LOCKS: Final[Mapping[str, Callable[[Subject], Any]]] = {
    "event": _lock_event_of,
    "club": _lock_club,
    "list": lambda about: lock_list(about.pk),
    "player": _lock_player,
    "about": lambda about: locked_club(about.pk),
    **dict.fromkeys(("announcement", "description", "note"), _lock_event_of),
}
_APPLY_BY_KIND: Final[Mapping[str, Callable[[Subject, str, SavedValues], SavedValues]]] = {
    "event": _restrict_event,
    "club": _restrict_club,
    "list": _restrict_list,
    "player": _restrict_player,
    **dict.fromkeys(TEXT_KINDS, _replace_text),
}
