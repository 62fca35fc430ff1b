"""Everything that is stored about somebody with an account, as tables of plain values: for them alone."""

from typing import Any, TypeAlias

from django.db.models import F, QuerySet

from people.audience import Audience, names_for
from people.models import AuditEntry, Membership, Player, PlayerClub, SignIn, User
from people.selectors import sessions_of
from rating.models import Standing
from tournaments.models import EntryDetail, EntryPlayer, MatchSlot, Objection, Report
from tournaments.selectors.forgetting import players_with

Table: TypeAlias = list[dict[str, Any]]


def about_account(user: User) -> dict[str, Table]:
    """The account, who came in by it, its roles and what was done with it, and the player that it belongs to."""
    tables = {
        "account": _rows(
            User.objects.filter(pk=user.pk),
            "email",
            "name",
            "language",
            "timezone",
            "date_joined",
            "last_login",
        ),
        "roles": _rows(Membership.objects.filter(user=user), "role", "created_at", club_name=F("club__name")),
        "sign_ins": _rows(SignIn.objects.filter(user=user), "at", "outcome", "way", "address", "program"),
        "sessions": [
            {"since": one.created_at, "address": one.ip, "program": one.user_agent}
            for one in sessions_of(user)
        ],
        "done": _rows(AuditEntry.objects.filter(actor=user), "at", "action", "scope", "data"),
    }
    player = Player.objects.filter(user=user).first()
    return tables if player is None else {**tables, **about_player(player)}


def about_player(player: Player) -> dict[str, Table]:
    """The player, what clubs know of them, and what they played. Others are called as they are in public."""
    ids = [one.pk for one in players_with(player)]
    entries = EntryPlayer.objects.filter(player__in=ids)
    mine = entries.values("entry_id")
    slots = MatchSlot.objects.filter(entry__in=mine).order_by("match_id")
    with names_for(Audience.PUBLIC):
        opponents: dict[int, list[str]] = {}
        others = MatchSlot.objects.filter(match__in=slots.values("match_id")).exclude(entry__in=mine)
        for match, name in others.exclude(entry=None).values_list("match_id", "entry__name"):
            opponents.setdefault(match, []).append(name)
    matches = _rows(
        slots,
        "side",
        match_id_=F("match_id"),
        of_match=F("match__public_id"),
        event=F("match__stage__division__event__name"),
        length=F("match__length"),
        status=F("match__status"),
        score_a=F("match__score_a"),
        score_b=F("match__score_b"),
    )
    for row in matches:
        row["opponent"] = " / ".join(opponents.get(row.pop("match_id_"), []))
    return {
        "player": _rows(
            Player.objects.filter(pk__in=ids),
            "public_id",
            "name",
            "country",
            "listed",
            "shown_as",
            "minor",
            "created_at",
        ),
        "clubs": _rows(PlayerClub.objects.filter(player__in=ids), "created_at", club_name=F("club__name")),
        "entries": _rows(
            entries,
            event=F("entry__division__event__name"),
            division_name=F("entry__division__name"),
            name=F("entry__name"),
            seed=F("entry__seed"),
            status=F("entry__status"),
            entered=F("entry__created_at"),
        ),
        "details": _rows(
            EntryDetail.objects.filter(player__in=ids), "email", "phone", "rating", "club", "paid", "note"
        ),
        "matches": matches,
        "reports": _rows(
            Report.objects.filter(entry__in=mine),
            "score_a",
            "score_b",
            "note",
            of_match=F("match__public_id"),
        ),
        "objections": _rows(Objection.objects.filter(entry__in=mine), "text", of_match=F("match__public_id")),
        "ratings": _rows(
            Standing.objects.filter(player__in=ids, generation=F("generation__rating_list__generation")),
            *("rating", "experience", "matches", "wins"),
            rating_list=F("generation__rating_list__name"),
        ),
    }


def _rows(found: QuerySet[Any], *fields: str, **named: F) -> Table:
    return list(found.order_by("pk").values(*fields, **named))
