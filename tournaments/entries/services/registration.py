"""Registration of players through the event's registration link, and approval of their entries by staff."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from names.folding import search_key
from people.actors import Actor
from people.models import Player
from people.selectors import player_of_user, players_by_key
from people.services.players import clean_name
from people.services.versions import raise_versions
from people.transactions import durable
from people.versions import club_players_topic
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.new_entry import EntryDetails, NewEntry, WhenFull
from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    ENTRY_UNCONFIRMED,
    EntryAction,
    EntryStatus,
)
from tournaments.engine.trail.action import NamedEntry
from tournaments.engine.trail.entries import EntriesApproved, EntriesUnapproved, EntryDeclined
from tournaments.engine.trail.events import ApprovalPolicySet
from tournaments.engine.trail.matrix import PreviousApproval
from tournaments.engine.types import EntryId
from tournaments.entries.services.entries import (
    add_to_division,
    locked_entry,
    require_entries_open,
    require_not_over,
)
from tournaments.entries.services.extra import clean_custom_values, write_custom_values
from tournaments.entries.services.identity import delete_unused_players, resolve_names
from tournaments.entries.services.limits import check_limits_on_approval, needs_director_review
from tournaments.models import Division, Entry, EntryPlayer, Event, Stage
from tournaments.selectors.access.links import event_from_token
from tournaments.selectors.doubts import doubts_by_entry
from tournaments.selectors.entries import joinable_divisions
from tournaments.store.event_state import step_entry
from tournaments.store.lock import lock_for_director, lock_for_staff, lock_unless_removed, record_action
from tournaments.store.waiting import (
    allocate_places,
    fill_places,
    has_room,
    move_up_entry,
    schedule_start_if_full,
)

# Status of a new entry, by whether it has a place and whether its identity is certain.
_INITIAL_STATUS = {
    (True, True): EntryStatus.ACTIVE,
    (True, False): EntryStatus.PENDING,
    (False, True): EntryStatus.WAITING,
    (False, False): EntryStatus.WAITING_PENDING,
}


@durable
def register_self(
    *,
    actor: Actor,
    token: str,
    entry: NewEntry,
    partners: Mapping[int, Sequence[str]] | None = None,
    crowd: bool = False,
    extra: Mapping[int, str] | None = None,
) -> list[Entry]:
    """Enter a player through the registration link ``token``, while registration is open; return the entries.

    ``partners``: names of the other team members, keyed by the id of each division to enter; None for the
    only division. ``extra``: values of custom fields, keyed by field id, only of those that players fill in.

    A player who is not signed in as that player waits for approval. A typed name creates a new player and is
    not looked up (`selectors.doubts` does that for the approving director), so the response reveals nothing
    about known players. If the event admits new names at once (``Event.approves_all`` is false), a name that
    no known player has gets its place at once, unless ``crowd`` is set: many entries came from one address in
    a short time. Entries into a full division go on its waiting list.

    Raises ``Conflict`` if registration is closed, and ``Invalid`` if a consent that the event requires
    (``Event.requires``) is missing.
    """
    event = lock_unless_removed(event_from_token(token).pk)
    if event_from_token(token).pk != event.pk or not event.registration_open:
        raise Conflict("registration.closed", present=event)
    divisions = {division.pk: division for division in joinable_divisions(event)}
    if partners is None and len(divisions) == 1:
        partners = dict.fromkeys(divisions, ())
    if not partners:
        raise Invalid("registration.no_division", field="division")
    if set(partners) - set(divisions):
        raise Conflict("registration.closed", present=event)
    raise_faults(
        [Fault("consent.required", kind) for kind in missing_consents(event.requires, entry.details)]
    )
    cleaned_values = clean_custom_values(event, extra or {}, asked_only=True)
    own_player = player_of_user(actor.user.pk) if actor.user is not None else None
    if own_player is not None and entry.player_id == own_player.pk:
        _must_not_have_withdrawn(own_player, list(partners))
    teams = {pk: _partners(divisions[pk], partners[pk]) for pk in divisions if pk in partners}
    certain_identities = {
        pk: _is_identity_certain(
            event, own_player, NewEntry(entry.name, entry.player_id, teammates), crowd=crowd
        )
        and not _needs_director_review(event, divisions[pk], NewEntry(entry.name, entry.player_id, teammates))
        for pk, teammates in teams.items()
    }
    created: list[Entry] = []
    is_new = False
    for pk, teammates in teams.items():
        division = divisions[pk]
        claimed_entry = _claim_entry(actor, event, division, own_player, entry)
        if claimed_entry is not None:
            created.append(claimed_entry)
            continue
        new_entry = NewEntry(
            name=entry.name, player_id=entry.player_id, partners=teammates, details=_own_details(entry)
        )
        status = _INITIAL_STATUS[has_room(division), certain_identities[pk]]
        created += add_to_division(
            actor, event, division, [new_entry], source=Entry.Source.SELF, status=status
        )
        if entry.player_id is None:  # created with the first entry, known for the others
            first = EntryPlayer.objects.get(entry=created[0], position=1)
            entry = NewEntry(player_id=first.player_id, details=entry.details)
            is_new = first.is_new
    if cleaned_values and created:
        player = EntryPlayer.objects.get(entry=created[0], position=1).player_id
        write_custom_values(player, [created_entry.pk for created_entry in created], cleaned_values)
    if is_new:
        EntryPlayer.objects.filter(entry__in=created, player=entry.player_id).update(is_new=True)
    return created


@durable
def approve_entries(
    *,
    actor: Actor,
    event_id: int,
    entry_ids: Sequence[int] | None = None,
    overrule: str = "",
    who: str = "",
) -> list[Entry]:
    """Approve pending entries; return them.

    Each gets its personal link, and a place or one on the waiting list.

    ``ids_by_public_id``: None for all pending entries except those with a doubtful name; such an entry needs a
    decision ``who``: the public id of the player, or "new" (`identity.resolve_names`). ``overrule``: a
    director's reason for entries outside the rating limit. Recorded as one step that can be undone.
    """
    event = lock_for_staff(actor, event_id)
    require_not_over(event)
    rows = _unconfirmed_entries(event)
    if entry_ids is not None:
        requested_ids = set(entry_ids)
        entries_by_id = {
            entry.pk: entry for entry in Entry.objects.filter(pk__in=requested_ids, division__event=event)
        }
        if set(entries_by_id) != requested_ids or not requested_ids:
            raise Missing("entry.unknown")
        rows = [entry for entry in rows if entry.pk in requested_ids]
        for pk in requested_ids - {entry.pk for entry in rows}:
            step_entry(entries_by_id[pk], EntryAction.APPROVE)  # raises: it is approved or withdrawn
    elif rows:
        doubtful = doubts_by_entry(event, rows)
        rows = [entry for entry in rows if entry.pk not in doubtful]
        if not rows:
            raise Conflict("entry.all_doubtful", present=event)
    if not rows:
        raise Conflict("entry.nobody_expected", present=event)
    for division in {entry.division for entry in rows}:
        _must_accept_entries(division)
    _approve(actor, event, rows, overrule=overrule, player_choice=who, is_undoable=True)
    for division in {entry.division for entry in rows}:
        schedule_start_if_full(division)
    return rows


@durable
def decline_entry(*, actor: Actor, event_id: int, entry_id: int) -> None:
    """Decline a pending entry: delete it and the player who was created with it, if in no other entry."""
    event = lock_for_staff(actor, event_id)
    require_not_over(event)
    entry = locked_entry(event, entry_id)
    division = entry.division
    delete_unapproved(actor, event, entry)
    fill_places(actor, event, division)


def delete_unapproved(actor: Actor, event: Event, entry: Entry) -> None:
    """Delete a pending entry and the players who were created with it.

    Raises ``Conflict`` if the entry is approved.

    A player whom the same form entered in another division stays. Joins the caller's transaction; the caller
    gives the free place to the waiting list.
    """
    if entry.status not in ENTRY_UNCONFIRMED:
        raise Conflict("entry.not_expected", present=entry, name=entry.name)
    new_player_ids = list(
        EntryPlayer.objects.filter(entry=entry, is_new=True).values_list("player_id", flat=True)
    )
    record_action(event, actor=actor, action=EntryDeclined(name=entry.name), subject=entry.division)
    entry.delete()
    delete_unused_players(new_player_ids)


@durable
def admit_from_waiting_list(
    *, actor: Actor, event_id: int, entry_id: int, when_full: WhenFull = WhenFull.ASK
) -> Entry:
    """Give an entry on the waiting list a place, and return the entry.

    ``when_full``: `WhenFull.ADD` passes over others that wait longer, and exceeds the division's limit if
    needed.
    """
    event = lock_for_director(actor, event_id)
    require_not_over(event)
    entry = locked_entry(event, entry_id)
    _must_accept_entries(entry.division)
    allocate_places(actor, event, entry.division, 1, when_full, may_wait=False, waiting_entry=entry)
    move_up_entry(actor, event, entry, by_hand=True)
    return entry


@durable
def set_approval_required(*, actor: Actor, event_id: int, everybody: bool) -> Event:
    """Set whether all entries through the link wait for approval, or only those under a known player's name.

    ``everybody``: True for all. Existing entries are unchanged.
    """
    event = lock_for_director(actor, event_id)
    event.approves_all = everybody
    record_action(event, actor=actor, action=ApprovalPolicySet(everybody=everybody))
    return event


def approve_at_check_in(
    actor: Actor, event: Event, rows: Sequence[Entry], overrule: str = ""
) -> dict[int, int]:
    """Approve the entries ``rows``, whose players are present at check-in.

    Returns the ids of players that were replaced, each with the id of the known player. ``overrule``: a
    director's reason for entries outside the rating limit. Joins the transaction of the check-in, which holds
    the lock of ``event``.
    """
    for division in {entry.division for entry in rows}:
        _must_accept_entries(division)
    return _approve(actor, event, rows, overrule=overrule)


def undo_approval(actor: Actor, event: Event, created_players: Mapping[int, Collection[int]]) -> None:
    """Undo the approval of entries: they are pending again.

    ``created_players``: ids of the players created with each entry, keyed by entry id. Joins the transaction
    of the caller, which holds the lock of ``event``.
    """
    rows = [locked_entry(event, pk) for pk in created_players]
    for entry in rows:
        step_entry(entry, EntryAction.UNAPPROVE)
        entry.save(update_fields=["status"])
    for pk, player_ids in created_players.items():
        EntryPlayer.objects.filter(entry=pk, player__in=player_ids).update(is_new=True)
        # Version 2 is set by the approval; players changed since are kept as they are.
        Player.objects.filter(pk__in=player_ids, version=2).update(version=1)
    raise_versions([club_players_topic(event.club_id)])
    if rows:
        named_entries = tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in rows)
        subject = rows[0] if len(rows) == 1 else event
        record_action(event, actor=actor, action=EntriesUnapproved(entries=named_entries), subject=subject)


def missing_consents(required: Collection[str], details: EntryDetails) -> list[str]:
    """Return the codes of the consents in ``required`` to which ``details`` do not say yes."""
    return [kind for kind in Consent if kind in required and getattr(details, kind) != Reply.YES]


def _must_not_have_withdrawn(own_player: Player, divisions: Collection[int]) -> None:
    """Raise ``Invalid`` if the signed-in player withdrew from one of the divisions with these ids.

    The player then reinstates the withdrawn entry instead of making another.
    """
    rows = EntryPlayer.objects.filter(
        division__in=divisions, player=own_player, entry__status=EntryStatus.WITHDRAWN
    )
    if rows.exists():
        raise Invalid("registration.withdrew", field="division")


def _own_details(entry: NewEntry) -> EntryDetails:
    """Return the details sent with an entry, without consents if the player is a minor."""
    if entry.player_id is None or not Player.objects.filter(pk=entry.player_id, minor=True).exists():
        return entry.details
    return replace(entry.details, photo="", filming="", streaming="", record="", analysis="")


def _is_identity_certain(
    event: Event, own_player: Player | None, new_entry: NewEntry, *, crowd: bool
) -> bool:
    """Return whether an entry needs no approval of who its players are.

    That is so for the signed-in player, and for new names that no known player has, unless the event approves
    all entries or ``crowd`` is set.
    """
    known_ids = {member.player_id for member in new_entry.members if member.player_id is not None}
    if known_ids - ({own_player.pk} if own_player is not None else set()):
        return False
    new_keys = [search_key(member.name) for member in new_entry.members if member.player_id is None]
    if not new_keys:
        return True
    if event.approves_all or crowd:
        return False
    same_names = EntryPlayer.objects.filter(division__event=event, player__search_name__in=new_keys)
    return not same_names.exists() and not any(players_by_key(club=event.club, keys=new_keys).values())


def _needs_director_review(event: Event, division: Division, new_entry: NewEntry) -> bool:
    """Return whether the division's rating limit requires a director's review of the entry."""
    player_ids = [member.player_id for member in new_entry.members]
    return needs_director_review(event, division, player_ids, known=None not in player_ids)


def _claim_entry(
    actor: Actor, event: Event, division: Division, own_player: Player | None, new_entry: NewEntry
) -> Entry | None:
    """Return the pending entry made in the signed-in player's name, after approving it.

    None without such an entry, or for a team. The link to the status page of the old registration becomes
    invalid.
    """
    if own_player is None or new_entry.player_id != own_player.pk or division.team_size > 1:
        return None
    entry = (
        Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(division=division, entry_players__player=own_player, status__in=ENTRY_UNCONFIRMED)
        .first()
    )
    if entry is None:
        return None
    entry.link_version += 1
    _approve(actor, event, [entry], by_account=True)
    return entry


def _approve(
    actor: Actor,
    event: Event,
    rows: Sequence[Entry],
    *,
    by_account: bool = False,
    overrule: str = "",
    player_choice: str = "",
    is_undoable: bool = False,
) -> dict[int, int]:
    """Approve the entries.

    Return the ids of players that were replaced, each with the id of the known player.

    ``by_account``: True if a signed-in player claimed the entry; ``is_undoable``: True records one step that can
    be undone.
    """
    replaced_ids = resolve_names(event, rows, player_choice)
    check_limits_on_approval(actor, event, rows, overrule)
    for entry in rows:
        step_entry(entry, EntryAction.APPROVE)
        entry.save(update_fields=["status", "link_version"])
    new_players = EntryPlayer.objects.filter(entry__in=rows, is_new=True)
    created_players: dict[int, list[int]] = {}
    for entry_id, player_id in (
        new_players.order_by("pk").values_list("entry_id", "player_id") if is_undoable else ()
    ):
        created_players.setdefault(entry_id, []).append(player_id)
    Player.objects.filter(pk__in=new_players.values("player_id"), version=1).update(version=2)
    new_players.update(is_new=False)
    raise_versions([club_players_topic(event.club_id)])
    named_entries = tuple(NamedEntry(EntryId(entry.pk), entry.name) for entry in rows)
    record_action(
        event,
        actor=actor,
        action=EntriesApproved(
            entries=named_entries,
            by_account=by_account,
            before=tuple(
                PreviousApproval(named_entry.entry, tuple(created_players.get(named_entry.entry, ())))
                for named_entry in named_entries
            )
            if is_undoable
            else (),
        ),
        subject=rows[0] if len(rows) == 1 else event,
    )
    return replaced_ids


def _unconfirmed_entries(event: Event) -> list[Entry]:
    return list(
        Entry.objects.select_for_update(of=("self",))
        .select_related("division")
        .filter(division__event=event, status__in=ENTRY_UNCONFIRMED)
        .order_by("pk")
    )


def _must_accept_entries(division: Division) -> None:
    """Raise ``Conflict`` unless the division takes entries.

    It does while its entries may change, or if it has a public bracket, which may take late entries.
    """
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if stage is not None and stage.status in DRAW_PUBLIC and stage.system in Stage.ELIMINATIONS:
        return
    require_entries_open(division)


def _partners(division: Division, names: Sequence[str]) -> tuple[NewEntry, ...]:
    """Return the other members of a team from their typed names. Raises ``Invalid`` with all errors."""
    faults: list[Fault] = []
    partners: list[NewEntry] = []
    for number, typed_name in enumerate(names, start=2):
        field = f"partner-{division.position}-{number}"
        try:
            partners.append(NewEntry(name=clean_name(typed_name)))
        except Invalid as error:
            faults += [fault.at(field) for fault in error.faults]
    raise_faults(faults)
    return tuple(partners)
