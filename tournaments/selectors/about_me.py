"""All data stored about a person with an account, for that person's own data export."""

from typing import Any, Final, TypeAlias

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import F, Q, QuerySet

from games.models import RecordImport
from people.audience import Audience, override_audience
from people.models import (
    Allowance,
    Assistance,
    AuditEntry,
    FederationNumber,
    Membership,
    MergeRequest,
    OutsideRating,
    OwnConsent,
    PageConsent,
    PageReport,
    Player,
    PlayerClaim,
    PlayerClub,
    Presence,
    RoleInvitation,
    SignIn,
    User,
)
from people.selectors import sessions_of, wards_of
from rating.models import Fact, OfficialRow, Standing, TableImport
from tournaments.models import (
    Arrangement,
    CallAnswer,
    CallWord,
    Delivery,
    DeskNote,
    EntryDetail,
    EntryPlayer,
    Event,
    FormerPlayer,
    Here,
    LinkPhone,
    MatchMessage,
    MatchSlot,
    MoneyScore,
    NotificationChoice,
    Objection,
    OfferedTime,
    PairRequest,
    Report,
    SubscribedFor,
)
from tournaments.selectors.forgetting import player_and_merged
from tournaments.selectors.seats import side_name, slots_of_players, written_by_q

Table: TypeAlias = list[dict[str, Any]]
_DELIVERY_FIELDS: Final = ("way", "state", "opened_at")


def account_tables(user: User) -> dict[str, Table]:
    """Return all stored data about the account, its player, and the players whom the account looks after.

    A dictionary of table name to rows; each row is a dictionary of column to value. Tables of a player whom
    the account looks after (a ward) have names that begin with ``ward_1_``, ``ward_2_`` and so on.
    """
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
        "presences": _rows(Presence.objects.filter(user=user), "scope", "place", "seen_at"),
        "sign_ins": _rows(SignIn.objects.filter(user=user), "at", "outcome", "way", "address", "program"),
        "sessions": [
            {"since": session.created_at, "address": session.ip, "program": session.user_agent}
            for session in sessions_of(user)
        ],
        "done": _rows(AuditEntry.objects.filter(actor=user), "at", "action", "scope", "data"),
        **_other_account_tables(user),
    }
    player = Player.objects.filter(user=user).first()
    tables |= player_tables(player) if player is not None else {}
    for number, ward in enumerate(wards_of(user.pk), start=1):
        tables |= {f"ward_{number}_{name}": rows for name, rows in player_tables(ward).items()}
    return tables


