"""What this room refuses, in words: check-in."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "check_in.day_odd": _("A check-in is on a day of the event: from %(first)s to %(last)s."),
        "check_in.closes_before": _("Check-in has to open before it closes."),
        "check_in.times_odd": _(
            "Write a day, and times like 09:30. Without a second time check-in stays open."
        ),
        "check_in.action_unknown": _("There is no such action."),
        "check_in.unknown": _("There is no check-in on this day."),
        "check_in.none": _("%(division)s has no check-in. A director opens one on the page Check-in."),
        "check_in.no_code": _(
            "That is no player’s code. Scan the code of their personal link; if that does not help, set the scanner to the language of "
            "the keyboard, or tick the name."
        ),
        "check_in.one_way": _("Name entries or send a code, not both."),
        "check_in.other_event": _("That code belongs to another event."),
        "check_in.left": _("%(name)s has withdrawn. Let them come back on their entry’s page first."),
        "check_in.mark_unknown": _("There is nothing like that to take back."),
        "check_in.back_already": _("That was taken back already."),
        "check_in.changed_since": _("Nothing of it stands any more, so there is nothing to take back."),
        "check_in.not_yet": _("Check-in is not open yet."),
        "check_in.closed": _("Check-in is closed. Please go to the desk."),
        "check_in.code_lacking": _("Type the code that the screen in the hall shows."),
        "check_in.code_wrong": _("That is not the code of the hall. It stands on the screen in the hall."),
        "check_in.too_often": _("Too many codes were tried. Wait ten minutes, or go to the desk."),
        "check_in.not_asked": _("No check-in is asked for this draw any more."),
        "check_in.too_few_here": _("Without them there is nobody to draw: mark first who is here."),
        "check_in.by_hand": _(
            "A round robin is under way. Withdraw those who do not come one by one: you decide what becomes of their results."
        ),
    }
)
