"""Words for what a director rules about a match without ending it: points without a game, adjournments, a stage's conduct."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "match.no_ruling_now": _("Nothing can be ruled on this match now. Look at how it stands."),
        "match.changed_meanwhile": _(
            "This match was changed meanwhile. Look at how it stands, then try again."
        ),
        "award.by_schedule": _("Points for lateness follow from the schedule: say how late the player came."),
        "award.unknown": _("These points were taken back already."),
        "award.points_odd": _("Give at least one point."),
        "award.ends_match": _(
            "That makes %(length)s points or more and would end the match. Record its result instead."
        ),
        "award.note_long": _("The reason is too long: %(limit)s characters at most."),
        "award.reason_missing": _("Say what the penalty is for."),
        "award.minutes_odd": _("Give the minutes as a number from 0 to %(limit)s."),
        "award.match_lost": _("After %(minutes)s minutes this match is lost. Record that as its result."),
        "clocks.no_rule": _("Give the times of the clock in seconds, from 0 to %(limit)s."),
        "conduct.over": _("This event is over, so its rules stay."),
        "event.weight_odd": _("A weight is a number from 0 to %(limit)s, with two decimals at most."),
        "event.weight_fixed": _(
            "There are results already, so the weight stays as it is: they stand in the ratings’ ledger with it, "
            "and nothing in there is ever changed."
        ),
        "division.weight_fixed": _(
            "There are results already, and this would change what they count for master points: "
            "the first and the second division stay where they are."
        ),
        "conduct.rated_fixed": _("There are results already, so this stage stays rated or unrated as it is."),
        "adjourned.cube_odd": _("The cube shows 1 (in the middle), 2, 4, 8 and so on."),
        "adjourned.cube_owner": _("A cube that was turned belongs to somebody, one at 1 to nobody."),
        "adjourned.position_odd": _(
            "This is not a position. Copy the position ID or the XGID from your board program, or leave it empty."
        ),
        "adjourned.game_over": _(
            "In this position the game is over. Write down the score and leave it empty."
        ),
        "adjourned.on_roll_missing": _("Say whose turn it is: a position and dice need that."),
        "adjourned.dice_odd": _("Dice show 1 to 6."),
        "adjourned.clock_odd": _("A clock shows from 0 to %(limit)s minutes."),
        "adjourned.in_the_past": _("This day is over. Give today or a later one, or leave it empty."),
        "adjourned.day_missing": _("Give the day as well as the time."),
        "adjourned.text_long": _("This is too long: %(limit)s characters at most."),
    }
)