def _other_account_tables(user: User) -> dict[str, Table]:
    """Return the tables of other rows about the account, such as e-mail addresses and sign-in factors."""
    club = F("club__name")
    return {
        "addresses": _rows(EmailAddress.objects.filter(user=user), "email", "verified", "primary"),
        "factors": _rows(
            Authenticator.objects.filter(user=user), "created_at", "last_used_at", kind=F("type")
        ),
        "allowances": _rows(Allowance.objects.filter(user=user), "quota", "amount"),
        "helps": _rows(Assistance.objects.filter(user=user), "scope", "created_at", club_name=club),
        "invitations": _rows(
            RoleInvitation.objects.filter(accepted_by=user), "role", "label", "accepted_at", club_name=club
        ),
        "invitations_made": _rows(
            RoleInvitation.objects.filter(made_by=user), "role", "made_at", "expires_at", club_name=club
        ),
        "claims_made": _rows(PlayerClaim.objects.filter(made_by=user), "made_at", "ended_at", club_name=club),
        "claims_asked": _rows(
            PlayerClaim.objects.filter(asked_by=user), "made_at", "ended_at", "answer", club_name=club
        ),
        "merges_asked": _rows(
            MergeRequest.objects.filter(asked_by=user), "asked_at", "answered_at", "accepted", club_name=club
        ),
        "events_made": _rows(Event.objects.filter(created_by=user), "public_id", "name", "created_at"),
        "imports": _rows(
            RecordImport.objects.filter(user=user), "public_id", "filename", "created_at", club_name=club
        ),
        "tables_handed_in": _rows(
            TableImport.objects.filter(user=user), "public_id", "filename", "created_at", club_name=club
        ),
        "reports_made": _rows(
            Report.objects.filter(user=user),
            *("score_a", "score_b", "note", "created_at"),
            of_match=F("match__public_id"),
        ),
        "objections_settled": _rows(
            Objection.objects.filter(settled_by=user), "settled_at", of_match=F("match__public_id")
        ),
        "marked_here": _rows(
            Here.objects.filter(by=user), "at", "way", event_name=F("check_in__division__event__name")
        ),
        "desk_notes": _rows(
            DeskNote.objects.filter(author=user), *("text", "at", "done_at"), event_name=F("event__name")
        ),
        "desk_notes_done": _rows(
            DeskNote.objects.filter(done_by=user), *("done_at",), event_name=F("event__name")
        ),
        "page_reports_handled": _rows(
            PageReport.objects.filter(handled_by=user), "public_id", "handled_at", "note"
        ),
        "notification_choices": _rows(
            NotificationChoice.objects.filter(user=user),
            *("ways", "quiet_from", "quiet_until"),
            event_name=F("event__name"),
        ),
        "phones_notified_account": _rows(
            SubscribedFor.objects.filter(user=user), "since", address=F("subscription__endpoint")
        ),
        "notified_by_mail": _rows(
            Delivery.objects.filter(user=user),
            *_DELIVERY_FIELDS,
            what=F("notification__kind"),
            notified_at=F("sent_at"),
        ),
        "wards": [{"public_id": ward.public_id, "name": ward.name} for ward in wards_of(user.pk)],
    }


