"""Read players, clubs and their members, and the audit log. For views and services of every layer."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from faults import Missing
from names.folding import search_key
from people.audience import FORMER_PLAYER_NAME
from people.models import (
    Assistance,
    AuditEntry,
    Club,
    Membership,
    MergeRequest,
    Moderation,
    OwnConsent,
    PageConsent,
    Player,
    PlayerClaim,
    PlayerClub,
    Presence,
    Restriction,
    Role,
    RoleInvitation,
    SignIn,
    User,
)
from people.permissions import DIRECTOR_ROLES, Visitor, role_in
from people.rows import one_or_none

SEARCH_LIMIT = 12
LATEST_SIGN_INS = 50
MAX_LISTED_CLUBS = 200
_USER_SUBJECT_TYPES = frozenset({"people.membership", "people.assistance"})
Row = TypeVar("Row", bound=Model)


def refresh_row(row: Row) -> Row:
    """Reload ``row`` from the database and return it: the present state, to show with a rejected change."""
    row.refresh_from_db()
    return row


def club_with_public_id(public_id: str) -> Club:
    """Return the club with this id, whether visible or not. Raises ``Missing``."""
    club = one_or_none(Club.objects.select_related("parent").filter(public_id=public_id))
    if club is None:
        raise Missing("club.unknown")
    return club


def visible_club(public_id: str, visitor: Visitor = None) -> Club:
    """Return a club that ``visitor`` may see: any public club, a restricted one only with a role in it.

    Raises ``Missing``.
    """
    club = club_with_public_id(public_id)
    if club.shut and role_in(visitor, club) is None:
        raise Missing("club.unknown")
    return club


def active_moderation(kind: str, pk: int) -> Moderation | None:
    """Return the restriction in force of the object with this kind and database id, or None."""
    return Moderation.objects.filter(kind=kind, subject_id=pk, ended_at=None).first()


def member_clubs(federation: Club) -> list[Club]:
    """Return the public clubs that belong to ``federation``, by name."""
    return list(Club.objects.filter(parent=federation, shut="").order_by("name", "pk"))


def clubs_owned_by(user: User) -> list[Club]:
    """Return the clubs that ``user`` owns, by name."""
    clubs = Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    clubs = clubs.exclude(shut=Restriction.REMOVED)
    return list(clubs.order_by("name", "pk"))


def clubs_directed_by(user: User) -> list[str]:
    """Return the public ids of the clubs whose events ``user`` runs."""
    rows = Membership.objects.filter(user=user, role__in=DIRECTOR_ROLES)
    return list(rows.order_by("pk").values_list("club__public_id", flat=True))


def memberships_of(user: User) -> list[Membership]:
    """Return the memberships of ``user`` with clubs and their federations, sorted by club name."""
    rows = (
        Membership.objects.filter(user=user)
        .exclude(club__shut=Restriction.REMOVED)
        .select_related("club__parent")
    )
    return list(rows.order_by("club__name", "pk"))


def presences_at(scope: str, since: datetime) -> list[Presence]:
    """Return the presences at ``scope`` since then, with accounts, in order of arrival; one query."""
    return list(Presence.objects.filter(scope=scope, seen_at__gte=since).select_related("user"))


def open_invitations(club: Club, roles: Collection[str]) -> list[RoleInvitation]:
    """Return the invitations to these roles that can still be accepted, newest first."""
    rows = RoleInvitation.objects.filter(club=club, accepted_at=None, withdrawn_at=None, role__in=roles)
    return list(rows.filter(expires_at__gt=timezone.now()).select_related("made_by").order_by("-pk"))


def assistants_of(scope: str) -> list[Assistance]:
    """Return the assistants of the event of ``scope``, with their accounts, the first appointed first."""
    return list(Assistance.objects.filter(scope=scope).select_related("user").order_by("pk"))


def assistances_of(user: User) -> list[Assistance]:
    """Return the events with which ``user`` assists, the latest first."""
    return list(Assistance.objects.filter(user=user).order_by("-pk"))


def members_of(club: Club) -> list[Membership]:
    """Return the memberships in ``club`` with their accounts, the oldest first."""
    return list(Membership.objects.filter(club=club).select_related("user").order_by("pk"))


def member_of(club: Club, pk: int) -> Membership | None:
    """Return the membership in ``club`` with this database id, or None."""
    return one_or_none(Membership.objects.filter(club=club, pk=pk).select_related("user"))


def directory_players(club: Club, text: str = "") -> QuerySet[Player]:
    """Return the players known to ``club``, sorted by name; every word of ``text`` must be in the name."""
    players = _players_known_to(club)
    for word in search_key(text).split():
        players = players.filter(search_name__contains=word)
    return players.select_related("home_club").order_by("name", "pk")


def player_in_directory(club: Club, public_id: str) -> Player:
    """Return the player with this public id who is known to ``club``. Raises ``Missing``."""
    player = one_or_none(_players_known_to(club).filter(public_id=public_id))
    if player is None:
        raise Missing("player.unknown")
    return player


def namesakes_of(player: Player, club: Club) -> list[Player]:
    """Return other players known to ``club`` with the same name, ignoring accents, case and word order."""
    namesakes = _players_known_to(club).filter(search_name=player.search_name).exclude(pk=player.pk)
    return list(namesakes.select_related("home_club").order_by("pk"))


def duplicate_name_count(club: Club) -> int:
    """Return how many names several players of the directory share, ignoring accents, case and word order."""
    names = _players_known_to(club).values("search_name").annotate(times=Count("pk"))
    return names.filter(times__gt=1).count()


def _players_known_to(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club_links__club=club, merged_into=None)


def club_audit_entries(club: Club) -> QuerySet[AuditEntry]:
    """Return the audit log of ``club``, newest first, without the entries of its events."""
    rows = AuditEntry.objects.filter(club=club, scope="").select_related("actor", "undone_by")
    return rows.order_by("-pk")


def subject_names(rows: Collection[AuditEntry]) -> dict[tuple[str, int | None], str]:
    """Return names of players and members in ``rows``, keyed by subject type and id; two queries."""
    player_ids = [
        row.subject_id for row in rows if row.subject_type == "people.player" and row.subject_id is not None
    ]
    names: dict[tuple[str, int | None], str] = {
        ("people.player", pk): name
        for pk, name in Player.objects.filter(pk__in=player_ids).values_list("pk", "name")
    }
    user_ids = [int(row.data["user"]) for row in rows if row.subject_type in _USER_SUBJECT_TYPES]
    users = {user.pk: str(user) for user in User.objects.filter(pk__in=user_ids)}
    for row in rows:
        if row.subject_type in _USER_SUBJECT_TYPES:
            names[row.subject_type, row.subject_id] = users.get(int(row.data["user"]), "")
    return names


def listed_players() -> QuerySet[Player]:
    """Return all listed players: those with a public page."""
    return Player.objects.filter(listed=True, merged_into=None)


def listed_player(public_id: str) -> Player | None:
    """Return the listed player with this id, or None."""
    return one_or_none(listed_players().filter(public_id=public_id))


def listed_players_matching(text: str) -> QuerySet[Player]:
    """Return the listed players whose name has every word of ``text``; accents and case are ignored."""
    players = listed_players()
    for word in search_key(text).split():
        players = players.filter(search_name__contains=word)
    return players


def listed_players_by_name(name: str, limit: int = 2) -> list[Player]:
    """Return listed players of exactly this name; if there are none, those whose name has all its words."""
    exact_matches = list(listed_players().filter(search_name=search_key(name))[:limit])
    return exact_matches or list(listed_players_matching(name)[:limit])


def players_for_club(club: Club) -> QuerySet[Player]:
    """Return players that directors of ``club`` may see: known to it or listed, without merged duplicates."""
    own_player_ids = Player.objects.filter(club_links__club=club).values("pk")
    return Player.objects.filter(Q(listed=True) | Q(pk__in=own_player_ids), merged_into=None)


def player_for_club(club: Club, public_id: str, *, own_only: bool = False) -> Player:
    """Return a player whom ``club`` may see (``own_only``: who is known to it). Raises ``Missing``."""
    players = players_for_club(club).select_related("home_club").filter(public_id=public_id)
    player = (players.filter(club_links__club=club) if own_only else players).first()
    if player is None:
        raise Missing("player.unknown")
    return player


def player_with_id(pk: int) -> Player | None:
    """Return the player with this id, visible or not, or None."""
    return one_or_none(Player.objects.filter(pk=pk))


def player_with_public_id(public_id: str) -> Player:
    """Return the player with this id, visible or not, merged or not. Raises ``Missing``."""
    player = one_or_none(Player.objects.filter(public_id=public_id))
    if player is None:
        raise Missing("player.unknown")
    return player


def player_of_user(user_id: int) -> Player | None:
    """Return the player that the account with this id is, or None."""
    return Player.objects.select_related("home_club").filter(user_id=user_id, merged_into=None).first()


def wards_of(user_id: int) -> list[Player]:
    """Return the minors of whom the account with this id is the guardian."""
    rows = Player.objects.filter(guardian_id=user_id, minor=True, merged_into=None)
    return list(rows.select_related("home_club").order_by("pk"))


def player_public_id(pk: int) -> str:
    """Return the public id of the player with the database id ``pk``."""
    return str(Player.objects.values_list("public_id", flat=True).get(pk=pk))


def search_players(*, club: Club, text: str, limit: int = SEARCH_LIMIT) -> list[Player]:
    """Return players that ``club`` may see with all words of ``text`` in the name; its own first."""
    words = search_key(text).split()
    if not words:
        return []
    players = players_for_club(club)
    for word in words:
        players = players.filter(search_name__contains=word)
    own_ids = set(
        Player.objects.filter(club_links__club=club, search_name__contains=words[0]).values_list(
            "pk", flat=True
        )
    )
    candidates = list(players.select_related("home_club").order_by("name", "pk")[: limit * 8])
    candidates.sort(key=lambda player: player.pk not in own_ids)
    return candidates[:limit]


def players_by_key(*, club: Club, keys: Iterable[str]) -> dict[str, list[Player]]:
    """Return players whom ``club`` may see, in lists keyed by normalised name (one of ``keys``)."""
    unique_keys = list(dict.fromkeys(keys))
    matches_by_key: dict[str, list[Player]] = {key: [] for key in unique_keys}
    for start in range(0, len(unique_keys), 400):
        chunk = unique_keys[start : start + 400]
        for player in (
            players_for_club(club).filter(search_name__in=chunk).select_related("home_club").order_by("pk")
        ):
            matches_by_key[player.search_name].append(player)
    return matches_by_key


def players_in_federation(club: Club) -> list[Player]:
    """Return the players known to ``club``, and those known in its federation whom ``club`` may see."""
    federation_id = club.parent_id or club.pk
    clubs = Club.objects.filter(Q(pk__in=[club.pk, federation_id]) | Q(parent=federation_id))
    nearby_ids = Player.objects.filter(club_links__club__in=clubs).values("pk")
    return list(players_for_club(club).filter(pk__in=nearby_ids).select_related("home_club").order_by("pk"))


def account_with_email(email: str) -> User | None:
    """Return the account that signs in with this address, or None."""
    return User.objects.filter(email=email.strip().lower()).first()


def has_signed_in_from(user_id: int, address: str) -> bool:
    """Return whether the sign-in history has a successful sign-in to this account from this address."""
    sign_ins = SignIn.objects.filter(user_id=user_id, outcome=SignIn.Outcome.IN, address=address or None)
    return sign_ins.exists()


def latest_sign_ins(user: User) -> list[SignIn]:
    """Return the last ``LATEST_SIGN_INS`` attempts to sign in, successful or not, newest first."""
    return list(SignIn.objects.filter(user=user).order_by("-at", "-pk")[:LATEST_SIGN_INS])


def sessions_of(user: User) -> list[UserSession]:
    """Return the sessions of ``user``, newest first, without those from before sessions were recorded."""
    active_keys = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(UserSession.objects.filter(user=user, session_key__in=active_keys).order_by("-created_at"))


@dataclass(frozen=True, slots=True)
class PageClub:
    """A club that may be on pages of a home club's players; ``players``: how many of them it knows."""

    club: Club
    accepted: bool
    players: int


