"""Messages for errors of check-in."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "check_in.day_odd": _("Choose a date during the event, from %(first)s to %(last)s."),
        "check_in.closes_before": _("Enter a closing time after the opening time."),
        "check_in.times_odd": _(
            "Enter a date and times such as 09:30. Leave the closing time empty to keep check-in open."
        ),
        "check_in.action_unknown": _("This action is not valid."),
        "check_in.unknown": _("Check-in is not set up for this date."),
        "check_in.none": _(
            "Check-in is not set up for %(division)s. A director can open it on the Check-in page."
        ),
        "check_in.no_code": _(
            "This is not a player’s code. Scan the code of the player’s personal link. If that does not "
            "work, set the scanner to your keyboard language or tick the name."
        ),
        "check_in.one_way": _("Send entries or a code, not both."),
        "check_in.other_event": _("This code belongs to another event."),
        "check_in.left": _("%(name)s has withdrawn. Reinstate them on the entry’s page first."),
        "check_in.mark_unknown": _("Nothing to undo."),
        "check_in.back_already": _("This has already been undone."),
        "check_in.changed_since": _("This no longer applies, so it cannot be undone."),
        "check_in.not_yet": _("Check-in is not open yet."),
        "check_in.closed": _("Check-in is closed. Please go to the desk."),
        "check_in.code_lacking": _("Enter the code shown on the screen in the hall."),
        "check_in.code_wrong": _(
            "The hall code is not correct. Enter the code shown on the screen in the hall."
        ),
        "check_in.too_often": _("Too many attempts. Wait ten minutes or go to the desk."),
        "check_in.not_asked": _("This draw no longer requires check-in."),
        "check_in.too_few_here": _("Too few players are checked in for a draw. Check players in first."),
        "check_in.by_hand": _(
            "A round robin is under way. Withdraw absent players one at a time, so that you can decide what "
            "happens to their results."
        ),
    }
)
