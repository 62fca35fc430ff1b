"""Read players, clubs and their members, and the audit trail. Views and services of every floor ask here."""

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
    """``row`` itself, as the database has it by now: what a page shows beside a change that came too late."""
    row.refresh_from_db()
    return row


def club_with_public_id(public_id: str) -> Club:
    """The club of this id, whoever may see it."""
    club = one_or_none(Club.objects.select_related("parent").filter(public_id=public_id))
    if club is None:
        raise Missing("club.unknown")
    return club


def visible_club(public_id: str, visitor: Visitor = None) -> Club:
    """A club; every club is public, but for one that an operator has shut: that is there for who has a role in it."""
    club = club_with_public_id(public_id)
    if club.shut and role_in(visitor, club) is None:
        raise Missing("club.unknown")
    return club


def active_moderation(kind: str, pk: int) -> Moderation | None:
    """What an operator hid or removed: the thing of this kind and row, while that counts."""
    return Moderation.objects.filter(kind=kind, subject_id=pk, ended_at=None).first()


def member_clubs(federation: Club) -> list[Club]:
    """The public clubs that belong to ``federation``, by name."""
    return list(Club.objects.filter(parent=federation, shut="").order_by("name", "pk"))


def clubs_owned_by(user: User) -> list[Club]:
    """The clubs that ``user`` owns, by name."""
    owned = Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    owned = owned.exclude(shut=Restriction.REMOVED)
    return list(owned.order_by("name", "pk"))


def clubs_directed_by(user: User) -> list[str]:
    """The public ids of the clubs whose events ``user`` runs."""
    rows = Membership.objects.filter(user=user, role__in=DIRECTOR_ROLES)
    return list(rows.order_by("pk").values_list("club__public_id", flat=True))


def memberships_of(user: User) -> list[Membership]:
    """The roles of ``user``, with their clubs and these clubs' federations, by the club's name."""
    rows = (
        Membership.objects.filter(user=user)
        .exclude(club__shut=Restriction.REMOVED)
        .select_related("club__parent")
    )
    return list(rows.order_by("club__name", "pk"))


def presences_at(scope: str, since: datetime) -> list[Presence]:
    """Who was seen at ``scope`` since then, in the order in which they came, with their accounts; one query."""
    return list(Presence.objects.filter(scope=scope, seen_at__gte=since).select_related("user"))


def open_invitations(club: Club, roles: Collection[str]) -> list[RoleInvitation]:
    """Invitations to these roles that can still be accepted, newest first."""
    rows = RoleInvitation.objects.filter(club=club, accepted_at=None, withdrawn_at=None, role__in=roles)
    return list(rows.filter(expires_at__gt=timezone.now()).select_related("made_by").order_by("-pk"))


def assistants_of(scope: str) -> list[Assistance]:
    """Who helps with the event of this scope, in the order in which they came."""
    return list(Assistance.objects.filter(scope=scope).select_related("user").order_by("pk"))


def assistances_of(user: User) -> list[Assistance]:
    """With what ``user`` helps, the latest first."""
    return list(Assistance.objects.filter(user=user).order_by("-pk"))


def members_of(club: Club) -> list[Membership]:
    """Who runs ``club``, in the order in which they came."""
    return list(Membership.objects.filter(club=club).select_related("user").order_by("pk"))


def member_of(club: Club, pk: int) -> Membership | None:
    """One of them."""
    return one_or_none(Membership.objects.filter(club=club, pk=pk).select_related("user"))


def directory_players(club: Club, text: str = "") -> QuerySet[Player]:
    """The players known to ``club``, by name; every word of ``text`` must be in the name."""
    found = _players_known_to(club)
    for word in search_key(text).split():
        found = found.filter(search_name__contains=word)
    return found.select_related("home_club").order_by("name", "pk")


def player_in_directory(club: Club, public_id: str) -> Player:
    """One of them, or ``Missing``."""
    found = one_or_none(_players_known_to(club).filter(public_id=public_id))
    if found is None:
        raise Missing("player.unknown")
    return found


def namesakes_of(player: Player, club: Club) -> list[Player]:
    """Others of the directory with the same name, accents, case and order of words aside."""
    others = _players_known_to(club).filter(search_name=player.search_name).exclude(pk=player.pk)
    return list(others.select_related("home_club").order_by("pk"))


def duplicate_name_count(club: Club) -> int:
    """How many names stand in the directory more than once, accents, case and order of words aside."""
    names = _players_known_to(club).values("search_name").annotate(times=Count("pk"))
    return names.filter(times__gt=1).count()


def _players_known_to(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club_links__club=club, merged_into=None)


def club_audit_entries(club: Club) -> QuerySet[AuditEntry]:
    """What was done in ``club``, newest first; events have trails of their own."""
    rows = AuditEntry.objects.filter(club=club, scope="").select_related("actor", "undone_by")
    return rows.order_by("-pk")


def subject_names(rows: Collection[AuditEntry]) -> dict[tuple[str, int | None], str]:
    """Names of the players and members that ``rows`` speak of; two queries."""
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
    """Players with a public page."""
    return Player.objects.filter(listed=True, merged_into=None)


