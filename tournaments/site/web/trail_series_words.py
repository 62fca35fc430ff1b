"""Sentences for audit actions about series and templates."""

from collections.abc import Mapping
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from people.web.trail import describe_differences
from tournaments.engine.trail.action import AuditAction
from tournaments.engine.trail.series import (
    SeriesChanged,
    SeriesCreated,
    SeriesDatesCreated,
    SeriesSet,
    TemplateChanged,
    TemplateSaved,
)
from tournaments.site.web.trail_match_words import ActionMessage


def _describe_set(action: SeriesSet, _subject: str) -> str:
    if not action.series:
        return _("Removed from the series %(before)s.") % {"before": action.before}
    return _("Part of the series %(series)s.") % {"series": action.series}


def _describe_dates(action: SeriesDatesCreated, _subject: str) -> str:
    text = ngettext(
        "Series %(name)s: %(days)s date created, %(first)s.",
        "Series %(name)s: %(days)s dates created, %(first)s to %(last)s.",
        action.days,
    )
    return text % {
        "name": action.name,
        "days": action.days,
        "first": date_format(action.first),
        "last": date_format(action.last),
    }


def _describe_changed(action: SeriesChanged, _subject: str) -> str:
    return f"{_('Series %(name)s changed.') % {'name': action.name}} {describe_differences(action.before, action.after)}"


def _describe_template_saved(action: TemplateSaved, _subject: str) -> str:
    text = (
        _("Template %(name)s updated from %(of)s.")
        if action.again
        else _("Template %(name)s created from %(of)s.")
    )
    return text % {"name": action.name, "of": action.of}


def _describe_template_changed(action: TemplateChanged, _subject: str) -> str:
    text = _("Template %(name)s changed.") % {"name": action.name}
    return f"{text} {describe_differences(action.before, action.after)}".strip()


SERIES_MESSAGES: Final[Mapping[type[AuditAction], ActionMessage]] = {
    SeriesSet: _describe_set,
    SeriesCreated: gettext_lazy("Series created: %(name)s."),
    SeriesDatesCreated: _describe_dates,
    SeriesChanged: _describe_changed,
    TemplateSaved: _describe_template_saved,
    TemplateChanged: _describe_template_changed,
}
