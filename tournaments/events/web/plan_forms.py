"""Forms for an event of several divisions or stages: names of divisions, and the numbers of a template."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.text import clean_line
from tournaments.engine.stages.feeding import DEFAULT_FEEDING
from tournaments.engine.stages.swiss import MAX_GROUPS
from tournaments.events.services.divisions import DivisionDetails
from tournaments.events.services.stages import MAX_ADVANCING
from tournaments.events.services.templates import EventTemplate
from tournaments.events.web.fields import LengthsField
from tournaments.models import Stage
from tournaments.shared.words.names import lengths_label


class DivisionNamesForm(forms.Form):
    """Form for the names of divisions that are all played alike; empty for a single division."""

    divisions = forms.CharField(
        label=gettext_lazy("Divisions"),
        required=False,
        max_length=600,
        help_text=gettext_lazy(
            "Leave empty for a single division. Otherwise enter the names, separated by commas: Open, "
            "Intermediate."
        ),
    )

    def names(self) -> list[str]:
        names = (clean_line(name) for name in self.cleaned_data["divisions"].split(","))
        return [name for name in names if name]


class PlanForm(forms.Form):
    """Form with the few numbers of a template's divisions and stages that directors usually change."""

    def __init__(self, data: Any = None, *, template: EventTemplate) -> None:
        super().__init__(data)
        self.template = template
        for place, division in enumerate(template.divisions, start=1):
            if template.chosen:
                self.fields[f"division-{place}"] = forms.BooleanField(
                    label=division.name, required=False, initial=place == 1
                )
            for number, stage in enumerate(division.stages, start=1):
                self._add_stage(f"division-{place}-stage-{number}", stage)

    def _add_stage(self, key: str, stage: Any) -> None:
        if stage.swiss.group_count > 1:
            self.fields[f"{key}-group_count"] = forms.IntegerField(
                label=_("Groups"), min_value=1, max_value=MAX_GROUPS, initial=stage.swiss.group_count
            )
        if stage.fed_by and stage.feed == DEFAULT_FEEDING:
            self.fields[f"{key}-takes"] = forms.IntegerField(
                label=_("Number advancing from each group"),
                min_value=1,
                max_value=MAX_ADVANCING,
                initial=stage.takes,
            )
        self.fields[f"{key}-lengths"] = LengthsField(
            label=_("Match lengths: %(stage)s") % {"stage": stage.name} if stage.name else _("Match lengths"),
            initial=lengths_label(stage.lengths),
        )

    def parts(self) -> Iterator[dict[str, Any]]:
        """Yield the template context of each division: its fields, and a checkbox if it can be chosen."""
        for place, division in enumerate(self.template.divisions, start=1):
            key = f"division-{place}"
            yield {
                "division": division,
                "choice": self[key] if self.template.chosen else None,
                "fields": [self[name] for name in self.fields if name.startswith(f"{key}-")],
            }

    def places(self) -> list[int]:
        """Return the places in the template, from 1, of the chosen divisions."""
        all_places = range(1, len(self.template.divisions) + 1)
        return [place for place in all_places if self.cleaned_data.get(f"division-{place}", True)]

    def divisions(self) -> list[DivisionDetails]:
        return [self._division(place) for place in self.places()]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not self.places():
            raise forms.ValidationError(_("Choose at least one."))
        return data

    def _division(self, place: int) -> DivisionDetails:
        division = self.template.divisions[place - 1]
        data = self.cleaned_data
        stages = []
        for number, stage in enumerate(division.stages, start=1):
            key = f"division-{place}-stage-{number}"
            groups = data.get(f"{key}-group_count", stage.swiss.group_count)
            stages.append(
                replace(
                    stage,
                    lengths=data[f"{key}-lengths"],
                    takes=data.get(f"{key}-takes", stage.takes),
                    swiss=replace(stage.swiss, group_count=groups)
                    if stage.system in Stage.IN_ROUNDS
                    else stage.swiss,
                )
            )
        return replace(division, stages=tuple(stages))
