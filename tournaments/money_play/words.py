"""What this room refuses, in words: points leagues. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "money.unknown": _("There is no such session."),
        "money.action_unknown": _("There is nothing like this to do in a points league."),
        "money.entries_few": _("A points league needs at least %(least)s players; there are %(count)s."),
        "money.has_sessions": _("Sessions have been recorded, so the league cannot be taken back."),
        "money.no_sessions": _("No session has been recorded yet."),
        "money.not_running": _("Sessions can only be changed while the league is running."),
        "money.session_meanwhile": _(
            "Session %(number)s was recorded meanwhile. Is it the same one? If not, send this one again."
        ),
        "money.struck": _("Session %(number)s is struck out already."),
        "money.not_struck": _("Session %(number)s counts already."),
        "money.too_many_sessions": _("A league has at most %(limit)s sessions."),
        "money.day_to_come": _("This day is still to come."),
        "money.day_outside": _("The league lasts from %(first)s to %(last)s. Give a day in between."),
        "money.note_long": _("The note is too long: %(limit)s characters at most."),
        "money.too_few": _("At least %(least)s players of the league sit down to a session."),
        "money.points_odd": _("Give whole points, at most %(limit)s either way."),
        "money.sum_over": _("All points together make %(off)s too many: what one wins another loses."),
        "money.sum_under": _("All points together make %(off)s too few: what one wins another loses."),
    }
)
