"""What was done in an event in words: a sentence for each kind of action of the trail (`engine.trail`), from its own values."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from people.web.trail import SUBJECT, Facts, differences, register, unknown_action
from tournaments.draws.web.public import BY
from tournaments.engine.consents import Reply
from tournaments.engine.lots.committed import By
from tournaments.engine.stages.swiss import Clubs
from tournaments.engine.trail.action import TrailAction, Unread
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
    DrawTakenBack,
    EntriesSwapped,
    KeptApart,
    PairingDiscarded,
    PlayOffRecorded,
    PlayOffsForgotten,
    PlayOffStarted,
    PlayOffTakenBack,
    RestSet,
    RoundPaired,
    RoundPublished,
    RoundsEnded,
    RoundTakenBack,
    SwapsUndone,
)
from tournaments.engine.trail.entries import (
    BoughtBack,
    ContactsForgotten,
    EntriesAdded,
    EntriesApproved,
    EntriesMoved,
    EntriesPaid,
    EntryDetailsSet,
    EntryMovedUp,
    EntryTurnedAway,
    EntryUpdated,
    EntryWithdrawn,
    MergeUndone,
    PlayersMerged,
    SeedsSet,
)
from tournaments.engine.trail.events import (
    AllLinksRenewed,
    EventCalledOff,
    EventClosed,
    EventCopied,
    EventCreated,
    EventOpened,
    EventRestored,
    EventUpdated,
    LinkRenewed,
    MovingSet,
    NameErased,
    NextSeasonMade,
    RegistrationApproves,
    RegistrationClosed,
    RegistrationLinkRenewed,
    RegistrationOpened,
    SeasonCreated,
    TableClosed,
    TableOpened,
    TrailBegun,
)
from tournaments.engine.trail.money import (
    MoneyFinished,
    MoneyOpened,
    MoneyReopened,
    MoneyTakenBack,
    MoneyUpdated,
    SessionRecorded,
    SessionRestored,
    SessionStruck,
)
from tournaments.engine.trail.notices import (
    Announced,
    AnnouncementChanged,
    NoticeShownAgain,
    NoticeWithdrawn,
)
from tournaments.engine.trail.phones import CodesTried, PhoneAsked, PhoneLetIn, PhoneRefused, PhonesForgotten
from tournaments.engine.trail.prizes import PrizesSet, PrizesTakenBack
from tournaments.models import Stage
from tournaments.models.trail import is_more, read
from tournaments.shared.frames.director import lengths_words
from tournaments.shared.words.consents import CONSENTS, SHORT
from tournaments.shared.words.phones import WAY_WORDS
from tournaments.shared.words.rulings import (
    changed_words,
    clock_choice,
)
from tournaments.site.web.trail_check_in_words import CHECK_IN_WORDS
from tournaments.site.web.trail_match_words import MATCH_WORDS, NOBODY, Words, first_of, parts_of, with_pairs
from tournaments.site.web.trail_matrix_words import MATRIX_WORDS
from tournaments.site.web.trail_prize_words import prizes_set, prizes_taken_back
from tournaments.site.web.trail_quiz_words import QUIZ_WORDS
from tournaments.site.web.trail_return_words import RETURN_WORDS
from tournaments.site.web.trail_series_words import SERIES_WORDS

PAIRS: Final = "who plays"  # beside a row's own data, and no name of any field of it


def sentence(action: TrailAction, subject: str) -> str:
    """What was done to ``subject``, in the active language."""
    words = WORDS[type(action)]
    if callable(words) and not isinstance(words, str | Promise):
        return words(action, subject)
    return str(words) % parts_of(action, subject)


def _of_row(kind: str) -> Callable[[Facts], str]:
    """The sentence of a row of this kind, of whichever release; a newer one may have kept more than we can tell."""

    def of_row(facts: Facts) -> str:
        data = {name: value for name, value in facts.items() if name not in {SUBJECT, PAIRS}}
        action = read(kind, data)
        if isinstance(action, Unread):
            return unknown_action(kind)
        try:
            named = with_pairs(action, str(facts[SUBJECT]), facts.get(PAIRS, NOBODY))
            words = sentence(action, str(facts[SUBJECT])) if named is None else named
        except LookupError:  # a code in it that we have no name for
            return unknown_action(kind)
        if is_more(action, data):
            return _("%(sentence)s (Recorded by a newer version, with more details.)") % {"sentence": words}
        return words

    return of_row


def _updated(words: str | Promise) -> Callable[[EventUpdated | EntryUpdated | AnnouncementChanged, str], str]:
    """``words``, and after them what was changed into what."""

    def of_update(action: EventUpdated | EntryUpdated | AnnouncementChanged, _subject: str) -> str:
        changes = differences(action.before, action.after)
        return f"{words} {changes}" if changes else str(words)

    return of_update


def _copied(action: EventCopied, _subject: str) -> str:
    if action.day is None:
        words = _("Event created: %(name)s, from the template %(template)s.")
        return words % {"name": action.name, "template": action.template}
    words = _("Event created: %(name)s, with the settings of %(before)s from %(day)s.")
    text = words % {"name": action.name, "before": action.before, "day": date_format(action.day)}
    return text + (" " + _("Series: %(series)s.") % {"series": action.series} if action.series else "")


def _added(action: EntriesAdded, _subject: str) -> str:
    names = [one.name for one in action.entries]
    return ngettext("Entered: %(names)s.", "Entered: %(names)s.", len(names)) % {"names": first_of(names)}


def _entries_moved(action: EntriesMoved, _subject: str) -> str:
    names = first_of([one.name for one in action.entries])
    return _("Moved to %(division)s: %(names)s.") % {"division": action.division, "names": names}


# The names of the fields of an entry's details.
_DETAILS: Mapping[str, str | Promise] = {
    "extra": gettext_lazy("custom fields"),
    "country": gettext_lazy("Country"),
    "rating": gettext_lazy("Rating"),
    "club": gettext_lazy("Club"),
    "email": gettext_lazy("E-mail address"),
    "phone": gettext_lazy("Phone"),
    "paid": gettext_lazy("Paid"),
    "note": gettext_lazy("Note"),
    **{kind.value: words for kind, words in CONSENTS.items()},
    "hall": gettext_lazy("Name in the hall"),
}


def _detail(name: str, reply: str) -> str:
    words = str(_DETAILS.get(name, name))
    return f"{words}: {SHORT[Reply(reply)]}" if reply in set(Reply) else words


def _details_set(action: EntryDetailsSet, subject: str) -> str:
    fields = ", ".join(_detail(name, action.replies.get(name, "")) for name in action.fields)
    return _("Details of %(subject)s changed: %(fields)s.") % {"subject": subject, "fields": fields}


def _paid(action: EntriesPaid, _subject: str) -> str:
    words = _("Marked as paid: %(names)s.") if action.paid else _("Marked as unpaid: %(names)s.")
    return words % {"names": first_of([one.name for one in action.entries])}


def _approved(action: EntriesApproved, _subject: str) -> str:
    words = (
        _("Confirmed by their own account: %(names)s.") if action.by_account else _("Approved: %(names)s.")
    )
    return words % {"names": first_of([one.name for one in action.entries])}


def _moved_up(action: EntryMovedUp, _subject: str) -> str:
    words = (
        _("Added from the waiting list: %(name)s.")
        if action.by_hand
        else _("Moved up from the waiting list: %(name)s.")
    )
    return words % {"name": action.name}


def _approves(action: RegistrationApproves, _subject: str) -> str:
    if action.everybody:
        return _("Self-registration: new names need approval too.")
    return _("Self-registration: new names are entered immediately.")


def _conduct(action: ConductSet, _subject: str) -> str:
    found = []
    if action.by_arrangement is not None:
        found.append(_("Played by arrangement.") if action.by_arrangement else _("Played at the tables."))
    if action.clocks == "without":
        found.append(_("Played without clocks."))
    elif action.clocks:
        found.append(_("Clocks: %(use)s.") % {"use": clock_choice(action.clocks)})
    found += changed_words(action.moves, action.start, action.score, action.holland)
    if action.overtime is not None:
        found.append(_("Overtime: %(seconds)s seconds.") % {"seconds": action.overtime})
    return " ".join(found) or _("Rules for lateness, slow play, clocks and ratings changed.")


def _session(action: SessionRecorded, subject: str) -> str:
    if action.corrects is not None:
        words = _("Session %(session)s recorded in place of session %(corrects)s.")
    else:
        words = _("Session %(session)s recorded.")
    return words % parts_of(action, subject)


def _seeded(action: SeedsSet, _subject: str) -> str:
    count = len(action.seeds)
    return ngettext("Seed of %(count)s entry changed.", "Seeds of %(count)s entries changed.", count) % {
        "count": count
    }


def _lengths(action: StageUpdated, _subject: str) -> str:
    return _("Format changed; lengths %(lengths)s.") % {"lengths": lengths_words(list(action.lengths))}


def _method(action: DrawMade, _subject: str) -> str:
    methods: dict[str, Any] = dict(Stage.DrawMethod.choices)
    made = _("Draw made (%(method)s, seed %(seed)s).") % {
        "method": methods.get(action.method, action.method),
        "seed": action.seed,
    }
    return _drawn_by(made, action)


def _paired(action: RoundPaired, _subject: str) -> str:
    made = _("Round %(round)s paired (seed %(seed)s).") % {"round": action.round, "seed": action.seed}
    return _drawn_by(made, action)


def _drawn_by(made: str, action: DrawMade | RoundPaired) -> str:
    """And by what it fell, which early rows do not say."""
    return f"{made} {BY[By(action.by)]}." if action.by in set(By) else made


def _kept_apart(action: KeptApart, _subject: str) -> str:
    words = {
        Clubs.NEVER: _("%(first)s and %(second)s must not meet."),
        Clubs.AVOID: _("%(first)s and %(second)s meet only if unavoidable."),
        Clubs.IGNORE: _("%(first)s and %(second)s may meet again."),
    }
    return words[action.wish] % {"first": action.first, "second": action.second}


def _play_off(action: PlayOffStarted, _subject: str) -> str:
    return _("Play-off of %(names)s.") % {"names": ", ".join(action.names)}


def _play_off_recorded(action: PlayOffRecorded, _subject: str) -> str:
    return _("Play-off recorded: %(names)s.") % {"names": ", ".join(action.order)}


def _let_in(action: PhoneLetIn, subject: str) -> str:
    words = _("Phone %(phone)s can report through the link of %(subject)s: %(way)s.")
    way = WAY_WORDS.get(action.way, action.way)
    return words % {"phone": action.phone, "subject": subject, "way": way}


WORDS: Final[Mapping[type[TrailAction], Words]] = {
    **MATCH_WORDS,
    **SERIES_WORDS,
    **CHECK_IN_WORDS,
    **MATRIX_WORDS,
    **RETURN_WORDS,
    **QUIZ_WORDS,
    EventCreated: gettext_lazy("Event created: %(name)s."),
    EventCopied: _copied,
    NameErased: gettext_lazy("A name was removed from %(rows)s rows; their fingerprints remain."),
    TrailBegun: gettext_lazy(
        "From here on the audit log is a chain; %(rows)s earlier rows were sealed as they were."
    ),
    EventUpdated: _updated(gettext_lazy("Event changed.")),
    EventOpened: gettext_lazy("Event opened for entries."),
    EventClosed: gettext_lazy("Event changed back to draft."),
    EventCalledOff: gettext_lazy("Event cancelled."),
    EventRestored: gettext_lazy("Event restored."),
    StageUpdated: _lengths,
    StageAdded: gettext_lazy("Stage added: %(name)s."),
    StageRemoved: gettext_lazy("Stage removed: %(name)s."),
    DivisionAdded: gettext_lazy("Division added: %(name)s."),
    NextDivisionOpened: gettext_lazy("Next division opened: %(name)s."),
    DivisionUpdated: gettext_lazy("Division changed: %(name)s."),
    DivisionMoved: gettext_lazy("Division moved: %(name)s."),
    DivisionRemoved: gettext_lazy("Division removed: %(name)s."),
    RegistrationOpened: gettext_lazy("Self-registration opened."),
    RegistrationClosed: gettext_lazy("Self-registration closed."),
    RegistrationApproves: _approves,
    RegistrationLinkRenewed: gettext_lazy("Registration link renewed."),
    EntriesAdded: _added,
    EntriesMoved: _entries_moved,
    EntriesPaid: _paid,
    EntryDetailsSet: _details_set,
    ContactsForgotten: gettext_lazy(
        "Addresses, phone numbers and notes deleted after the retention period: %(players)s."
    ),
    EntryUpdated: _updated(gettext_lazy("Entry changed.")),
    BoughtBack: gettext_lazy("Re-entered: %(name)s."),
    SeedsSet: _seeded,
    EntryWithdrawn: gettext_lazy("Withdrawn: %(name)s."),
    EntriesApproved: _approved,
    EntryTurnedAway: gettext_lazy("Declined: %(name)s."),
    EntryMovedUp: _moved_up,
    DrawMade: _method,
    DrawDiscarded: gettext_lazy("Draw discarded (seed %(seed)s)."),
    DrawPublished: gettext_lazy("Draw published (seed %(seed)s)."),
    DrawTakenBack: gettext_lazy("Draw unpublished."),
    RoundPaired: _paired,
    PairingDiscarded: gettext_lazy("Pairings discarded (seed %(seed)s)."),
    RoundPublished: gettext_lazy("Round %(round)s published (seed %(seed)s)."),
    RoundTakenBack: gettext_lazy("Round %(round)s unpublished."),
    RestSet: gettext_lazy("%(name)s sits out the next round."),
    RoundsEnded: gettext_lazy("Ended after round %(rounds)s."),
    EntriesSwapped: gettext_lazy("Round %(round)s: %(first)s and %(second)s swapped manually."),
    SwapsUndone: gettext_lazy("Manual changes undone."),
    KeptApart: _kept_apart,
    PlayOffRecorded: _play_off_recorded,
    PlayOffStarted: _play_off,
    PlayOffTakenBack: gettext_lazy("Play-off undone before it began."),
    PlayOffsForgotten: gettext_lazy("Recorded play-offs undone."),
    DeadlinesSet: gettext_lazy("Deadlines changed."),
    ConductSet: _conduct,
    TableClosed: gettext_lazy("Table %(table)s taken out of use."),
    TableOpened: gettext_lazy("Table %(table)s back in use."),
    MovingSet: gettext_lazy("Number of promoted and relegated players changed."),
    SeasonCreated: gettext_lazy("Season %(name)s created after %(before)s."),
    NextSeasonMade: gettext_lazy("Next season created: %(name)s."),
    MoneyUpdated: gettext_lazy("Terms of the points league changed."),
    MoneyOpened: gettext_lazy("Points league started."),
    MoneyTakenBack: gettext_lazy("Start of the points league undone."),
    MoneyFinished: gettext_lazy("Points league ended."),
    MoneyReopened: gettext_lazy("Points league resumed."),
    SessionRecorded: _session,
    SessionStruck: gettext_lazy("Session %(session)s cancelled."),
    SessionRestored: gettext_lazy("Session %(session)s counts again."),
    Announced: gettext_lazy("Announced: “%(text)s”"),
    AnnouncementChanged: _updated(gettext_lazy("Announcement changed.")),
    NoticeWithdrawn: gettext_lazy("Announcement removed: “%(text)s”"),
    NoticeShownAgain: gettext_lazy("Announcement shown again: “%(text)s”"),
    LinkRenewed: gettext_lazy("Personal link of %(subject)s renewed."),
    AllLinksRenewed: gettext_lazy("All personal links renewed."),
    PhoneAsked: gettext_lazy("Phone %(phone)s asked to report through the link of %(subject)s."),
    PhoneLetIn: _let_in,
    PhoneRefused: gettext_lazy("Phone %(phone)s may not report through the link of %(subject)s."),
    PhonesForgotten: gettext_lazy("Phones of the link of %(subject)s cleared."),
    CodesTried: gettext_lazy(
        "Wrong codes at the link of %(subject)s: %(tries)s. The code is no longer valid."
    ),
    PlayersMerged: gettext_lazy("Player %(subject)s merged into another player."),
    MergeUndone: gettext_lazy("Merge of %(subject)s undone."),
    PrizesSet: prizes_set,
    PrizesTakenBack: prizes_taken_back,
}
register({action.kind: _of_row(action.kind) for action in WORDS})