def listed_player(public_id: str) -> Player | None:
    """One of them."""
    return one_or_none(listed_players().filter(public_id=public_id))


def listed_players_matching(text: str) -> QuerySet[Player]:
    """Listed players whose name has every word of ``text``; accents and case do not matter."""
    found = listed_players()
    for word in search_key(text).split():
        found = found.filter(search_name__contains=word)
    return found


def listed_players_by_name(name: str, most: int = 2) -> list[Player]:
    """Listed players of exactly this name; if there are none, those whose name has its words."""
    same = list(listed_players().filter(search_name=search_key(name))[:most])
    return same or list(listed_players_matching(name)[:most])


def players_for_club(club: Club) -> QuerySet[Player]:
    """Players that directors of ``club`` may see: its own ones and listed ones, merged duplicates left out."""
    own = Player.objects.filter(club_links__club=club).values("pk")
    return Player.objects.filter(Q(listed=True) | Q(pk__in=own), merged_into=None)


def player_for_club(club: Club, public_id: str, *, own: bool = False) -> Player:
    """A player whom directors of ``club`` may see, or ``Missing``. ``own``: one known to the club itself."""
    players = players_for_club(club).select_related("home_club").filter(public_id=public_id)
    found = (players.filter(club_links__club=club) if own else players).first()
    if found is None:
        raise Missing("player.unknown")
    return found


def player_with_id(pk: int) -> Player | None:
    """The player, whoever may see them: for somebody who was found before."""
    return one_or_none(Player.objects.filter(pk=pk))


def player_with_public_id(public_id: str) -> Player:
    """The player, whoever may see them, a merged duplicate too; or ``Missing``."""
    found = one_or_none(Player.objects.filter(public_id=public_id))
    if found is None:
        raise Missing("player.unknown")
    return found


def player_of_user(user_id: int) -> Player | None:
    """Who somebody who signs in is among the players."""
    return Player.objects.select_related("home_club").filter(user_id=user_id, merged_into=None).first()


def wards_of(user_id: int) -> list[Player]:
    """The minors for whom an account speaks."""
    rows = Player.objects.filter(guardian_id=user_id, minor=True, merged_into=None)
    return list(rows.select_related("home_club").order_by("pk"))


def player_public_id(pk: int) -> str:
    """The id that addresses of the player's pages hold."""
    return str(Player.objects.values_list("public_id", flat=True).get(pk=pk))


def search_players(*, club: Club, text: str, limit: int = SEARCH_LIMIT) -> list[Player]:
    """Players matching every word of ``text`` (any order, accents and case ignored); the club's own come first."""
    words = search_key(text).split()
    if not words:
        return []
    found = players_for_club(club)
    for word in words:
        found = found.filter(search_name__contains=word)
    own = set(
        Player.objects.filter(club_links__club=club, search_name__contains=words[0]).values_list(
            "pk", flat=True
        )
    )
    candidates = list(found.select_related("home_club").order_by("name", "pk")[: limit * 8])
    candidates.sort(key=lambda player: player.pk not in own)
    return candidates[:limit]


def players_by_key(*, club: Club, keys: Iterable[str]) -> dict[str, list[Player]]:
    """Players visible to the club whose folded name is exactly one of ``keys``."""
    wanted = list(dict.fromkeys(keys))
    found: dict[str, list[Player]] = {key: [] for key in wanted}
    for start in range(0, len(wanted), 400):
        part = wanted[start : start + 400]
        for player in (
            players_for_club(club).filter(search_name__in=part).select_related("home_club").order_by("pk")
        ):
            found[player.search_name].append(player)
    return found


def players_in_federation(club: Club) -> list[Player]:
    """Whom ``club`` may know: its own players, and those of the clubs of its federation that it may see."""
    top = club.parent_id or club.pk
    clubs = Club.objects.filter(Q(pk__in=[club.pk, top]) | Q(parent=top))
    near = Player.objects.filter(club_links__club__in=clubs).values("pk")
    return list(players_for_club(club).filter(pk__in=near).select_related("home_club").order_by("pk"))


def account_with_email(email: str) -> User | None:
    """The account that signs in with this address."""
    return User.objects.filter(email=email.strip().lower()).first()


def has_signed_in_from(user_id: int, address: str) -> bool:
    """Whether somebody got in to this account from this address, as far back as the history goes."""
    known = SignIn.objects.filter(user_id=user_id, outcome=SignIn.Outcome.IN, address=address or None)
    return known.exists()


def latest_sign_ins(user: User) -> list[SignIn]:
    """Who came in and who tried to, newest first, the last ``LATEST_SIGN_INS`` of them."""
    return list(SignIn.objects.filter(user=user).order_by("-at", "-pk")[:LATEST_SIGN_INS])


def sessions_of(user: User) -> list[UserSession]:
    """Where ``user`` is signed in, newest first. A session that began before there was a list is not in it."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(UserSession.objects.filter(user=user, session_key__in=alive).order_by("-created_at"))


@dataclass(frozen=True, slots=True)
class PageClub:
    """A club that may want to stand on the pages of a home club's players. ``players``: how many of them it knows."""

    club: Club
    accepted: bool
    players: int