def _first_club_of(player: str) -> Subquery:
    """Return a subquery for the club that knew a player first; ``player``: the path to the player's id."""
    return Subquery(PlayerClub.objects.filter(player=OuterRef(player)).order_by("pk").values("club")[:1])


def _home_players(club: Club) -> QuerySet[Player]:
    """Return the players whose home club is ``club``, or without one, whom ``club`` was the first to know."""
    homeless = Player.objects.filter(home_club=None).annotate(first=_first_club_of("pk"))
    return Player.objects.filter(Q(home_club=club) | Q(pk__in=homeless.filter(first=club.pk).values("pk")))


def clubs_on_page(player: Player) -> QuerySet[Club]:
    """Return the clubs whose events and lists appear on the page of ``player``.

    These are the keeper, the keeper's federation and the clubs of that federation, those that the keeper has
    accepted, and those that the player has accepted; not those that the player has refused. The keeper is the
    home club; of a player who has none, the club that knew them first.
    """
    home: int | Subquery = player.home_club_id or Subquery(
        PlayerClub.objects.filter(player=player).order_by("pk").values("club")[:1]
    )
    own_consents = OwnConsent.objects.filter(player=player)
    consented_ids = PageConsent.objects.filter(home=home).values("club")
    base_ids = Club.objects.filter(
        Q(pk=home)
        | Q(member_clubs=home)
        | Q(pk__in=consented_ids)
        | Q(pk__in=own_consents.filter(given=True).values("club"))
    ).values("pk")
    clubs = Club.objects.filter(Q(pk__in=base_ids) | Q(parent__in=base_ids))
    return clubs.exclude(pk__in=own_consents.filter(given=False).values("club"))


