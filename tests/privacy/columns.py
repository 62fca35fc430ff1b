"""Every column of the database that holds text: who erases a name from it, or why there is none in it."""

from typing import Final

# An erased player's name stood here, and leaves.
OF_PLAYERS: Final = frozenset(
    """
    Player.name Player.search_name Player.public_name Player.hall_name Entry.name FormerLineup.name EntryDetail.email EntryDetail.note EntryDetail.undo CallAnswer.reason
    MatchMessage.text DeskNote.text Arrangement.place OfferedTime.place
    AuditEntry.data AuditEntry.actor_label Event.name Event.place Event.description Notice.facts Report.note Objection.text
    StoredRecord.content StoredRecord.filename HeldRecord.content RecordImport.filename ImportedFile.left ImportedFile.right
    ImportedFile.filename RoleInvitation.label LogEntry.object_repr MoneySession.note
    Moderation.reason Moderation.kept PageReport.text PageReport.note PageReport.contact
    ClubTemplate.name ClubTemplate.sentence ClubTemplate.plan Series.name
    KeptAnswer.body OfficialList.note OfficialRequest.note TableImport.filename TableImport.report
    """.split()
)
# The name or address of a deleted account stood here, and leaves.
OF_ACCOUNTS: Final = frozenset(
    """
    User.name User.email EmailAddress.email SignIn.program UserSession.user_agent OutgoingMail.recipient OutgoingMail.subject
    OutgoingMail.content
    """.split()
)
# Gone with the row of the player or account it belongs to.
WITH_THEIR_ROW: Final = frozenset(
    """
    FederationNumber.federation FederationNumber.number OutsideRating.source EntryDetail.phone EntryDetail.club EntryDetail.extra Player.country RoleInvitation.email Authenticator.data User.password User.timezone User.language
    Subscription.endpoint Subscription.p256dh Subscription.auth Subscription.language SubscribedFor.device
    UserSession.session_key UserSession.data Session.session_data LogEntry.change_message HeldRecord.filename
    """.split()
)
# What its writer says of something else than a person.
OF_OTHERS: Final = frozenset(
    """
    Club.name Club.city Club.country Club.website Club.about Division.name Division.limit_source Stage.name PublicRandomness.label PublicRandomness.read_from EventColumn.name EventColumn.choices RatingList.name Entry.party
    Fact.event_name Fact.reason OutgoingMail.sender OutgoingMail.reason Generation.started_by
    """.split()
)
# Codes, keys, hashes, numbers and settings that the program makes.
OF_THE_PROGRAM: Final = frozenset(
    """
    CheckIn.code QuizPosition.public_id QuizPosition.xgid
    RecordAnalysis.engine RecordAnalysis.version RecordAnalysis.level RecordAnalysis.claim RecordAnalysis.failure
    AnalysedDecision.kind AnalysedDecision.side AnalysedDecision.error AnalysedDecision.plays AnalysedDecision.cube AnalysedDecision.chances AnalysedSide.side AnalysedSide.openings
    Series.public_id Series.kept_rule ClubTemplate.public_id
    Club.public_id Club.timezone Event.public_id Event.timezone Event.currency Event.closed_tables Event.requires Event.trail_head Entry.public_id
    EventForecast.summary EventForecast.matches EventForecast.taught EventSoundness.checks
    Stage.format_preset Stage.lengths Stage.kept_settings Stage.next_seed Stage.draw_seed Stage.secret Round.section Round.code
    Round.seed Round.rests Round.swaps Round.ratings Match.public_id Match.awards Match.adjourned Match.clock Lot.what Lot.by Lot.why Lot.promise Lot.publicity Lot.secret
    PublicRandomness.kind PublicRandomness.network PublicRandomness.list_hash PublicRandomness.promise PublicRandomness.commitment PublicRandomness.value
    PublicRandomness.signature PublicRandomness.previous PublicRandomness.origin
    Lot.typed Lot.order Lot.listed Lot.list_hash Lot.seed Lot.outcome MoneySession.public_id MoneySession.submission_key
    Notice.public_id Notice.kind Notification.kind Notification.facts Notification.entries Subscription.digest Subscription.site_key Delivery.public_id
    Delivery.reason NotificationChoice.ways RecordCopy.key RecordCopy.changes Report.submission_key Report.decision Report.device Report.sheet Fact.source_key Fact.result_kind
    Fact.discipline Fact.event_key RatingList.public_id RatingList.system RatingList.parameters RatingList.disciplines
    OfficialList.zone OfficialList.head OfficialList.key OfficialList.signature
    RatingList.events Generation.merges Generation.clubs Generation.rule RatingList.members StoredRecord.sha256 StoredRecord.format HeldRecord.key HeldRecord.purpose
    OfficialRequest.refused TableImport.public_id TableImport.same_players TableImport.phase TableImport.token RecordImport.public_id RecordImport.sha256 ImportedFile.refused ImportedFile.params
    ImportedFile.decision Allowance.quota AuditEntry.scope AuditEntry.action AuditEntry.subject_type AuditEntry.link AuditEntry.seal
    Player.public_id PlayerClaim.secret_hash MergeRequest.public_id RoleInvitation.public_id RoleInvitation.scopes
    RoleInvitation.secret_hash Assistance.scope Presence.scope Presence.place Version.kind KeptAnswer.scope KeptAnswer.sent Moderation.kind PageReport.public_id PageReport.page
    MatchMessage.public_id MatchMessage.submission_key DeskNote.public_id DeskNote.submission_key LinkPhone.device PhoneCode.digest EmailConfirmation.key LogEntry.object_id Permission.name
    Permission.codename Group.name ContentType.app_label ContentType.model Session.session_key
    """.split()
)
KNOWN: Final = OF_PLAYERS | OF_ACCOUNTS | WITH_THEIR_ROW | OF_OTHERS | OF_THE_PROGRAM
