"""Messages for rejected corrections and other repairs. Messages of other areas: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "correction.no_result": _("This match has no result to correct."),
        "correction.not_seen": _("Review what the correction changes before you make it."),
        "correction.changed_meanwhile": _(
            "This match has changed in the meantime. Check its result before you correct it."
        ),
        "correction.choose_repair": _(
            "Later matches have been played on the basis of this result. Choose whether to cancel or keep "
            "them."
        ),
        "correction.repair_gone": _(
            "This match has changed in the meantime, and the chosen repair no longer fits. Check it again."
        ),
        "late_entry.not_now": _("No entries can be added to this draw now."),
        "late_entry.fed": _(
            "This stage does not accept late entries: its players come from an earlier stage."
        ),
        "late_entry.none_free": _(
            "This draw has no free line left. Enter the player in a later stage, or reserve lines before "
            "the next draw."
        ),
        "late_entry.was_drawn": _(
            "%(name)s was drawn and withdrew after that. Undo the withdrawal, or use a re-entry."
        ),
        "entry.rounds_drawn": _(
            "All rounds have been drawn without %(name)s. Enter the player in another division, or discard "
            "the draw before the first result."
        ),
        "entry.return_too_late": _(
            "Players can no longer enter this division. Enter %(name)s in a later stage or another division."
        ),
        "entry.not_withdrawn_before": _(
            "%(name)s no longer has a withdrawn entry in this division. Reload the page."
        ),
        "late_entry.choose": _("Choose a free line."),
        "late_entry.taken": _("This line is no longer free. Choose another one."),
        "open_lines.none": _("This draw has no lines reserved for late entries."),
        "entry.not_drawn": _("This entry has nothing under way."),
        "length.match_over": _("This match is over. Correct its result together with its length."),
        "length.below_start": _(
            "A side starts with %(length)s points or more, so the match would already be over."
        ),
        "length.not_longer": _(
            "The match was to %(length)s points. It can only continue to a greater length."
        ),
        "entry.same_player": _("%(name)s is already the player entered here."),
        "repair.unknown": _("This repair was not found in this event."),
        "repair.undone_already": _("This has already been undone."),
        "repair.not_the_last": _("Another repair was made after it. Undo that one first."),
        "repair.round_since": _("Another round has been published since, so this can no longer be undone."),
        "repair.built_on": _(
            "Match %(match)s has continued since, so this can no longer be undone. Correct what is wrong "
            "now instead."
        ),
    }
)
