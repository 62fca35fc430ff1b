"""Messages for the error codes of this package: pairing, requests, play-offs and deadlines.

Others are in `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "round.none_paired": _("No round has been paired. Pair one first."),
        "round.fixed": _("All rounds of a round robin are drawn at once. Publish the next one."),
        "round.none_published": _("No round is under way."),
        "round.none_left": _("All rounds of this event are published."),
        "round.not_over": _("The round is not over yet. Matches without a result: %(count)s."),
        "round.changed": _(
            "Entries or results have changed in the meantime, and the pairing with them. Check it again."
        ),
        "apart.wish_odd": _("Choose whether the two players may meet."),
        "apart.same_entry": _("Choose two different players."),
        "apart.too_many": _("At most %(limit)s pairs can be kept apart."),
        "swap.not_playing": _(
            "Only players of this round, including the player with the bye, can swap places."
        ),
        "swap.already_meet": _("%(first)s and %(second)s already meet in this round."),
        "swap.too_many": _("You have already made %(limit)s manual changes. Pair again instead."),
        "swap.none": _("The pairing has no manual changes."),
        "play_off.too_early": _("You can enter a play-off order once the last match of the stage is over."),
        "play_off.twice": _("A player is in two places of the play-off."),
        "play_off.not_tied": _(
            "A play-off must include all tied players and no others. The standings may have changed: check "
            "them again."
        ),
        "play_off.none": _("This stage has no play-off."),
        "play_off.changed": _("The event has changed in the meantime. Check the standings again."),
        "play_off.with_lives": _(
            "In a stage with lives, a play-off has no matches here. Enter its final order instead."
        ),
        "play_off.next_drawn": _(
            "The next stage has already been drawn. Discard that draw, then start the play-off."
        ),
        "play_off.too_many": _("At most %(limit)s can play a play-off here. Enter its final order instead."),
        "ruling.odd": _("Choose how to close the match."),
        "deadline.no_day": _("Enter a date, for example 2027-01-31."),
        "deadline.over": _("This stage is over, so deadlines no longer apply."),
        "deadline.odd": _("Round %(round)s: choose a date closer to the event."),
        "deadline.before_earlier": _(
            "Round %(round)s would be due before the previous round. Choose a later date."
        ),
        "deadline.days_odd": _("Enter a number of days between rounds from 0 to %(limit)s."),
    }
)