def player_tables(player: Player) -> dict[str, Table]:
    """Return all stored data about a player and their merged duplicates, as table name to rows.

    Covers the player, what clubs store about them, and their matches. Opponents have their public names.
    """
    ids = [merged_player.pk for merged_player in player_and_merged(player)]
    entries = EntryPlayer.objects.filter(player__in=ids)
    own_entry_ids = entries.values("entry_id")
    slots = slots_of_players(ids).order_by("match_id")
    written_by_player, written_in_arrangement = written_by_q(ids), written_by_q(ids, "arrangement__match")
    with override_audience(Audience.PUBLIC):
        opponents: dict[int, list[str]] = {}
        opponent_slots = MatchSlot.objects.filter(match__in=slots.values("match_id")).exclude(
            pk__in=slots.values("pk")
        )
        for match_id, name in opponent_slots.exclude(entry=None).values_list("match_id", side_name()):
            opponents.setdefault(match_id, []).append(name)
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
            "listed_with_draw",
            "shown_as",
            "minor",
            "merged_into",
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
        "former_entries": _rows(
            FormerPlayer.objects.filter(player__in=ids),
            event=F("lineup__entry__division__event__name"),
            division_name=F("lineup__entry__division__name"),
            name=F("lineup__name"),
        ),
        "details": _rows(
            EntryDetail.objects.filter(player__in=ids),
            *("email", "phone", "rating", "club", "paid", "note", "extra", "undo"),
            *("photo", "filming", "streaming", "record", "analysis", "hall"),
            event=F("entry__division__event__name"),
        ),
        "federation_numbers": _rows(
            FederationNumber.objects.filter(player__in=ids), "federation", "number", "valid_until"
        ),
        "outside_ratings": _rows(OutsideRating.objects.filter(player__in=ids), "source", "value", "on"),
        "own_consents": _rows(OwnConsent.objects.filter(player__in=ids), "given", club_name=F("club__name")),
        "answers": _rows(
            CallAnswer.objects.filter(written_by_player),
            *("coming", "reason", "at"),
            of_match=F("match__public_id"),
        ),
        "call_words": _rows(
            CallWord.objects.filter(written_by_player),
            *("at", "begins_at", "table", "times"),
            of_match=F("match__public_id"),
        ),
        "arrangements": _rows(
            Arrangement.objects.filter(
                Q(first__in=own_entry_ids) | Q(second__in=own_entry_ids) | Q(match__in=slots.values("match"))
            ),
            *("starts_at", "place", "is_agreed", "agreed_at", "closed_at"),
            of_match=F("match__public_id"),
        ),
        "times_offered": _rows(
            OfferedTime.objects.filter(written_in_arrangement),
            *("starts_at", "place"),
            of_match=F("arrangement__match__public_id"),
        ),
        "messages_written": _rows(
            MatchMessage.objects.filter(written_in_arrangement),
            *("text", "at"),
            of_match=F("arrangement__match__public_id"),
        ),
        "talks_reported": _rows(
            Arrangement.objects.filter(reported_by__in=own_entry_ids),
            *("reported_at", "settled_at"),
            of_match=F("match__public_id"),
        ),
        "here": _rows(
            Here.objects.filter(entry__in=own_entry_ids),
            *("at", "way"),
            day=F("check_in__day"),
            event_name=F("check_in__division__event__name"),
        ),
        "phones": _rows(
            LinkPhone.objects.filter(entry__in=own_entry_ids), "device", "number", "way", "since"
        ),
        "claims": _rows(PlayerClaim.objects.filter(player__in=ids), "made_at", "expires_at", "ended_at"),
        "merge_requests": _rows(
            MergeRequest.objects.filter(Q(keep__in=ids) | Q(duplicate__in=ids)),
            *("asked_at", "answered_at", "accepted"),
            club_name=F("club__name"),
            keeper_name=F("keeper__name"),
        ),
        "page_consents": _rows(
            PageConsent.objects.filter(home__home_players__in=ids).distinct(),
            "created_at",
            home_name=F("home__name"),
            club_name=F("club__name"),
        ),
        "pairs_apart": _rows(
            PairRequest.objects.filter(Q(first__in=own_entry_ids) | Q(second__in=own_entry_ids)),
            "kind",
            stage_id_=F("stage_id"),
        ),
        "notification_choices_of_entries": _rows(
            NotificationChoice.objects.filter(entry__in=own_entry_ids), "ways", "quiet_from", "quiet_until"
        ),
        "phones_notified": _rows(
            SubscribedFor.objects.filter(entry__in=own_entry_ids),
            "since",
            address=F("subscription__endpoint"),
        ),
        "notifications": _rows(
            Delivery.objects.filter(entry__in=own_entry_ids),
            *_DELIVERY_FIELDS,
            what=F("notification__kind"),
            notified_at=F("sent_at"),
        ),
        "points": _rows(
            MoneyScore.objects.filter(entry__in=own_entry_ids), "points", day=F("session__played_on")
        ),
        "rated": _rows(
            Fact.objects.filter(Q(winner__in=ids) | Q(loser__in=ids)),
            *("played_at", "event_name", "length", "winner_score", "loser_score", "place", "opening_rating"),
            *("recorded_at", "reason"),
            kind_=F("kind"),
        ),
        "matches": matches,
        "reports": _rows(
            Report.objects.filter(written_by_player),
            "score_a",
            "score_b",
            "note",
            "device",
            "created_at",
            of_match=F("match__public_id"),
            record_format=F("record__format"),
            record_sha256=F("record__sha256"),
        ),
        "objections": _rows(
            Objection.objects.filter(written_by_player), "text", of_match=F("match__public_id")
        ),
        "ratings": _rows(
            Standing.objects.filter(player__in=ids, generation=F("generation__rating_list__generation")),
            *("rating", "experience", "matches", "wins"),
            rating_list=F("generation__rating_list__name"),
        ),
        "official_lists": _rows(
            OfficialRow.objects.filter(player__in=ids),
            *("rank", "rating", "deviation", "experience", "matches", "provisional"),
            rating_list=F("official__rating_list__name"),
            day=F("official__day"),
            number=F("official__number"),
        ),
    }


def _rows(queryset: QuerySet[Any], *fields: str, **expressions: F) -> Table:
    return list(queryset.order_by("pk").values(*fields, **expressions))
