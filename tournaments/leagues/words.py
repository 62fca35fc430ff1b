"""Messages for rejected actions: seasons, and times and messages of a match.

Messages of other areas: `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "season.no_league": _(
            "Only a league has seasons: each of its divisions is one round robin without groups."
        ),
        "season.not_over": _("This season is not over. Enter a result for every match first."),
        "season.there_already": _("The next season has already been created."),
        "season.changed": _("Something has changed in the meantime. Check the new divisions again."),
        "season.undecided": _(
            "Choose who ranks higher where a shared place decides promotion or relegation."
        ),
        "season.borders": _("Enter how many go up and down for each of the %(count)s division boundaries."),
        "season.moving_odd": _("Enter a number between 0 and %(limit)s for promotion and relegation."),
        "season.newcomer_twice": _("“%(name)s” is listed twice among the new players."),
        "season.newcomer_unclear": _(
            "The club has several players called “%(name)s”. Leave the name out and add the right player to "
            "the new season."
        ),
        "season.newcomer_plays": _("“%(name)s” already plays in the league."),
        "season.newcomers_many": _(
            "A round robin can have at most %(limit)s entries: enter fewer new players."
        ),
        "season.too_many": _(
            "%(division)s would have %(count)s entries, but a round robin can have at most %(limit)s. Enter "
            "fewer new players."
        ),
        "season.newcomers_teams": _(
            "Teams cannot be added here. Add them to the new season after you create it."
        ),
        "season.twice_in_division": _(
            "%(name)s would be in %(division)s twice. Mark one of the two as leaving."
        ),
        "season.nothing_ruled": _("Choose a result for at least one match."),
        "season.too_many_ruled": _("You can enter results for at most %(limit)s matches at a time."),
        "times.often": _(
            "You have offered times %(limit)s times today. Write a message, or offer more times tomorrow."
        ),
        "times.changed": _("The offered times have changed in the meantime. Check them, then answer again."),
        "times.none_offered": _("This time is no longer offered."),
        "times.none_agreed": _("No time agreed."),
        "times.at_tables": _("This match is played at the tables: the director decides when."),
        "times.match_over": _("You cannot agree on times for this match now: it is over or not open."),
        "message.often": _(
            "You have written %(limit)s messages in this match today. You can continue tomorrow."
        ),
        "message.closed": _("A director has closed this conversation. You can still agree on times."),
        "message.match_over": _("You can write to each other until the match has a result."),
        "message.none": _("This conversation has no messages for a director to read."),
        "message.not_reported": _("This conversation has not been reported."),
        "season.match_over": _(
            "Match %(number)s now has a result. Nothing was changed: check the matches again."
        ),
    }
)
