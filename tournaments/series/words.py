"""What this room refuses, in words: copies of events, templates of clubs, series. What other rooms refuse, too: `shared.words.refusals`."""

from django.utils.translation import gettext_lazy as _

from people.messages import register

register(
    {
        "again.past": _("%(day)s is over. Choose today or a later day."),
        "again.there_already": _(
            "There is a “%(name)s” on %(day)s already. Choose another day, or another name."
        ),
        "series.no_days": _("Choose at least one day."),
        "series.days_of_nothing": _("Name the event that is to be held on these days."),
        "series.many_days": _("%(count)s days at once are too many: %(limit)s at most."),
        "series.day_twice": _("%(day)s stands there twice."),
        "series.name_missing": _("Give the series a name."),
        "series.name_long": _("The name is too long: %(limit)s characters at most."),
        "series.name_taken": _("There is a series called “%(name)s” already."),
        "series.too_many": _("A club has room for %(limit)s series."),
        "template.name_missing": _("Give the template a name."),
        "template.name_long": _("The name is too long: %(limit)s characters at most."),
        "template.name_taken": _("There is a template called “%(name)s” already."),
        "template.sentence_long": _("The sentence is too long: %(limit)s characters at most."),
        "template.too_many": _("A club has room for %(limit)s templates."),
    }
)
