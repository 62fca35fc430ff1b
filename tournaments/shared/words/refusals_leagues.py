"""Words for league seasons and points leagues of money play."""

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
        "season.match_over": _("Match %(number)s has a result meanwhile. Nothing was changed; look again."),
        "money.unknown": _("There is no such session."),
        "money.action_unknown": _("There is nothing like this to do in a points league."),
        "money.entries_few": _("A points league needs at least %(least)s players; there are %(count)s."),
        "money.has_sessions": _("Sessions have been recorded, so the league cannot be taken back."),
        "money.no_sessions": _("No session has been recorded yet."),
        "money.not_running": _("Sessions can only be changed while the league is running."),
        "money.session_meanwhile": _(
            "Session %(number)s was recorded meanwhile. Is it the same one? If not, send this one again."
        ),
        "money.struck": _("Session %(number)s is struck out already."),
        "money.not_struck": _("Session %(number)s counts already."),
        "money.too_many_sessions": _("A league has at most %(limit)s sessions."),
        "money.doubles_odd": _("From 0 to %(limit)s automatic doubles are possible."),
        "money.min_sessions_odd": _("Give a number of sessions from 1 to %(limit)s."),
        "money.raccoons_without_beavers": _("Raccoons answer a beaver, so they need beavers."),
        "money.day_to_come": _("This day is still to come."),
        "money.day_outside": _("The league lasts from %(first)s to %(last)s. Give a day in between."),
        "money.note_long": _("The note is too long: %(limit)s characters at most."),
        "money.too_few": _("At least %(least)s players of the league sit down to a session."),
        "money.points_odd": _("Give whole points, at most %(limit)s either way."),
        "money.sum_over": _("All points together make %(off)s too many: what one wins another loses."),
        "money.sum_under": _("All points together make %(off)s too few: what one wins another loses."),
    }
)