@dataclass(frozen=True, slots=True)
class OwnPageClub:
    """A club that knows a player, ``shown`` on the player's page; ``own``: the player's choice, or None."""

    club: Club
    shown: bool
    own: bool | None


def own_page_clubs(player: Player) -> list[OwnPageClub]:
    """Return clubs, except home, that know ``player`` or that the player decided about, by name."""
    consent_by_club = dict(OwnConsent.objects.filter(player=player).values_list("club", "given"))
    clubs = Club.objects.filter(Q(player_links__player=player) | Q(pk__in=list(consent_by_club))).exclude(
        pk=player.home_club_id or 0
    )
    visible_ids = set(clubs_on_page(player).values_list("pk", flat=True))
    rows = clubs.filter(shut="").order_by("name", "pk").distinct()[:MAX_LISTED_CLUBS]
    return [OwnPageClub(club, club.pk in visible_ids, consent_by_club.get(club.pk)) for club in rows]


def page_clubs(home: Club) -> list[PageClub]:
    """Return other clubs, outside the federation, that know players of ``home`` or that ``home`` accepted."""
    accepted_ids = set(PageConsent.objects.filter(home=home).values_list("club", flat=True))
    known_count = Count(
        "player_links", filter=Q(player_links__player__in=_home_players(home).values("pk")), distinct=True
    )
    federation_filter = Q(pk=home.pk) | Q(parent=home)
    if home.parent_id is not None:
        federation_filter |= Q(pk=home.parent_id) | Q(parent=home.parent_id)
    clubs = (
        Club.objects.annotate(known=known_count)
        .filter(Q(known__gt=0) | Q(pk__in=accepted_ids))
        .exclude(federation_filter)
    )
    return [
        PageClub(club, club.pk in accepted_ids, club.known)
        for club in clubs.order_by("name", "pk")[:MAX_LISTED_CLUBS]
    ]


