"""What this room refuses, in words: a line that was understood and cannot be done. What means nothing: `shared.words.refusals_desk`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "desk_note.unknown": _("There is no such note."),
        "desk_note.many": _("There are %(limit)s notes that nobody has seen to. Settle some first."),
        "desk.already": _("Already reported: %(winner)s %(score)s %(loser)s, by %(who)s at %(time)s."),
        "desk.directors": _("Only directors do this. Assistants record results and call matches."),
        "desk.changed": _(
            "Something has changed meanwhile. This is what the line means now: look, and press Enter again."
        ),
        "desk.choose": _("Several can be meant. Choose one, or type more."),
        "desk.undo_nothing": _("You have done nothing here that could be taken back."),
        "desk.undo_not_here": _("This cannot be taken back from the line: %(what)s"),
        "desk.undo_since": _(
            "Your last action: %(what)s Something was done about that match afterwards. Look at it first."
        ),
        "desk.undo_choose": _(
            "Later matches were played on this result. Correct it on its page, where you choose what becomes of them."
        ),
    }
)
