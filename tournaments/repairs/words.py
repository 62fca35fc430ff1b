"""What this room refuses, in words: corrections and other repairs. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "correction.no_result": _("This match has no result that could be corrected."),
        "correction.not_seen": _("Look at what the correction changes before you make it."),
        "correction.changed_meanwhile": _(
            "This match was changed meanwhile. Look at its result before you correct it."
        ),
        "correction.choose_repair": _(
            "Later matches have been played on this result. Say what becomes of them: they fall away, or they stay."
        ),
        "correction.repair_gone": _(
            "This match was changed meanwhile, and the repair that you chose no longer fits. Look at it again."
        ),
        "late_entry.not_now": _("Nobody can be put into this draw now."),
        "late_entry.fed": _(
            "This stage takes no late entries: whoever plays in it comes from an earlier stage."
        ),
        "late_entry.none_free": _(
            "The draw has no free line left. Enter the player in a later stage, or hold lines open before the next draw."
        ),
        "late_entry.was_drawn": _(
            "%(name)s was drawn and withdrew after that. Undo the withdrawal, or let them buy back."
        ),
        "entry.rounds_drawn": _(
            "All rounds are drawn without %(name)s. Enter them in another division, or discard the draw before the first result."
        ),
        "entry.return_too_late": _(
            "Nobody enters this division any more. Enter %(name)s in a later stage or another division."
        ),
        "entry.not_withdrawn_before": _(
            "No withdrawn entry of this division is called %(name)s any more. Load the page again."
        ),
        "late_entry.choose": _("Choose a free line."),
        "late_entry.taken": _("This line is not free any more. Choose another one."),
        "open_lines.none": _("No line of this draw is held open."),
        "entry.not_drawn": _("Nothing is under way for this entry."),
        "length.match_over": _("This match is over. Correct its result together with its length."),
        "length.below_start": _("A side starts with %(length)s points or more, so the match would be over."),
        "length.not_longer": _("The match was to %(length)s points; only a longer one is played on."),
        "entry.same_player": _("%(name)s is the player who is entered here."),
        "repair.unknown": _("There is no such repair in this event."),
        "repair.undone_already": _("This has already been taken back."),
        "repair.not_the_last": _("Something else was repaired after it. Take that back first."),
        "repair.round_since": _(
            "Another round has been published since, so this can no longer be taken back."
        ),
        "repair.built_on": _(
            "Match %(match)s has gone on since, so this can no longer be taken back. Correct what is wrong now instead."
        ),
    }
)
