"""Messages for errors (faults) of this package: entries, teams, seeds, re-entries, links.

Others are in `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages
from tournaments.engine.new_entry import MARK_LIMITS

register_messages(
    {
        "registration.closed": _("Registration is closed. Ask the director."),
        "registration.withdrew": _("You have withdrawn. Use “Enter again” on this page or on your own page."),
        "registration.no_division": _("Choose what you want to play."),
        "registration.hall": _(
            "In the hall, all players appear with at least their first name and initial, so that opponents "
            "can find them. You need to agree to this to take part. If it worries you, ask the director."
        ),
        "consent.required": _("You must agree to this to enter this event."),
        "consent.odd": _("Choose yes, no or “ask me each time”."),
        "consent.minor": _("For a minor, a guardian answers, with their own account or at the desk."),
        "entry.above_limit": _(
            "%(name)s has a rating of %(rating)s from %(source)s. The highest rating allowed in "
            "%(division)s is %(limit)s. A director can enter them with a reason."
        ),
        "entry.below_limit": _(
            "%(name)s has a rating of %(rating)s from %(source)s. The lowest rating allowed in %(division)s "
            "is %(limit)s. A director can enter them with a reason."
        ),
        "entry.outside_limit": _(
            "%(name)s is outside the rating limit of %(division)s. A director can approve the entry with a "
            "reason, under Entries."
        ),
        "entry.reason_long": _("The reason is too long: %(limit)s characters at most."),
        "entry.answers_closed": _("This can no longer be changed. Ask at the desk."),
        "entry.answers_changed": _(
            "This has since been changed by the desk, or by you on another phone. Check it, then make the "
            "changes you still need."
        ),
        "entry.step_unknown": _("Nothing to undo here. Check the audit log."),
        "entry.undone_already": _("This has already been undone."),
        "entry.all_changed": _(
            "All of these entries have changed since, so nothing was undone. Change them one by one."
        ),
        "entry.nobody_expected": _(
            "No entries are pending approval any more: all have been approved or have left."
        ),
        "entry.doubtful": _("Decide who %(name)s is under “Pending approval” on the Entries page."),
        "entry.all_doubtful": _(
            "Decide on each of these names separately: the name is already entered, or several players have "
            "it."
        ),
        "entry.not_in": _("%(name)s has no place yet: approve or add the entry first."),
        "entry.not_expected": _("%(name)s has already been approved, or has left."),
        "entry.withdrew": _("%(name)s withdrew from this division. Reinstate the entry under “Withdrawn”."),
        "entry.none": _("Enter at least one player."),
        "entry.team_size": _("An entry in this division has %(size)s players: enter all of them."),
        "entry.team_name_long": _("The team name is too long: use at most %(limit)s characters."),
        **{
            f"entry.{name}_long": _(
                "The name of the travel group is too long: use at most %(limit)s characters."
            )
            for name in MARK_LIMITS
        },
        "entry.bought_back": _("%(name)s has re-entered, so this entry cannot be changed."),
        "entry.cut_off": _(
            "Entries closed on %(until)s. To add an entry, change “Late entries until” in the division."
        ),
        "buy_back.not_running": _("Players can re-enter while the event is running."),
        "buy_back.not_offered": _("This division does not allow re-entries."),
        "buy_back.still_in": _(
            "%(name)s is still in and cannot re-enter now. Withdraw a player who plays on in the "
            "consolation from it first."
        ),
        "buy_back.done": _("%(name)s has already re-entered."),
        "buy_back.used_up": _("%(name)s has used all re-entries: %(limit)s per player."),
        "buy_back.too_far": _(
            "%(name)s has played more than %(limit)s matches. Players who are knocked out later cannot "
            "re-enter here."
        ),
        "entry.name_twice": _(
            "Line %(line)s: %(name)s is on the list twice. If these are two people, make their names "
            "different."
        ),
        "entry.action_unknown": _("Choose whether to withdraw, move or print the entries."),
        "entry.other_size": _("%(name)s does not have the number of players that %(division)s requires."),
        "entry.kept_apart": _("%(name)s is kept apart from another player here. Undo that first."),
        "entry.email_odd": _("“%(email)s” is not a valid e-mail address."),
        "entry.detail_long": _("This is too long: use at most %(limit)s characters."),
        "entry.details_changed": _(
            "Another person has since changed these details. Check them, then make the changes you still "
            "need."
        ),
        "entry.rating_odd": _("Enter a rating between 0 and 9999."),
        "entry.meanwhile": _(
            "New entries were added in the meantime: %(names)s. Check whether they are also on your list, "
            "then import it."
        ),
        "entry.drawn": _("The draw has been made. Discard it to change the entries."),
        "entry.too_late": _("The draw is published: entries can no longer be changed."),
        "seed.odd": _("Enter a seed between 1 and %(limit)s."),
        "seed.twice": _("Seed %(seed)s is used twice."),
        "phone.in_already": _("Phone %(number)s can already report."),
        "phone.unknown": _("This phone is no longer connected to this link."),
        "phone.none": _("No phone has reported with the link of %(name)s."),
        "link.action_unknown": _("Choose one entry, or all of them."),
        "registration.action_unknown": _("Registration can be opened, closed or given a new link."),
        "player.same_division": _(
            "%(name)s and the duplicate took part in the same division, so they are two people."
        ),
        "player.two_accounts": _("Both players have their own account, so they cannot be merged."),
        "merge.nobody_to_ask": _("%(name)s has no other home club: merge without a request."),
        "merge.asked_already": _(
            "The home club has already been asked about %(name)s and has not answered yet."
        ),
        "merge.request_unknown": _("This merge has not been requested."),
        "merge.answered": _("This request has already been answered."),
        "merge.changed": _(
            "The home club of %(name)s or of the duplicate has changed in the meantime. Nothing was merged."
        ),
        "player.merge_undone": _("This merge has already been undone."),
    }
)
