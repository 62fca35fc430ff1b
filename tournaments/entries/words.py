"""What this room refuses, in words: lists of entries, teams, seeds, buy-backs, links. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register
from tournaments.engine.new_entry import MARKS

register(
    {
        "registration.closed": _("Registration is closed. Please ask the director."),
        "registration.withdrew": _("You withdrew. Use “Enter again” on this page, or on your own page."),
        "registration.no_division": _("Choose what you want to play."),
        "registration.hall": _(
            "In the hall everybody plays under a name, at least the first name and one letter: your opponents could not find you "
            "otherwise. Without that you cannot take part; ask the director if it worries you."
        ),
        "consent.required": _("This event can only be entered by who agrees to this."),
        "consent.odd": _("Choose yes, no or “ask me each time”."),
        "consent.minor": _("For a minor a guardian answers, with an account of their own, or the desk."),
        "entry.above_limit": _(
            "%(name)s is rated %(rating)s by %(source)s: %(division)s is for %(limit)s at most. A director can enter them with a reason."
        ),
        "entry.below_limit": _(
            "%(name)s is rated %(rating)s by %(source)s: %(division)s is for %(limit)s at least. A director can enter them with a reason."
        ),
        "entry.outside_limit": _(
            "%(name)s is outside of the limit of ratings of %(division)s. A director can approve them with a reason, on the page of the entries."
        ),
        "entry.reason_long": _("The reason is too long: %(limit)s characters at most."),
        "entry.answers_closed": _("This cannot be changed any more. Ask at the desk."),
        "entry.answers_changed": _(
            "The desk, or you on another phone, has changed this meanwhile. Look at it, then change what is still to be changed."
        ),
        "entry.step_unknown": _("There is nothing here to undo. Look at the audit log."),
        "entry.undone_already": _("This was undone already."),
        "entry.all_changed": _(
            "All of this has changed since, so nothing is undone. Change the entries one by one."
        ),
        "entry.nobody_expected": _(
            "Nobody waits for approval any more: all of them are approved or have left."
        ),
        "entry.doubtful": _("Who is %(name)s? Decide it under Pending approval on the page Entries."),
        "entry.all_doubtful": _(
            "Each of these names needs a decision of its own: it is entered already, or several players have it."
        ),
        "entry.not_in": _("%(name)s has no place yet: approve or let them in first."),
        "entry.not_expected": _("%(name)s is approved already, or has left."),
        "entry.withdrew": _("%(name)s withdrew from this division. Reinstate the entry under Withdrawn."),
        "entry.none": _("Name at least one player."),
        "entry.team_size": _("An entry in this division has %(size)s players: name all of them."),
        "entry.team_name_long": _("The team's name is too long: %(limit)s characters at most."),
        **{f"entry.{name}_long": _("The mark is too long: %(limit)s characters at most.") for name in MARKS},
        "entry.bought_back": _("%(name)s has bought back, so this entry stays as it is."),
        "entry.cut_off": _(
            "Entries closed on %(until)s. To let somebody in, change the division's last day of entries."
        ),
        "buy_back.not_running": _("Players can buy back while the event is running."),
        "buy_back.not_offered": _("There are no buy-backs in this division."),
        "buy_back.still_in": _(
            "%(name)s is still in and cannot buy back now. Whoever plays on in the consolation must be withdrawn from it first."
        ),
        "buy_back.done": _("%(name)s has bought back already."),
        "buy_back.used_up": _("%(name)s has used up all buy-backs: %(limit)s for each player."),
        "buy_back.too_far": _(
            "%(name)s has played more than %(limit)s matches; whoever is out later does not buy back here."
        ),
        "entry.name_twice": _(
            "Line %(line)s: %(name)s is on the list twice. If these are two people, tell them apart."
        ),
        "entry.action_unknown": _("Entries can be withdrawn, moved or printed."),
        "entry.other_size": _("%(name)s has another number of players than %(division)s asks for."),
        "entry.kept_apart": _("%(name)s is kept apart from somebody here. Take that back first."),
        "entry.email_odd": _("“%(email)s” is no e-mail address."),
        "entry.detail_long": _("This is too long: %(limit)s characters at most."),
        "entry.details_changed": _(
            "Somebody else has changed these details meanwhile. Look at them, then change what is still to be changed."
        ),
        "entry.rating_odd": _("A rating is a number from 0 to 9999."),
        "entry.meanwhile": _(
            "Meanwhile somebody else came in: %(names)s. Look whether they are on your list, too, then enter it."
        ),
        "entry.drawn": _("The draw is made. Throw it away first, then change the entries."),
        "entry.too_late": _("The draw is published: entries cannot change any more."),
        "seed.odd": _("A seed is a number from 1 to %(limit)s."),
        "seed.twice": _("Seed %(seed)s is given twice."),
        "phone.in_already": _("Phone %(number)s may speak already."),
        "phone.unknown": _("There is no such phone at this link any more."),
        "phone.none": _("No phone has spoken by the link of %(name)s."),
        "link.action_unknown": _("Choose one entry, or all of them."),
        "registration.action_unknown": _("Registration can be opened, closed or given a new link."),
        "player.same_division": _(
            "%(name)s and the duplicate took part in the same division, so they are two people."
        ),
        "player.two_accounts": _("Both players have an account of their own, so they cannot be merged."),
        "merge.nobody_to_ask": _("%(name)s has no other home club: merge without asking."),
        "merge.asked_already": _("The home club was asked about %(name)s already and has not answered yet."),
        "merge.request_unknown": _("Nobody asks for this merge."),
        "merge.answered": _("This request is answered already."),
        "merge.changed": _(
            "Another club is the home of %(name)s or of the duplicate by now. Nothing was merged."
        ),
        "player.merge_undone": _("This merge has already been taken back."),
    }
)
