"""Messages for commands that were parsed and cannot be done.

For typed texts without a meaning: `shared.words.refusals_desk`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "desk_note.unknown": _("Staff note not found."),
        "desk_note.many": _("There are already %(limit)s open staff notes. Mark some as done first."),
        "desk.already": _("Already reported: %(winner)s %(score)s %(loser)s, by %(who)s at %(time)s."),
        "desk.directors": _("Only directors can do this. Assistants can record results and call matches."),
        "desk.changed": _(
            "Something has changed in the meantime. Check what the command does now and press Enter again."
        ),
        "desk.choose": _("Several commands are possible. Choose one or keep typing."),
        "desk.undo_nothing": _("You have no action to undo here."),
        "desk.undo_not_here": _("This cannot be undone from the command bar: %(what)s"),
        "desk.undo_since": _("Your last action: %(what)s This match has changed since then. Check it first."),
        "desk.undo_choose": _(
            "Later matches depend on this result. Correct it on the match page, where you choose what "
            "happens to them."
        ),
    }
)