def open_merge_requests(keeper: Club) -> list[MergeRequest]:
    """Return the unanswered requests to merge duplicates into players of ``keeper``, the oldest first."""
    rows = MergeRequest.objects.filter(keeper=keeper, answered_at=None)
    return list(rows.select_related("club", "keep", "duplicate").order_by("pk"))


def open_merge_request_count(keeper: Club) -> int:
    """Return the number of unanswered merge requests to ``keeper``."""
    return MergeRequest.objects.filter(keeper=keeper, answered_at=None).count()


def open_claims(club: Club) -> list[PlayerClaim]:
    """Return the claims by personal link that directors of ``club`` have to decide, the oldest first."""
    rows = PlayerClaim.objects.filter(club=club, way=PlayerClaim.Way.LINK, ended_at=None)
    rows = rows.filter(expires_at__gt=timezone.now(), player__merged_into=None)
    return list(rows.select_related("player", "asked_by").order_by("pk")[:LATEST_SIGN_INS])


def claims_requested_by(user: User) -> list[PlayerClaim]:
    """Return the latest three claims that ``user`` made by a personal link, the newest first."""
    rows = PlayerClaim.objects.filter(asked_by=user, way=PlayerClaim.Way.LINK)
    return list(rows.select_related("player", "club").order_by("-pk")[:3])


def current_and_past_names(players: Collection[Player]) -> set[str]:
    """Return every present and past name of ``players``, the past ones from the audit log."""
    names = {player.name for player in players}
    rows = AuditEntry.objects.filter(
        subject_type="people.player", subject_id__in=[player.pk for player in players]
    )
    for data in rows.values_list("data", flat=True):
        for values in (data, data.get("before"), data.get("after")):
            name = values.get("name") if isinstance(values, dict) else None
            if isinstance(name, str):
                names.add(name)
    return names - {FORMER_PLAYER_NAME, ""}
