"""Erasure of a player or an account: results stay, everything that names the person is removed.

A player's name is removed from the player, entries, the audit logs of their events (whose hash chains stay
valid, `store.chain`), texts written in those events, and game records, which are rewritten without the name;
the hash of the submitted file stays. An account is removed with its sign-ins, sessions, second factors and
addresses, and its name is removed from the audit logs.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.db import models, transaction

from faults import Conflict, CrawfordError, Missing
from games.models import HeldRecord, ImportedFile, RecordImport, StoredRecord
from games.services.neutral import remove_names
from people.actors import Actor
from people.audience import FORMER_PLAYER_NAME
from people.models import (
    AuditEntry,
    FederationNumber,
    Membership,
    Moderation,
    OutgoingMail,
    OutsideRating,
    PageReport,
    Player,
    PlayerClaim,
    PlayerClub,
    Role,
    RoleInvitation,
    User,
)
from people.rows import one_or_none
from people.selectors import current_and_past_names
from people.services.erasures import (
    is_erased_account,
    log_account_erasure,
    log_player_erasures,
    logged_erasures,
)
from people.services.leaving import ERASE_ACTION, record_account_deletion, record_player_erasure
from people.services.operators import OPERATORS_SCOPE
from people.services.repeats import erase_response_bodies
from people.services.sign_ins import drop_sessions
from people.services.versions import raise_versions
from people.transactions import durable
from people.versions import NAMES, club_players_topic
from rating.services.official import rewrite_notes
from rating.services.table_jobs import erase_import_data
from tournaments.events.services.plan_json import map_texts
from tournaments.models import (
    Arrangement,
    CallAnswer,
    ClubTemplate,
    DeskNote,
    Entry,
    EntryDetail,
    Event,
    FormerLineup,
    MatchMessage,
    MoneySession,
    Notice,
    NotificationChoice,
    Objection,
    OfferedTime,
    RecordCopy,
    Report,
    Series,
    SubscribedFor,
)
from tournaments.selectors.forgetting import player_and_merged
from tournaments.selectors.seats import events_with_players, written_by_q
from tournaments.store.chain import erase_name
from tournaments.store.lock import lock_event
from tournaments.store.push_browsers import delete_subscriptions
from tournaments.store.shown import raise_event_versions

FORMER_MEMBER: Final = "former member"


@dataclass(frozen=True, slots=True)
class NameReplacement:
    """Names to remove, which are matched as whole words, and the text that replaces them (``replacement``)."""

    names: tuple[str, ...]
    replacement: str

    def replace_in(self, value: Any) -> Any:
        """Return ``value`` with the names replaced: a string, or JSON data with strings in it."""
        if isinstance(value, str):
            for name in self.names:
                value = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", self.replacement, value)
            return value
        if isinstance(value, dict):
            return {key: self.replace_in(part) for key, part in value.items()}
        return [self.replace_in(part) for part in value] if isinstance(value, list) else value

    def replace_in_rows(self, rows: Iterable[models.Model], *fields: str) -> None:
        """Replace the names in these fields of the rows, and save the rows that changed."""
        for row in rows:
            new_values = {name: self.replace_in(getattr(row, name)) for name in fields}
            changed_fields = [name for name, value in new_values.items() if value != getattr(row, name)]
            for name in changed_fields:
                setattr(row, name, new_values[name])
            if changed_fields:
                row.save(update_fields=changed_fields)


@durable
def erase_player(*, actor: Actor, player_id: int) -> None:
    """Erase a player permanently, with all players merged into them.

    At the request of the person or an operator, which the caller has checked. Runs in its own transaction.
    """
    _erase_player(actor, player_id)


def erase_player_in_transaction(*, actor: Actor, player_id: int) -> None:
    """Erase a player permanently, in the caller's transaction.

    For imports that bring back a person who was erased on this site before.
    """
    _erase_player(actor, player_id)


@durable
def delete_account(*, user_id: int, with_player: bool) -> None:
    """Delete an account permanently; ``with_player``: True also erases its player.

    Otherwise the player stays without an account. Raises ``Conflict`` for the last owner of a club.
    """
    user = one_or_none(User.objects.filter(pk=user_id))
    if user is None:
        raise Missing("request.address_unknown")
    for membership in Membership.objects.filter(user=user, role=Role.OWNER).select_related("club"):
        other_owners = Membership.objects.filter(club=membership.club_id, role=Role.OWNER).exclude(user=user)
        if not other_owners.exists():
            raise Conflict("account.last_owner", club=membership.club.name)
    player = Player.objects.filter(user=user).first()
    labels = _longest_first({Actor.of(user).label, user.name, user.email})
    scopes = AuditEntry.objects.filter(actor=user).exclude(scope="").values_list("scope", flat=True)
    acted_event_ids = [
        int(scope.partition(":")[2]) for scope in scopes.distinct() if scope.startswith("event:")
    ]
    player_event_ids = (
        list(_event_ids_of(player_and_merged(player))) if player is not None and with_player else []
    )
    events = [lock_event(pk) for pk in sorted({*acted_event_ids, *player_event_ids})]
    for event in events:
        if event.pk in acted_event_ids:
            for label in labels:
                erase_name(event, label, FORMER_MEMBER)
    if player is not None and with_player:
        _erase_player(Actor.with_label(FORMER_MEMBER), player.pk)
    replacement = NameReplacement(labels, FORMER_MEMBER)
    replacement.replace_in_rows(AuditEntry.objects.filter(actor=user, scope=""), "actor_label", "data")
    RoleInvitation.objects.filter(accepted_by=user).update(label="", email="")
    record_account_deletion(actor=Actor.with_label(FORMER_MEMBER), user=user)
    OutgoingMail.objects.filter(recipient__icontains=user.email).delete()
    log_account_erasure(user)
    erase_response_bodies()
    drop_sessions(user=user)
    OutgoingMail.objects.filter(recipient__iexact=user.email).delete()
    user.delete()


@dataclass(frozen=True, slots=True)
class ReappliedErasures:
    """Numbers of erasures that were repeated after a restored backup.

    ``errors``: the errors of those that failed.
    """

    players: int
    accounts: int
    errors: tuple[CrawfordError, ...]


def reapply_erasures(*, file: Path | None = None) -> ReappliedErasures:
    """Repeat every logged erasure whose person is in the database again, after a restored backup.

    ``file``: the log of `people.services.erasures`; None for the configured one. One transaction for each
    erasure. Erasures from before the log existed are added to the log.
    """
    players = accounts = 0
    errors: list[CrawfordError] = []
    erasures = list(logged_erasures(file))
    _record_missing_erasures({public_id for erasure in erasures for public_id in erasure.players})
    for erasure in erasures:
        user = one_or_none(User.objects.filter(pk=erasure.user)) if erasure.user else None
        if user is not None and is_erased_account(user, erasure):
            try:
                delete_account(user_id=user.pk, with_player=False)
                accounts += 1
            except CrawfordError as error:
                errors.append(error)
        restored = Player.objects.filter(public_id__in=erasure.players).exclude(name=FORMER_PLAYER_NAME)
        for pk in restored.values_list("pk", flat=True):
            # A player who was merged into another since the backup is erased with that one.
            if Player.objects.filter(pk=pk).exclude(name=FORMER_PLAYER_NAME).exists():
                erase_player(actor=Actor.program(), player_id=pk)
                players += 1
    return ReappliedErasures(players, accounts, tuple(errors))


@transaction.atomic
def _record_missing_erasures(logged_ids: Collection[str]) -> None:
    rows = AuditEntry.objects.filter(action=ERASE_ACTION).values_list("subject_id", flat=True)
    for player in Player.objects.filter(pk__in=rows, name=FORMER_PLAYER_NAME).exclude(
        public_id__in=logged_ids
    ):
        log_player_erasures(player_and_merged(player))


def _event_ids_of(players: Collection[Player]) -> set[int]:
    return set(events_with_players([player.pk for player in players]).values_list("pk", flat=True))


def _erase_player(actor: Actor, player_id: int) -> None:
    player = one_or_none(Player.objects.filter(pk=player_id))
    if player is None:
        raise Missing("player.unknown")
    merged_players = player_and_merged(player)
    events = [lock_event(pk) for pk in sorted(_event_ids_of(merged_players))]
    rows = list(
        Player.objects.select_for_update().filter(pk__in=[p.pk for p in merged_players]).order_by("pk")
    )
    names = _longest_first(current_and_past_names(rows))
    replacement = NameReplacement(names, FORMER_PLAYER_NAME)
    ids = [row.pk for row in rows]
    clubs = {row.home_club_id for row in rows if row.home_club_id is not None}
    clubs |= set(PlayerClub.objects.filter(player__in=ids).values_list("club_id", flat=True))
    EntryDetail.objects.filter(player__in=ids).delete()
    FederationNumber.objects.filter(player__in=ids).delete()
    OutsideRating.objects.filter(player__in=ids).delete()
    _erase_from_events(events, replacement)
    _erase_from_records(events, clubs, names)
    audit_rows = AuditEntry.objects.filter(scope="")
    replacement.replace_in_rows(
        audit_rows.filter(subject_type="people.player", subject_id__in=ids), "data", "actor_label"
    )
    replacement.replace_in_rows(audit_rows.filter(club__in=clubs).iterator(), "data")
    replacement.replace_in_rows(AuditEntry.objects.filter(scope=OPERATORS_SCOPE).iterator(), "data")
    replacement.replace_in_rows(Moderation.objects.iterator(), "reason", "kept")
    replacement.replace_in_rows(PageReport.objects.iterator(), "text", "note", "contact")
    replacement.replace_in_rows(RoleInvitation.objects.filter(club__in=clubs), "label")
    replacement.replace_in_rows(Series.objects.filter(club__in=clubs), "name")
    _erase_from_templates(ClubTemplate.objects.filter(club__in=clubs), replacement)
    replacement.replace_in_rows(RecordImport.objects.filter(club__in=clubs), "filename")
    erase_import_data(club_ids=clubs)
    rewrite_notes(replacement.replace_in)
    erase_response_bodies()
    for name in names:
        replacement.replace_in_rows(
            LogEntry.objects.filter(object_repr__contains=name), "object_repr", "change_message"
        )
    OutgoingMail.objects.filter(delivery__notification__event__in=events).delete()
    delete_subscriptions(SubscribedFor.objects.filter(entry__entry_players__player__in=ids))
    NotificationChoice.objects.filter(entry__entry_players__player__in=ids).delete()
    CallAnswer.objects.filter(written_by_q(ids)).delete()
    MatchMessage.objects.filter(written_by_q(ids, "arrangement__match")).delete()
    PlayerClub.objects.filter(player__in=ids).delete()
    PlayerClaim.objects.filter(player__in=ids).delete()
    for row in rows:
        row.name, row.country, row.home_club, row.user = FORMER_PLAYER_NAME, "", None, None
        row.guardian = None
        row.listed, row.listed_with_draw, row.shown_as, row.minor = False, False, "full", False
        row.version += 1
        row.save()
    log_player_erasures(rows)
    record_player_erasure(actor=actor, player=rows[0])
    raise_versions([NAMES, *map(club_players_topic, clubs)])


def _erase_from_events(events: Collection[Event], replacement: NameReplacement) -> None:
    """Replace the names in entries, texts and audit logs of the events, and in the events' own texts."""
    event_ids = [event.pk for event in events]
    replacement.replace_in_rows(Entry.objects.filter(division__event__in=event_ids), "name")
    replacement.replace_in_rows(FormerLineup.objects.filter(entry__division__event__in=event_ids), "name")
    replacement.replace_in_rows(
        EntryDetail.objects.filter(entry__division__event__in=event_ids), "note", "undo"
    )
    replacement.replace_in_rows(Report.objects.filter(match__stage__division__event__in=event_ids), "note")
    replacement.replace_in_rows(
        CallAnswer.objects.filter(match__stage__division__event__in=event_ids), "reason"
    )
    arrangements = Arrangement.objects.filter(match__stage__division__event__in=event_ids)
    replacement.replace_in_rows(arrangements, "place")
    replacement.replace_in_rows(OfferedTime.objects.filter(arrangement__in=arrangements), "place")
    replacement.replace_in_rows(MatchMessage.objects.filter(arrangement__in=arrangements), "text")
    replacement.replace_in_rows(Objection.objects.filter(match__stage__division__event__in=event_ids), "text")
    replacement.replace_in_rows(MoneySession.objects.filter(stage__division__event__in=event_ids), "note")
    replacement.replace_in_rows(DeskNote.objects.filter(event__in=event_ids), "text")
    replacement.replace_in_rows(Notice.objects.filter(event__in=event_ids), "facts")
    for event in events:
        for name in replacement.names:
            erase_name(event, name, replacement.replacement)
        replacement.replace_in_rows([event], "description", "name", "place")
    raise_event_versions(events)


