"""What this room refuses, in words: calling and the tables. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "match.action_unknown": _("There is nothing called “%(action)s” that a match can do."),
        "match.no_table_now": _("This match needs no table now."),
        "match.player_busy": _(
            "%(name)s is still in match %(number)s. Send that match back first, or wait until it is over."
        ),
        "match.player_busy_elsewhere": _("%(name)s is still in match %(number)s of %(event)s."),
        "call.nothing_ready": _("No match is ready: nothing can be called now."),
        "call.no_table": _("No table is free. Put one back into use, or wait until a match is over."),
        "call.all_busy": _("Everybody whose match is ready still plays another one."),
        "call.another_next": _("Another match is next by now. Look again, then call."),
        "call.undone_already": _("These calls were undone already."),
        "call.moved_on": _("All these matches have begun or were called again, so nothing is undone."),
        "table.action_unknown": _("A table can be taken out of use or put back."),
        "screen.unknown": _("There is no such screen. Put it together on the page of the screens."),
        "table.last": _("One table at least has to stay in use."),
        "match.table_taken": _("Table %(table)s is in use. Choose another one."),
    }
)
