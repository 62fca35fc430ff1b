"""Messages for the error codes of points leagues. Messages for shared codes: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "money.unknown": _("Session not found."),
        "money.action_unknown": _("This action is not available in a points league."),
        "money.entries_few": _("A points league needs at least %(least)s players; it has %(count)s."),
        "money.has_sessions": _("Sessions have been recorded, so the start of the league cannot be undone."),
        "money.no_sessions": _("No sessions have been recorded yet."),
        "money.not_running": _("You can change sessions only while the league is running."),
        "money.session_meanwhile": _(
            "Session %(number)s was recorded in the meantime. If it is a different one, send this session "
            "again."
        ),
        "money.struck": _("Session %(number)s has already been cancelled."),
        "money.not_struck": _("Session %(number)s already counts."),
        "money.too_many_sessions": _("A league can have at most %(limit)s sessions."),
        "money.day_to_come": _("Enter a date that is not in the future."),
        "money.day_outside": _("The league runs from %(first)s to %(last)s. Enter a date in this period."),
        "money.note_long": _("The note is too long. The limit is %(limit)s characters."),
        "money.too_few": _("A session needs at least %(least)s players of the league."),
        "money.points_odd": _("Enter whole points, at most %(limit)s in either direction."),
        "money.sum_over": _("The points add up to %(off)s too many. Wins and losses must balance."),
        "money.sum_under": _("The points add up to %(off)s too few. Wins and losses must balance."),
    }
)