def _erase_from_templates(templates: Iterable[ClubTemplate], replacement: NameReplacement) -> None:
    """Replace the names in the texts of the clubs' templates; codes of settings stay unchanged."""
    for template in templates:
        template.plan = map_texts(template.plan, replacement.replace_in)
        template.save(update_fields=["plan"])
        replacement.replace_in_rows([template], "name", "sentence")


def _erase_from_records(events: Collection[Event], clubs: Collection[int], names: Collection[str]) -> None:
    """Replace the names in game records of the events' matches and in files that the clubs imported.

    Held files that contain a name are deleted.
    """
    event_ids = [event.pk for event in events]
    reports = Report.objects.filter(match__stage__division__event__in=event_ids).exclude(record=None)
    imported_files = ImportedFile.objects.filter(batch__club__in=clubs)
    replacement = NameReplacement(tuple(names), FORMER_PLAYER_NAME)
    copies = RecordCopy.objects.filter(report__match__stage__division__event__in=event_ids)
    record_ids = {
        *reports.values_list("record_id", flat=True),
        *copies.values_list("record_id", flat=True),
        *imported_files.values_list("record_id", flat=True),
    }
    for record in StoredRecord.objects.filter(pk__in=record_ids - {None}).iterator():
        is_changed = remove_names(record, names, FORMER_PLAYER_NAME)
        if is_changed:
            record.save(update_fields=["content", "size", "format", "filename"])
    replacement.replace_in_rows(imported_files.iterator(), "left", "right", "filename")
    for held_record in HeldRecord.objects.all():
        if any(name.encode() in bytes(held_record.content) for name in names):
            held_record.delete()


def _longest_first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in names if name.strip()}, key=len, reverse=True))
