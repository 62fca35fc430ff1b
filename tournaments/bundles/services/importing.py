"""Import a bundle that another site has signed, with the same ids, completely or not at all.

The hash chains of the audit logs show whether an event is new, or newer on the other site or on this one: the
last hash of one chain is part of the other chain. If both sites continued the event, neither version is
overwritten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from django.db import DatabaseError, transaction
from django.db.models import Model

from faults import CrawfordError
from people import versions
from people.actors import Actor
from people.models import Club, Membership, Player, PlayerClub, Role, User
from people.services import audit
from people.services.versions import raise_versions
from people.signing import is_valid_signature, key_id
from rating.services import ensure_club_list
from rating.services.ledger import queue_facts
from tournaments.backups.services.archive import (
    ArchiveKind,
    ArchiveReader,
    BackupRefused,
    Manifest,
    open_archive,
)
from tournaments.bundles.services.exporting import CLUB_KIND, EVENT_KIND
from tournaments.bundles.services.numbers import last_ids, separate_ids
from tournaments.bundles.services.proving import import_faults
from tournaments.bundles.services.quiz import replace_quiz
from tournaments.bundles.services.removals import apply_merges, reapply_erasures
from tournaments.bundles.services.states import ImportState, import_states
from tournaments.bundles.services.taking import BundleLoader
from tournaments.models import Event

AUDIT_ACTIONS: Final = {EVENT_KIND: "event.import", CLUB_KIND: "club.import"}


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Outcome of an import: the state of each event, keyed by public id, and whether anything was written."""

    manifest: Manifest
    events: dict[str, ImportState]
    has_changes: bool


def import_bundle(path: Path, *, kind: str, keys: Sequence[str], owner: User | None = None) -> ImportResult:
    """Import a bundle of an event or club (``kind``) that is signed by one of ``keys``. Idempotent.

    Raises ``BackupRefused``; then nothing was changed. ``owner``: owner of the club if it is new here.
    """
    with open_archive(path, ArchiveKind.BUNDLE) as bundle:
        _check_signature(bundle, keys, path)
        if bundle.manifest.of != kind:
            command = "import_club" if bundle.manifest.of == CLUB_KIND else "import_event"
            raise BackupRefused(
                f"{path} contains a whole {bundle.manifest.of}. Import it with `manage.py {command}`."
            )
        try:
            with transaction.atomic():
                return _import_rows(bundle, owner, path)
        except DatabaseError as error:
            raise BackupRefused(f"The database rejected the content of {path}: {error}") from error


def _check_signature(bundle: ArchiveReader, keys: Sequence[str], path: Path) -> None:
    content, signature = bundle.signed()
    try:
        signature_values = msgspec.json.decode(signature, type=dict[str, str])
        key, value = signature_values["key"], signature_values["value"]
    except (msgspec.MsgspecError, KeyError):
        raise BackupRefused(f"{path} is damaged or incomplete. Use another copy of the file.") from None
    if key not in keys:
        raise BackupRefused(
            f"{path} is signed with an unknown key ({key_id(key)}). Download {bundle.manifest.site}/.well-known/crawford"
            " in a way that you trust, and give that file with --key."
        )
    if not is_valid_signature(content, value=value, key=key):
        raise BackupRefused(f"{path} was changed after signing.")


def _import_rows(bundle: ArchiveReader, owner: User | None, path: Path) -> ImportResult:
    loader = BundleLoader(bundle, path)
    for fault in loader.inconsistent_rows():
        raise BackupRefused(f"The content of {path} is inconsistent: {fault}")
    states = import_states(loader)
    changed_events = {
        event for event, (_pk, state) in states.items() if state in {ImportState.NEW, ImportState.UPDATED}
    }
    state_by_event = {public_id: state for public_id, (_pk, state) in states.items()}
    previous_ids = last_ids()
    if bundle.manifest.of != CLUB_KIND and not changed_events:
        has_changes = loader.add_analyses()  # analyses made on the other site of records that exist here
        separate_ids(previous_ids, loader.numbers)
        return ImportResult(bundle.manifest, state_by_event, has_changes=has_changes)
    club = _import_club(loader, owner)
    removals = loader.removals()
    loader.add_by_public_id(Player)
    loader.add_missing_pairs(PlayerClub, loader.players() - removals.erased.keys())
    has_changes = loader.add_club_rows(removals) if bundle.manifest.of == CLUB_KIND else False
    pks = {pk for pk, state in states.values() if state in {ImportState.NEW, ImportState.UPDATED}}
    loader.replace_events(pks)
    apply_merges(removals, pks)
    has_changes = loader.add_analyses() or has_changes
    replace_quiz(loader, pks)
    facts = loader.add_facts()
    has_changes = bool(loader.add_audit_log()) or has_changes
    loader.set_versions()
    separate_ids(previous_ids, loader.numbers)
    ensure_club_list(club_id=club.pk)
    queue_facts(facts, club_id=club.pk)
    _verify_import(loader, sorted(pks), path)
    has_changes = bool(has_changes or pks or facts)
    if has_changes:
        reapply_erasures(removals, club)
        subject: Model = (
            club if bundle.manifest.of == CLUB_KIND else Event.objects.get(public_id=bundle.manifest.subject)
        )
        data = {"site": bundle.manifest.site, "name": bundle.manifest.name}
        audit.record_action(
            actor=Actor.program(),
            action=AUDIT_ACTIONS[bundle.manifest.of],
            subject=subject,
            club=club,
            data=data,
        )
        topics = [
            versions.NAMES,
            versions.club_topic(club.pk),
            versions.club_players_topic(club.pk),
            versions.club_events_topic(club.pk),
        ]
        raise_versions(topics)
    return ImportResult(bundle.manifest, state_by_event, has_changes)


def _import_club(loader: BundleLoader, owner: User | None) -> Club:
    """Import the club; a new one gets ``owner``. Raises ``BackupRefused`` without an owner for it."""
    is_new = loader.add_by_public_id(Club)
    club = Club.objects.select_for_update().get(pk=loader.single_id(Club))
    if is_new:
        if owner is None:
            raise BackupRefused(
                f"{club.name} is new on this site. Name the account of its owner with --owner."
            )
        Membership.objects.create(user=owner, club=club, role=Role.OWNER)
    return club


def _verify_import(loader: BundleLoader, events: Sequence[int], path: Path) -> None:
    """Check what was written, before it becomes visible; raise ``BackupRefused`` if it is inconsistent."""
    try:
        for event in Event.objects.filter(pk__in=events).order_by("pk"):
            for fault in import_faults(event):
                raise BackupRefused(f"The content of {path} is inconsistent ({event.name}): {fault}")
    except CrawfordError as error:
        raise BackupRefused(f"The content of {path} is inconsistent: {error.code}") from error
    for fault in loader.standings_mismatches():
        raise BackupRefused(f"The content of {path} is inconsistent: {fault}")