def _first_club_of(player: str) -> Subquery:
    """The club that knew them first; ``player``: the path to their id inside another query."""
    return Subquery(PlayerClub.objects.filter(player=OuterRef(player)).order_by("pk").values("club")[:1])


def _home_players(club: Club) -> QuerySet[Player]:
    """The players whose pages ``club`` keeps: those at home there, and those at home nowhere whom it knew first."""
    homeless = Player.objects.filter(home_club=None).annotate(first=_first_club_of("pk"))
    return Player.objects.filter(Q(home_club=club) | Q(pk__in=homeless.filter(first=club.pk).values("pk")))


def clubs_on_page(player: Player) -> QuerySet[Club]:
    """The clubs whose events and lists stand on the page of ``player``: their keeper's, its federation's and that one's clubs', those
    that the keeper has accepted, and those that the player has accepted; not those that the player has refused.

    The keeper is the home club; of a player who has none, the club that knew them first.
    """
    home: int | Subquery = player.home_club_id or Subquery(
        PlayerClub.objects.filter(player=player).order_by("pk").values("club")[:1]
    )
    own = OwnConsent.objects.filter(player=player)
    given = PageConsent.objects.filter(home=home).values("club")
    named = Club.objects.filter(
        Q(pk=home) | Q(member_clubs=home) | Q(pk__in=given) | Q(pk__in=own.filter(given=True).values("club"))
    ).values("pk")
    clubs = Club.objects.filter(Q(pk__in=named) | Q(parent__in=named))
    return clubs.exclude(pk__in=own.filter(given=False).values("club"))


@dataclass(frozen=True, slots=True)
class OwnPageClub:
    """A club that knows a player. ``shown``: it stands on their page; ``own``: their own word, None for nothing."""

    club: Club
    shown: bool
    own: bool | None


def own_page_clubs(player: Player) -> list[OwnPageClub]:
    """The clubs that know ``player`` and are not their home, and those of which they said something; by name."""
    answers = dict(OwnConsent.objects.filter(player=player).values_list("club", "given"))
    clubs = Club.objects.filter(Q(player_links__player=player) | Q(pk__in=list(answers))).exclude(
        pk=player.home_club_id or 0
    )
    shown = set(clubs_on_page(player).values_list("pk", flat=True))
    rows = clubs.filter(shut="").order_by("name", "pk").distinct()[:MAX_LISTED_CLUBS]
    return [OwnPageClub(club, club.pk in shown, answers.get(club.pk)) for club in rows]


def page_clubs(home: Club) -> list[PageClub]:
    """The clubs that know players of ``home`` and are no part of its federation, and those that it has accepted; by name."""
    given = set(PageConsent.objects.filter(home=home).values_list("club", flat=True))
    knows = Count(
        "player_links", filter=Q(player_links__player__in=_home_players(home).values("pk")), distinct=True
    )
    near = Q(pk=home.pk) | Q(parent=home)
    if home.parent_id is not None:
        near |= Q(pk=home.parent_id) | Q(parent=home.parent_id)
    clubs = Club.objects.annotate(known=knows).filter(Q(known__gt=0) | Q(pk__in=given)).exclude(near)
    return [
        PageClub(club, club.pk in given, club.known)
        for club in clubs.order_by("name", "pk")[:MAX_LISTED_CLUBS]
    ]


def open_merge_requests(keeper: Club) -> list[MergeRequest]:
    """What ``keeper`` is asked to merge into its players, the oldest first."""
    rows = MergeRequest.objects.filter(keeper=keeper, answered_at=None)
    return list(rows.select_related("club", "keep", "duplicate").order_by("pk"))


def open_merge_request_count(keeper: Club) -> int:
    """How many of them there are."""
    return MergeRequest.objects.filter(keeper=keeper, answered_at=None).count()


def open_claims(club: Club) -> list[PlayerClaim]:
    """Who says by a personal link to be a player of ``club`` and waits for its directors' answer, the oldest first."""
    rows = PlayerClaim.objects.filter(club=club, way=PlayerClaim.Way.LINK, ended_at=None)
    rows = rows.filter(expires_at__gt=timezone.now(), player__merged_into=None)
    return list(rows.select_related("player", "asked_by").order_by("pk")[:LATEST_SIGN_INS])


def claims_requested_by(user: User) -> list[PlayerClaim]:
    """Whom ``user`` asked for by a personal link, the newest first."""
    rows = PlayerClaim.objects.filter(asked_by=user, way=PlayerClaim.Way.LINK)
    return list(rows.select_related("player", "club").order_by("-pk")[:3])


def current_and_past_names(players: Collection[Player]) -> set[str]:
    """Every name that they have or had."""
    names = {one.name for one in players}
    rows = AuditEntry.objects.filter(subject_type="people.player", subject_id__in=[one.pk for one in players])
    for data in rows.values_list("data", flat=True):
        for part in (data, data.get("before"), data.get("after")):
            name = part.get("name") if isinstance(part, dict) else None
            if isinstance(name, str):
                names.add(name)
    return names - {FORMER_PLAYER_NAME, ""}
