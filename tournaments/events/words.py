"""What this room refuses, in words: events, divisions, stages and their settings. What other rooms and the floors below refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "event.name_missing": _("Give the event a name."),
        "event.name_long": _("The name is too long: %(limit)s characters at most."),
        "event.day_odd": _("Give a day between the years %(first)s and %(last)s."),
        "event.ends_before_start": _("The last day is before the first day."),
        "event.too_long": _("An event can last %(limit)s days at most."),
        "event.timezone_unknown": _(
            "No time zone is known as “%(timezone)s”. Type a larger city nearby, or the country."
        ),
        "event.visibility_unknown": _("Choose public or unlisted."),
        "event.tables_odd": _("Give a number of tables from 1 to %(limit)s."),
        "event.action_unknown": _("There is nothing called “%(action)s” that an event can do."),
        "division.action_unknown": _(
            "A division can go up, go down, be taken away or be followed by another one like it."
        ),
        "event.template_unknown": _("There is no kind of event called “%(value)s”."),
        "division.none": _("An event needs at least one division."),
        "division.no_stages": _("A division needs at least one stage."),
        "division.name_missing": _("Give the division a name, so that people can tell it from the others."),
        "division.name_long": _("The name is too long: %(limit)s characters at most."),
        "division.name_twice": _("There is a division called “%(name)s” already."),
        "division.too_many": _("An event has room for %(limit)s divisions."),
        "division.team_size_odd": _("An entry is one player, or a team of two or %(limit)s."),
        "division.full_without_end": _("Say how many entries it starts with: 4 or 8, for example."),
        "division.full_already": _("More than that are entered already."),
        "division.full_of_one_bracket": _("Only a single bracket can start by itself."),
        "division.capacity_odd": _("Give room for %(least)s to %(limit)s entries, or leave it empty."),
        "open_lines.fed": _(
            "Nobody comes late, or buys back, into a stage that takes its entries from another one."
        ),
        "division.limit_list_unknown": _("The club has no such rating list."),
        "division.reentries_odd": _("Give a number of buy-backs from 0 to %(limit)s."),
        "division.until_odd": _("Check the day and the time of the last late entries."),
        "division.moving_odd": _("Give a number from 0 to %(limit)s."),
        "division.has_entries": _("Somebody is entered already, so the number of players in a team stays."),
        "division.the_only_one": _("An event has at least one division, so the last one stays."),
        "division.in_use": _(
            "This division has entries or a draw, so it stays. Only an empty one can be taken away."
        ),
        "division.still_open": _("This one still takes entries. Draw it first, then open the next one."),
        "division.event_over": _("The event is over or called off, so its divisions stay as they are."),
        "stage.name_long": _("The name is too long: %(limit)s characters at most."),
        "stage.too_many": _("A division has room for %(limit)s stages."),
        "stage.the_only_one": _("A division has at least one stage, so the last one stays."),
        "stage.feeds_another": _("Another stage takes players from this one. Change that one first."),
        "stage.takes_too_many": _("At most %(limit)s can go on from another stage."),
        "stage.system_unknown": _("There is no system called “%(value)s”."),
        "stage.draw_unknown": _("Choose a blind or a seeded draw."),
        "stage.policy_unknown": _("Choose who settles a result."),
        "stage.format_unknown": _("There is no match format called “%(value)s”."),
        "stage.format_without_length": _("“%(value)s” has no length, so no match can be played by it."),
        "stage.option_unknown": _("A match to points has no such option: %(options)s."),
        "stage.without_crawford": _("A match to points is played with the Crawford rule (rule %(rule)s)."),
        "registration.too_late": _(
            "Registration cannot be opened any more: the draw is made or the event is over."
        ),
        "conduct.over": _("This event is over, so its rules stay."),
        "event.hours_odd": _("Play begins and ends at the same time: nothing could be played."),
        "event.word_minutes_odd": _("Between 0 and %(limit)s minutes, please."),
        "event.break_odd": _("A break needs both times, the second one later on the same day."),
        "event.requires_odd": _("Nobody can be asked to agree to that."),
        "event.no_such_hour": _(
            "On %(day)s there is no %(time)s in %(zone)s: clocks are put forward. Choose another day, or change that time first."
        ),
        "template.unreadable": _(
            "This template was saved by a newer release, and this one does not understand it. Save it anew from an event."
        ),
        "event.weight_odd": _("A weight is a number from 0 to %(limit)s, with two decimals at most."),
        "conduct.rated_fixed": _("There are results already, so this stage stays rated or unrated as it is."),
        "column.until_odd": _("Give a day and a time, as 2026-05-01 18:00, or leave it empty."),
    }
)
