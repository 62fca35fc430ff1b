"""Messages for errors (faults) of this package: events, divisions, stages and settings.

Others are in `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "event.name_missing": _("Enter a name for the event."),
        "event.name_long": _("The name is too long: %(limit)s characters at most."),
        "event.day_odd": _("Enter a date between the years %(first)s and %(last)s."),
        "event.ends_before_start": _("Choose a last day on or after the first day."),
        "event.too_long": _("An event can last at most %(limit)s days."),
        "event.timezone_unknown": _(
            "Time zone “%(timezone)s” not found. Enter a larger city nearby, or the country."
        ),
        "event.visibility_unknown": _("Choose public or unlisted."),
        "event.tables_odd": _("Enter a number of tables between 1 and %(limit)s."),
        "event.action_unknown": _("“%(action)s” is not a valid action for an event."),
        "division.action_unknown": _(
            "Choose to move a division up or down, to remove it, or to add another one like it."
        ),
        "event.template_unknown": _("“%(value)s” is not a valid event type."),
        "division.none": _("An event needs at least one division."),
        "division.no_stages": _("A division needs at least one stage."),
        "division.name_missing": _("Enter a name for the division, to tell it from the others."),
        "division.name_long": _("The name is too long: %(limit)s characters at most."),
        "division.name_twice": _("A division called “%(name)s” already exists."),
        "division.too_many": _("An event can have at most %(limit)s divisions."),
        "division.team_size_odd": _("An entry can be one player, or a team of two or %(limit)s."),
        "division.full_without_end": _("Enter how many entries it starts with, for example 4 or 8."),
        "division.full_already": _("More entries than that have already been made."),
        "division.full_of_one_bracket": _("Only a single bracket can start automatically."),
        "division.capacity_odd": _(
            "Enter a number of entries between %(least)s and %(limit)s, or leave it empty."
        ),
        "open_lines.fed": _(
            "Late entries and re-entries are not possible in a stage that takes its entries from another one."
        ),
        "division.limit_list_unknown": _("Choose a rating list of this club."),
        "division.reentries_odd": _("Enter a number of re-entries between 0 and %(limit)s."),
        "division.until_odd": _("Check the date and time for late entries."),
        "division.moving_odd": _("Enter a number between 0 and %(limit)s."),
        "division.has_entries": _(
            "The division already has entries, so the number of players per entry cannot be changed."
        ),
        "division.the_only_one": _(
            "An event needs at least one division, so the last one cannot be removed."
        ),
        "division.in_use": _("This division has entries or a draw. You can only remove an empty division."),
        "division.still_open": _(
            "This division still accepts entries. Draw it first, then open the next one."
        ),
        "division.event_over": _("The event is over or cancelled, so its divisions cannot be changed."),
        "stage.name_long": _("The name is too long: %(limit)s characters at most."),
        "stage.too_many": _("A division can have at most %(limit)s stages."),
        "stage.the_only_one": _("A division needs at least one stage, so the last one cannot be removed."),
        "stage.feeds_another": _("Another stage uses players from this one. Change that stage first."),
        "stage.takes_too_many": _("At most %(limit)s entries can advance from another stage."),
        "stage.system_unknown": _("“%(value)s” is not a valid system."),
        "stage.draw_unknown": _("Choose a blind or a seeded draw."),
        "stage.policy_unknown": _("Choose how results are confirmed."),
        "stage.format_unknown": _("“%(value)s” is not a valid match format."),
        "stage.format_without_length": _(
            "“%(value)s” has no match length, so it cannot be used for matches."
        ),
        "stage.option_unknown": _("These options are not available for a match to points: %(options)s."),
        "stage.without_crawford": _("A match to points is played with the Crawford rule (rule %(rule)s)."),
        "registration.too_late": _(
            "Registration can no longer be opened: the draw has been made or the event is over."
        ),
        "conduct.over": _("This event is over, so its rules cannot be changed."),
        "event.hours_odd": _("Play begins and ends at the same time. Choose different times."),
        "event.word_minutes_odd": _("Enter a number of minutes between 0 and %(limit)s."),
        "event.break_odd": _("Enter both times of the break, the second one later on the same day."),
        "event.requires_odd": _("You cannot require players to agree to that."),
        "event.no_such_hour": _(
            "%(time)s does not exist on %(day)s in %(zone)s, because clocks go forward. Choose another "
            "date, or change that time first."
        ),
        "template.unreadable": _(
            "This template was saved by a newer version and cannot be read by this one. Save it again from "
            "an event."
        ),
        "event.weight_odd": _("Enter a multiplier between 0 and %(limit)s, with at most two decimals."),
        "conduct.rated_fixed": _("This stage has results, so you cannot change whether it is rated."),
        "column.until_odd": _("Enter a date and time such as 2026-05-01 18:00, or leave it empty."),
    }
)
