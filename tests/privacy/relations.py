"""Every relation of the database to a person: the table of everything about me that tells it, or why none does."""

from collections.abc import Mapping
from typing import Final

# Every relation of the database to an account, a player or an entry, and the table that tells it. A test knows all of them.
TOLD: Final[Mapping[str, str]] = {
    "account.EmailAddress.user": "addresses",
    "games.RecordImport.user": "imports",
    "mfa.Authenticator.user": "factors",
    "people.Allowance.user": "allowances",
    "people.Assistance.user": "helps",
    "people.AuditEntry.actor": "done",
    "people.Membership.user": "roles",
    "people.MergeRequest.asked_by": "merges_asked",
    "people.MergeRequest.duplicate": "merge_requests",
    "people.MergeRequest.keep": "merge_requests",
    "people.OwnConsent.player": "own_consents",
    "people.PageReport.handled_by": "page_reports_handled",
    "people.Player.guardian": "wards",
    "people.Player.merged_into": "player",
    "people.Player.user": "player",
    "people.PlayerClaim.asked_by": "claims_asked",
    "people.PlayerClaim.made_by": "claims_made",
    "people.PlayerClaim.player": "claims",
    "people.PlayerClub.player": "clubs",
    "people.RoleInvitation.accepted_by": "invitations",
    "people.RoleInvitation.made_by": "invitations_made",
    "people.SignIn.user": "sign_ins",
    "rating.Fact.loser": "rated",
    "rating.Fact.winner": "rated",
    "rating.Standing.player": "ratings",
    "tournaments.EntryDetail.entry": "details",
    "tournaments.EntryDetail.player": "details",
    "tournaments.EntryPlayer.entry": "entries",
    "tournaments.EntryPlayer.player": "entries",
    "tournaments.Event.created_by": "events_made",
    "tournaments.LinkPhone.entry": "phones",
    "tournaments.MatchSlot.entry": "matches",
    "tournaments.MoneyScore.entry": "points",
    "tournaments.Objection.entry": "objections",
    "tournaments.Objection.settled_by": "objections_settled",
    "tournaments.PairRequest.first": "pairs_apart",
    "tournaments.PairRequest.second": "pairs_apart",
    "tournaments.Report.entry": "reports",
    "tournaments.Report.user": "reports_made",
    "usersessions.UserSession.user": "sessions",
}
# Those that are told by no table, and why.
LEFT_OUT: Final[Mapping[str, str]] = {
    "admin.LogEntry.user": "the admin changes nothing, and writes none",
    "people.Club.members": "the same rows as the roles",
    "rating.Change.opponent": "worked out from what was rated; thrown away and made again",
    "rating.Change.player": "worked out from what was rated; thrown away and made again",
    "tournaments.Entry.again_of": "a buy-back: both are among the entries",
    "tournaments.Entry.players": "the same rows as the entries",
    "tournaments.PhoneCode.entry": "a digest of six digits that are good for minutes",
    "tournaments.StageEntry.entry": "the place in a schedule, which the matches tell",
}
