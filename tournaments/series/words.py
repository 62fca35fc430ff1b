"""Messages for errors of this package: duplicates, templates and series.

Others are in `shared.words.refusals`.
"""

from django.utils.translation import gettext_lazy as _

from people.messages import register_messages

register_messages(
    {
        "again.past": _("%(day)s is in the past. Choose today or a later date."),
        "again.there_already": _(
            "“%(name)s” already exists on %(day)s. Choose another date or another name."
        ),
        "series.no_days": _("Choose at least one date."),
        "series.days_of_nothing": _("Choose the event for these dates."),
        "series.many_days": _("%(count)s dates are too many. Choose at most %(limit)s at once."),
        "series.day_twice": _("%(day)s is listed twice."),
        "series.name_missing": _("Enter a name for the series."),
        "series.name_long": _("The name is too long: %(limit)s characters at most."),
        "series.name_taken": _("A series called “%(name)s” already exists."),
        "series.too_many": _("A club can have at most %(limit)s series."),
        "template.name_missing": _("Enter a name for the template."),
        "template.name_long": _("The name is too long: %(limit)s characters at most."),
        "template.name_taken": _("A template called “%(name)s” already exists."),
        "template.sentence_long": _("The sentence is too long: use at most %(limit)s characters."),
        "template.too_many": _("A club can have at most %(limit)s templates."),
    }
)
