"""Sentences for all audit actions of an event, one for each kind of action (`engine.trail`)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from people.web.trail import (
    SUBJECT_KEY,
    Facts,
    describe_differences,
    register_sentences,
    unknown_action_sentence,
)
from tournaments.draws.web.public import SOURCE_LABELS
from tournaments.engine.consents import Reply
from tournaments.engine.lots.committed import SeedSourceKind
from tournaments.engine.stages.swiss import AvoidancePolicy
from tournaments.engine.trail.action import AuditAction, UnknownAction
from tournaments.engine.trail.divisions import (
    ConductSet,
    DeadlinesSet,
    DivisionAdded,
    DivisionMoved,
    DivisionRemoved,
    DivisionUpdated,
    NextDivisionOpened,
    StageAdded,
    StageRemoved,
    StageUpdated,
)
from tournaments.engine.trail.draws import (
    DrawDiscarded,
    DrawMade,
    DrawPublished,
    DrawUnpublished,
    EntriesKeptApart,
    EntriesSwapped,
    PairingDiscarded,
    PlayOffRecorded,
    PlayOffsDiscarded,
    PlayOffStarted,
    PlayOffUndone,
    RoundPaired,
    RoundPublished,
    RoundsEnded,
    RoundUnpublished,
    SitOutSet,
    SwapsUndone,
)
from tournaments.engine.trail.entries import (
    ContactsErased,
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntryDeclined,
    EntryDetailsSet,
    EntryMovedUp,
    EntryReentered,
    EntryUpdated,
    EntryWithdrawn,
    MergeUndone,
    PlayersMerged,
    SeedsSet,
)
from tournaments.engine.trail.events import (
    AllLinksRenewed,
    ApprovalPolicySet,
    AuditChainStarted,
    EventCancelled,
    EventCopied,
    EventCreated,
    EventOpened,
    EventRestored,
    EventReturnedToDraft,
    EventUpdated,
    LinkRenewed,
    NameErased,
    NextSeasonCreated,
    PromotionCountsSet,
    RegistrationClosed,
    RegistrationLinkRenewed,
    RegistrationOpened,
    SeasonCreated,
    TableClosed,
    TableOpened,
)
from tournaments.engine.trail.money import (
    MoneyFinished,
    MoneyOpened,
    MoneyReopened,
    MoneyReturnedToSetup,
    MoneyUpdated,
    SessionRecorded,
    SessionRestored,
    SessionStruck,
)
from tournaments.engine.trail.notices import (
    AnnouncementChanged,
    AnnouncementMade,
    NoticeRestored,
    NoticeWithdrawn,
)
from tournaments.engine.trail.phones import (
    CodesTried,
    PhoneAllowed,
    PhoneRefused,
    PhoneRequested,
    PhonesRemoved,
)
from tournaments.engine.trail.prizes import PrizesSet, PrizesUndone
from tournaments.models import Stage
from tournaments.models.trail import has_unknown_fields, parse_action
from tournaments.shared.words.consents import CONSENT_LABELS, SHORT_REPLY_LABELS
from tournaments.shared.words.names import lengths_label
from tournaments.shared.words.phones import PHONE_ACCESS_LABELS
from tournaments.shared.words.rulings import (
    changed_rules_messages,
    clock_use_label,
)
from tournaments.site.web.trail_check_in_words import CHECK_IN_MESSAGES
from tournaments.site.web.trail_match_words import (
    MATCH_MESSAGES,
    NO_PAIRS,
    ActionMessage,
    describe_with_pairs,
    names_summary,
    placeholders,
)
from tournaments.site.web.trail_matrix_words import PLAYERS_TABLE_MESSAGES
from tournaments.site.web.trail_prize_words import describe_prizes_set, describe_prizes_undone
from tournaments.site.web.trail_quiz_words import QUIZ_MESSAGES
from tournaments.site.web.trail_return_words import RETURN_MESSAGES
from tournaments.site.web.trail_series_words import SERIES_MESSAGES

PAIRS_KEY: Final = "who plays"  # added to a row's data; no field has this name


def describe_action(action: AuditAction, subject: str) -> str:
    """Return the sentence for an action on ``subject`` in the active language."""
    message = ACTION_MESSAGES[type(action)]
    if callable(message) and not isinstance(message, str | Promise):
        return message(action, subject)
    return str(message) % placeholders(action, subject)


def _row_describer(kind: str) -> Callable[[Facts], str]:
    """Return a function that turns a row of this kind into a sentence.

    It also accepts rows of newer releases, which have more fields.
    """

    def of_row(facts: Facts) -> str:
        data = {name: value for name, value in facts.items() if name not in {SUBJECT_KEY, PAIRS_KEY}}
        action = parse_action(kind, data)
        if isinstance(action, UnknownAction):
            return unknown_action_sentence(kind)
        try:
            paired_sentence = describe_with_pairs(
                action, str(facts[SUBJECT_KEY]), facts.get(PAIRS_KEY, NO_PAIRS)
            )
            sentence = (
                describe_action(action, str(facts[SUBJECT_KEY]))
                if paired_sentence is None
                else paired_sentence
            )
        except LookupError:  # an unknown code, from a newer release
            return unknown_action_sentence(kind)
        if has_unknown_fields(action, data):
            return _("%(sentence)s (Recorded by a newer version, with more details.)") % {
                "sentence": sentence
            }
        return sentence

    return of_row


def _update_describer(
    text: str | Promise,
) -> Callable[[EventUpdated | EntryUpdated | AnnouncementChanged, str], str]:
    """Return a function that builds a sentence: ``text``, followed by the changed values."""

    def of_update(action: EventUpdated | EntryUpdated | AnnouncementChanged, _subject: str) -> str:
        changes = describe_differences(action.before, action.after)
        return f"{text} {changes}" if changes else str(text)

    return of_update


def _describe_copied(action: EventCopied, _subject: str) -> str:
    if action.day is None:
        template = _("Event created: %(name)s, from the template %(template)s.")
        return template % {"name": action.name, "template": action.template}
    template = _("Event created: %(name)s, with the settings of %(before)s from %(day)s.")
    text = template % {"name": action.name, "before": action.before, "day": date_format(action.day)}
    return text + (" " + _("Series: %(series)s.") % {"series": action.series} if action.series else "")


def _describe_added(action: EntriesAdded, _subject: str) -> str:
    names = [entry.name for entry in action.entries]
    return ngettext("Entered: %(names)s.", "Entered: %(names)s.", len(names)) % {
        "names": names_summary(names)
    }


def _describe_entries_moved(action: EntriesMoved, _subject: str) -> str:
    names = names_summary([entry.name for entry in action.entries])
    return _("Moved to %(division)s: %(names)s.") % {"division": action.division, "names": names}


# Labels for the fields of an entry's details.
_DETAIL_LABELS: Mapping[str, str | Promise] = {
    "extra": gettext_lazy("custom fields"),
    "country": gettext_lazy("Country"),
    "rating": gettext_lazy("Rating"),
    "club": gettext_lazy("Club"),
    "email": gettext_lazy("E-mail address"),
    "phone": gettext_lazy("Phone"),
    "paid": gettext_lazy("Paid"),
    "note": gettext_lazy("Note"),
    **{kind.value: label for kind, label in CONSENT_LABELS.items()},
    "hall": gettext_lazy("Name in the hall"),
}


def _detail_label(name: str, reply: str) -> str:
    label = str(_DETAIL_LABELS.get(name, name))
    return f"{label}: {SHORT_REPLY_LABELS[Reply(reply)]}" if reply in set(Reply) else label


def _describe_details_set(action: EntryDetailsSet, subject: str) -> str:
    fields = ", ".join(_detail_label(name, action.replies.get(name, "")) for name in action.fields)
    return _("Details of %(subject)s changed: %(fields)s.") % {"subject": subject, "fields": fields}


def _describe_paid(action: EntriesPaid, _subject: str) -> str:
    text = _("Marked as paid: %(names)s.") if action.paid else _("Marked as unpaid: %(names)s.")
    return text % {"names": names_summary([entry.name for entry in action.entries])}


def _describe_approved(action: EntriesApproved, _subject: str) -> str:
    text = _("Confirmed by their own account: %(names)s.") if action.by_account else _("Approved: %(names)s.")
    return text % {"names": names_summary([entry.name for entry in action.entries])}


def _describe_moved_up(action: EntryMovedUp, _subject: str) -> str:
    text = (
        _("Added from the waiting list: %(name)s.")
        if action.by_hand
        else _("Moved up from the waiting list: %(name)s.")
    )
    return text % {"name": action.name}


def _describe_approval_rule(action: ApprovalPolicySet, _subject: str) -> str:
    if action.everybody:
        return _("Self-registration: new names need approval too.")
    return _("Self-registration: new names are entered immediately.")


def _describe_conduct(action: ConductSet, _subject: str) -> str:
    messages = []
    if action.by_arrangement is not None:
        messages.append(_("Played by arrangement.") if action.by_arrangement else _("Played at the tables."))
    if action.clocks == "without":
        messages.append(_("Played without clocks."))
    elif action.clocks:
        messages.append(_("Clocks: %(use)s.") % {"use": clock_use_label(action.clocks)})
    messages += changed_rules_messages(action.moves, action.start, action.score, action.holland)
    if action.overtime is not None:
        messages.append(_("Overtime: %(seconds)s seconds.") % {"seconds": action.overtime})
    return " ".join(messages) or _("Rules for lateness, slow play, clocks and ratings changed.")


def _describe_session(action: SessionRecorded, subject: str) -> str:
    if action.corrects is not None:
        text = _("Session %(session)s recorded in place of session %(corrects)s.")
    else:
        text = _("Session %(session)s recorded.")
    return text % placeholders(action, subject)


def _describe_seeds(action: SeedsSet, _subject: str) -> str:
    count = len(action.seeds)
    return ngettext("Seed of %(count)s entry changed.", "Seeds of %(count)s entries changed.", count) % {
        "count": count
    }


def _describe_lengths(action: StageUpdated, _subject: str) -> str:
    return _("Format changed; lengths %(lengths)s.") % {"lengths": lengths_label(list(action.lengths))}


def _describe_draw(action: DrawMade, _subject: str) -> str:
    methods: dict[str, Any] = dict(Stage.DrawMethod.choices)
    text = _("Draw made (%(method)s, seed %(seed)s).") % {
        "method": methods.get(action.method, action.method),
        "seed": action.seed,
    }
    return _with_randomness_source(text, action)


def _describe_paired(action: RoundPaired, _subject: str) -> str:
    text = _("Round %(round)s paired (seed %(seed)s).") % {"round": action.round, "seed": action.seed}
    return _with_randomness_source(text, action)


def _with_randomness_source(text: str, action: DrawMade | RoundPaired) -> str:
    """Append the source of randomness to a sentence; actions of early releases have none."""
    return f"{text} {SOURCE_LABELS[SeedSourceKind(action.by)]}." if action.by in set(SeedSourceKind) else text


def _describe_kept_apart(action: EntriesKeptApart, _subject: str) -> str:
    texts = {
        AvoidancePolicy.NEVER: _("%(first)s and %(second)s must not meet."),
        AvoidancePolicy.AVOID: _("%(first)s and %(second)s meet only if unavoidable."),
        AvoidancePolicy.IGNORE: _("%(first)s and %(second)s may meet again."),
    }
    return texts[action.wish] % {"first": action.first, "second": action.second}


def _describe_play_off(action: PlayOffStarted, _subject: str) -> str:
    return _("Play-off of %(names)s.") % {"names": ", ".join(action.names)}


def _describe_play_off_recorded(action: PlayOffRecorded, _subject: str) -> str:
    return _("Play-off recorded: %(names)s.") % {"names": ", ".join(action.order)}


def _describe_phone_allowed(action: PhoneAllowed, subject: str) -> str:
    text = _("Phone %(phone)s can report through the link of %(subject)s: %(way)s.")
    way_label = PHONE_ACCESS_LABELS.get(action.way, action.way)
    return text % {"phone": action.phone, "subject": subject, "way": way_label}


ACTION_MESSAGES: Final[Mapping[type[AuditAction], ActionMessage]] = {
    **MATCH_MESSAGES,
    **SERIES_MESSAGES,
    **CHECK_IN_MESSAGES,
    **PLAYERS_TABLE_MESSAGES,
    **RETURN_MESSAGES,
    **QUIZ_MESSAGES,
    EventCreated: gettext_lazy("Event created: %(name)s."),
    EventCopied: _describe_copied,
    NameErased: gettext_lazy("A name was removed from %(rows)s rows; their fingerprints remain."),
    AuditChainStarted: gettext_lazy(
        "From here on the audit log is a chain; %(rows)s earlier rows were sealed as they were."
    ),
    EventUpdated: _update_describer(gettext_lazy("Event changed.")),
    EventOpened: gettext_lazy("Event opened for entries."),
    EventReturnedToDraft: gettext_lazy("Event changed back to draft."),
    EventCancelled: gettext_lazy("Event cancelled."),
    EventRestored: gettext_lazy("Event restored."),
    StageUpdated: _describe_lengths,
    StageAdded: gettext_lazy("Stage added: %(name)s."),
    StageRemoved: gettext_lazy("Stage removed: %(name)s."),
    DivisionAdded: gettext_lazy("Division added: %(name)s."),
    NextDivisionOpened: gettext_lazy("Next division opened: %(name)s."),
    DivisionUpdated: gettext_lazy("Division changed: %(name)s."),
    DivisionMoved: gettext_lazy("Division moved: %(name)s."),
    DivisionRemoved: gettext_lazy("Division removed: %(name)s."),
    RegistrationOpened: gettext_lazy("Self-registration opened."),
    RegistrationClosed: gettext_lazy("Self-registration closed."),
    ApprovalPolicySet: _describe_approval_rule,
    RegistrationLinkRenewed: gettext_lazy("Registration link renewed."),
    EntriesAdded: _describe_added,
    EntriesMoved: _describe_entries_moved,
    EntriesPaid: _describe_paid,
    EntryDetailsSet: _describe_details_set,
    ContactsErased: gettext_lazy(
        "Addresses, phone numbers and notes deleted after the retention period: %(players)s."
    ),
    EntryUpdated: _update_describer(gettext_lazy("Entry changed.")),
    EntryReentered: gettext_lazy("Re-entered: %(name)s."),
    SeedsSet: _describe_seeds,
    EntryWithdrawn: gettext_lazy("Withdrawn: %(name)s."),
    EntriesApproved: _describe_approved,
    EntryDeclined: gettext_lazy("Declined: %(name)s."),
    EntryMovedUp: _describe_moved_up,
    DrawMade: _describe_draw,
    DrawDiscarded: gettext_lazy("Draw discarded (seed %(seed)s)."),
    DrawPublished: gettext_lazy("Draw published (seed %(seed)s)."),
    DrawUnpublished: gettext_lazy("Draw unpublished."),
    RoundPaired: _describe_paired,
    PairingDiscarded: gettext_lazy("Pairings discarded (seed %(seed)s)."),
    RoundPublished: gettext_lazy("Round %(round)s published (seed %(seed)s)."),
    RoundUnpublished: gettext_lazy("Round %(round)s unpublished."),
    SitOutSet: gettext_lazy("%(name)s sits out the next round."),
    RoundsEnded: gettext_lazy("Ended after round %(rounds)s."),
    EntriesSwapped: gettext_lazy("Round %(round)s: %(first)s and %(second)s swapped manually."),
    SwapsUndone: gettext_lazy("Manual changes undone."),
    EntriesKeptApart: _describe_kept_apart,
    PlayOffRecorded: _describe_play_off_recorded,
    PlayOffStarted: _describe_play_off,
    PlayOffUndone: gettext_lazy("Play-off undone before it began."),
    PlayOffsDiscarded: gettext_lazy("Recorded play-offs undone."),
    DeadlinesSet: gettext_lazy("Deadlines changed."),
    ConductSet: _describe_conduct,
    TableClosed: gettext_lazy("Table %(table)s taken out of use."),
    TableOpened: gettext_lazy("Table %(table)s back in use."),
    PromotionCountsSet: gettext_lazy("Number of promoted and relegated players changed."),
    SeasonCreated: gettext_lazy("Season %(name)s created after %(before)s."),
    NextSeasonCreated: gettext_lazy("Next season created: %(name)s."),
    MoneyUpdated: gettext_lazy("Terms of the points league changed."),
    MoneyOpened: gettext_lazy("Points league started."),
    MoneyReturnedToSetup: gettext_lazy("Start of the points league undone."),
    MoneyFinished: gettext_lazy("Points league ended."),
    MoneyReopened: gettext_lazy("Points league resumed."),
    SessionRecorded: _describe_session,
    SessionStruck: gettext_lazy("Session %(session)s cancelled."),
    SessionRestored: gettext_lazy("Session %(session)s counts again."),
    AnnouncementMade: gettext_lazy("Announced: “%(text)s”"),
    AnnouncementChanged: _update_describer(gettext_lazy("Announcement changed.")),
    NoticeWithdrawn: gettext_lazy("Announcement removed: “%(text)s”"),
    NoticeRestored: gettext_lazy("Announcement shown again: “%(text)s”"),
    LinkRenewed: gettext_lazy("Personal link of %(subject)s renewed."),
    AllLinksRenewed: gettext_lazy("All personal links renewed."),
    PhoneRequested: gettext_lazy("Phone %(phone)s asked to report through the link of %(subject)s."),
    PhoneAllowed: _describe_phone_allowed,
    PhoneRefused: gettext_lazy("Phone %(phone)s may not report through the link of %(subject)s."),
    PhonesRemoved: gettext_lazy("Phones of the link of %(subject)s cleared."),
    CodesTried: gettext_lazy(
        "Wrong codes at the link of %(subject)s: %(tries)s. The code is no longer valid."
    ),
    PlayersMerged: gettext_lazy("Player %(subject)s merged into another player."),
    MergeUndone: gettext_lazy("Merge of %(subject)s undone."),
    PrizesSet: describe_prizes_set,
    PrizesUndone: describe_prizes_undone,
}
register_sentences({action.kind: _row_describer(action.kind) for action in ACTION_MESSAGES})
