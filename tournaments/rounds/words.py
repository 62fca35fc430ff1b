"""What this room refuses, in words: pairing rounds, requests, play-offs and last days. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "round.none_paired": _("No round is paired. Pair it first."),
        "round.fixed": _("All rounds of a round robin are drawn at once; publish the next one."),
        "round.none_published": _("No round is under way."),
        "round.none_left": _("All rounds of this event are published."),
        "round.not_over": _("The round is not over yet: matches without a result: %(count)s."),
        "round.changed": _(
            "Entries or results have changed meanwhile, and the pairing with them. Look at it again."
        ),
        "apart.wish_odd": _("Say whether the two may meet."),
        "apart.same_entry": _("Choose two different players."),
        "apart.too_many": _("At most %(limit)s pairs can be kept apart."),
        "swap.not_playing": _("Only those who play in this round, or have its bye, can change places."),
        "swap.already_meet": _("%(first)s and %(second)s already meet in this round."),
        "swap.too_many": _("After %(limit)s changes by hand it is easier to pair again."),
        "swap.none": _("Nothing was changed by hand."),
        "play_off.too_early": _("A play-off can be recorded once the last match of the stage is over."),
        "play_off.twice": _("Somebody stands in two places of the play-off."),
        "play_off.not_tied": _(
            "A play-off is among all who are tied, and nobody else. The table may have changed: look at it again."
        ),
        "play_off.none": _("There is no play-off."),
        "play_off.changed": _("The event was changed meanwhile. Look at the table again."),
        "play_off.with_lives": _(
            "With lives a play-off has no matches here; record the order in which they came out of it."
        ),
        "play_off.next_drawn": _(
            "The stage that follows is drawn already. Throw that draw away, then play it off."
        ),
        "play_off.too_many": _(
            "At most %(limit)s can play it off here. Record the order in which they came out of it."
        ),
        "ruling.odd": _("Say how the match is closed."),
        "deadline.no_day": _("Give a day, for example 2027-01-31."),
        "deadline.over": _("This stage is over, so nothing is due any more."),
        "deadline.odd": _("Round %(round)s: this day is too far from the event."),
        "deadline.before_earlier": _("Round %(round)s would be due before the round that comes before it."),
        "deadline.days_odd": _("Give a number of days between two rounds from 0 to %(limit)s."),
    }
)
