"""``manage.py import_event`` and ``import_club``: what another site has signed, taken in with the same ids, or not at all.

Whether an event is new here, further on there, or further on here is told by the chain of its trail: the head of the one stands in the
chain of the other. Two sites that went on by themselves have parted, and neither is written over.
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
from people.signing import is_signed, key_id
from rating.services import ensure_club_list
from rating.services.ledger import announce
from tournaments.backups.services.archive import BackupRefused, Kind, Manifest, Reading, reading
from tournaments.bundles.services.exporting import CLUB, EVENT
from tournaments.bundles.services.numbers import counters, go_on_apart
from tournaments.bundles.services.proving import misfits
from tournaments.bundles.services.quiz import replace_quiz
from tournaments.bundles.services.removals import erase_once_more, follow_merges
from tournaments.bundles.services.states import State, states_of
from tournaments.bundles.services.taking import Taking
from tournaments.models import Event

ACTIONS: Final = {EVENT: "event.import", CLUB: "club.import"}


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a bundle: each event by its public id, and whether anything was written."""

    manifest: Manifest
    events: dict[str, State]
    wrote: bool


def import_bundle(path: Path, *, of: str, keys: Sequence[str], owner: User | None = None) -> Taken:
    """Take in a bundle of an event or a club that is signed by one of ``keys``. Raises ``BackupRefused``; then nothing was changed.

    ``owner``: whose the club is where it is not here yet. Twice is once.
    """
    with reading(path, Kind.BUNDLE) as bundle:
        _refuse_signature(bundle, keys, path)
        if bundle.manifest.of != of:
            other = "import_club" if bundle.manifest.of == CLUB else "import_event"
            raise BackupRefused(
                f"{path} contains a whole {bundle.manifest.of}. Import it with `manage.py {other}`."
            )
        try:
            with transaction.atomic():
                return _take_in(bundle, owner, path)
        except DatabaseError as error:
            raise BackupRefused(f"The database rejected the content of {path}: {error}") from error


def _refuse_signature(bundle: Reading, keys: Sequence[str], path: Path) -> None:
    content, signature = bundle.signed()
    try:
        stated = msgspec.json.decode(signature, type=dict[str, str])
        key, value = stated["key"], stated["value"]
    except (msgspec.MsgspecError, KeyError):
        raise BackupRefused(f"{path} is damaged or incomplete. Use another copy of the file.") from None
    if key not in keys:
        raise BackupRefused(
            f"{path} is signed with an unknown key ({key_id(key)}). Download {bundle.manifest.site}/.well-known/crawford"
            " in a way that you trust, and give that file with --key."
        )
    if not is_signed(content, value=value, key=key):
        raise BackupRefused(f"{path} was changed after signing.")


def _take_in(bundle: Reading, owner: User | None, path: Path) -> Taken:
    taking = Taking(bundle, path)
    for fault in taking.odd_rows():
        raise BackupRefused(f"The content of {path} is inconsistent: {fault}")
    states = states_of(taking)
    coming = {event for event, (_pk, state) in states.items() if state in {State.NEW, State.FURTHER}}
    found = {public_id: state for public_id, (_pk, state) in states.items()}
    before = counters()
    if bundle.manifest.of != CLUB and not coming:
        wrote = taking.add_analyses()  # of records that are here, made there since
        go_on_apart(before, taking.numbers)
        return Taken(bundle.manifest, found, wrote=wrote)
    club = _club(taking, owner)
    removals = taking.removals()
    taking.add_known(Player)
    taking.add_pairs(PlayerClub, taking.players() - removals.erased.keys())
    wrote = taking.add_of_club(removals) if bundle.manifest.of == CLUB else False
    pks = {pk for pk, state in states.values() if state in {State.NEW, State.FURTHER}}
    taking.replace_events(pks)
    follow_merges(removals, pks)
    wrote = taking.add_analyses() or wrote
    replace_quiz(taking, pks)
    facts = taking.add_facts()
    wrote = bool(taking.add_trail()) or wrote
    taking.set_versions()
    go_on_apart(before, taking.numbers)
    ensure_club_list(club_id=club.pk)
    announce(facts, club_id=club.pk)
    _prove(taking, sorted(pks), path)
    wrote = bool(wrote or pks or facts)
    if wrote:
        erase_once_more(removals, club)
        what: Model = (
            club if bundle.manifest.of == CLUB else Event.objects.get(public_id=bundle.manifest.subject)
        )
        data = {"site": bundle.manifest.site, "name": bundle.manifest.name}
        audit.record(
            actor=Actor.program(), action=ACTIONS[bundle.manifest.of], subject=what, club=club, data=data
        )
        topics = [
            versions.NAMES,
            versions.club(club.pk),
            versions.club_players(club.pk),
            versions.club_events(club.pk),
        ]
        raise_versions(topics)
    return Taken(bundle.manifest, found, wrote)


def _club(taking: Taking, owner: User | None) -> Club:
    """The club, which has an owner here."""
    new = taking.add_known(Club)
    club = Club.objects.select_for_update().get(pk=taking.only_pk(Club))
    if new:
        if owner is None:
            raise BackupRefused(
                f"{club.name} is new on this site. Name the account of its owner with --owner."
            )
        Membership.objects.create(user=owner, club=club, role=Role.OWNER)
    return club


def _prove(taking: Taking, events: Sequence[int], path: Path) -> None:
    """Ask what was written whether it fits, before anybody sees it."""
    try:
        for event in Event.objects.filter(pk__in=events).order_by("pk"):
            for fault in misfits(event):
                raise BackupRefused(f"The content of {path} is inconsistent ({event.name}): {fault}")
    except CrawfordError as error:
        raise BackupRefused(f"The content of {path} is inconsistent: {error.code}") from error
    for fault in taking.odd_standings():
        raise BackupRefused(f"The content of {path} is inconsistent: {fault}")
