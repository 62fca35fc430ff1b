"""What this room refuses, in words: the seasons of a league, times and messages of two sides. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "season.no_league": _("Only a league has seasons: every division one round robin without groups."),
        "season.not_over": _("This season is not over. Give every match a result first."),
        "season.there_already": _("The next season has been made already."),
        "season.changed": _("Something changed meanwhile. Look at the new divisions again."),
        "season.undecided": _("Say who stands higher where a place is shared over a border."),
        "season.borders": _("Say for each of the %(count)s borders how many go up and down."),
        "season.moving_odd": _("From 0 to %(limit)s can go up and down."),
        "season.newcomer_twice": _("“%(name)s” stands among the new players twice."),
        "season.newcomer_unclear": _(
            "The club knows several players called “%(name)s”. Leave the name out and add the right one to the new season."
        ),
        "season.newcomer_plays": _("“%(name)s” already plays in the league."),
        "season.newcomers_many": _("A round robin has room for %(limit)s entries; give fewer new players."),
        "season.too_many": _(
            "%(division)s would have %(count)s entries; a round robin has room for %(limit)s. Give fewer new players."
        ),
        "season.newcomers_teams": _(
            "Teams cannot be added here. Add them to the new season when it is made."
        ),
        "season.twice_in_division": _(
            "%(name)s would stand in %(division)s twice. Let one of the two leave."
        ),
        "season.nothing_ruled": _("Choose a result for at least one match."),
        "season.too_many_ruled": _("At most %(limit)s matches can be given a result at once."),
        "times.often": _("You have offered times %(limit)s times today. Write a message, or go on tomorrow."),
        "times.changed": _("Something was said of times meanwhile. Look at it, then answer again."),
        "times.none_offered": _("This time is not offered any more."),
        "times.none_agreed": _("No time is agreed on."),
        "times.at_tables": _("This match is played at the tables: the director says when."),
        "times.match_over": _("Times for this match cannot be agreed on now: it is over, or not open."),
        "message.often": _("You have written %(limit)s messages in this match today. Go on tomorrow."),
        "message.closed": _("A director has closed this conversation. Times can still be agreed on."),
        "message.match_over": _("You can write to each other until the match has a result."),
        "message.none": _("Nothing was written that a director could read."),
        "message.not_reported": _("Nobody has reported this conversation."),
        "season.match_over": _("Match %(number)s has a result meanwhile. Nothing was changed; look again."),
    }
)
