"""Messages for the error codes of this package: calling and tables.

Others are in `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "match.action_unknown": _("“%(action)s” is not a valid match action."),
        "match.no_table_now": _("This match does not need a table now."),
        "match.player_busy": _(
            "%(name)s is still playing match %(number)s. Return that match to the queue first, or wait "
            "until it has finished."
        ),
        "match.player_busy_elsewhere": _("%(name)s is still playing match %(number)s of %(event)s."),
        "call.nothing_ready": _("No match is ready to call."),
        "call.no_table": _("No table is free. Put a table back into use or wait until a match has finished."),
        "call.all_busy": _("Every match that is ready has a player who is still playing another match."),
        "call.another_next": _("The next match has changed. Check, then call again."),
        "call.undone_already": _("These calls have already been undone."),
        "call.moved_on": _("All these matches have started or were called again, so nothing was undone."),
        "table.action_unknown": _("Choose whether to take the table out of use or put it back."),
        "screen.unknown": _("Display not found. Create it on the Displays page."),
        "table.last": _("Keep at least one table in use."),
        "match.table_taken": _("Table %(table)s is in use. Choose another table."),
    }
)
