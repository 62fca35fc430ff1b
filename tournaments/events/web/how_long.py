"""Page “How long will it take?”: lengths, rounds, tables and hours as sliders, with the expected end.

Moving a slider changes nothing in the event. One button saves the whole schedule.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from itertools import pairwise
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Invalid
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.hall.hours import DEFAULT_OPENING, OpeningHours
from tournaments.engine.matches.lengths import MAX_LENGTH
from tournaments.engine.stages.swiss import MAX_ROUNDS
from tournaments.engine.statuses import StageStatus
from tournaments.events.services.events import MAX_TABLES, hours_faults
from tournaments.events.services.how_long import Schedule, schedule_version, set_schedule
from tournaments.events.services.stages import is_event_changeable
from tournaments.models import Division, Event, Stage
from tournaments.selectors.events.counts import event_counts
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.hall.playing import Assumptions, tables_in_use
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.since import is_at_night, moment_label, span_label
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.changed_since import expected_version_from
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action

MIN_VISIBLE_LENGTHS: Final = 3  # of an elimination: final, semifinals and earlier rounds
DEFAULT_ENTRIES: Final = 16
MAX_SLIDER_TABLES: Final = 60
MAX_SLIDER_ENTRIES: Final = 128
MAX_SLIDER_LENGTH: Final = 25
MAX_SLIDER_ROUNDS: Final = 15
DEFAULT_LENGTH: Final = 7
HOUR_FIELDS: Final = ("opens_at", "closes_at", "break_from", "break_until")


class ScheduleForm(forms.Form):
    """Form for tables and hours, expected entries of each division, and lengths and rounds of each stage.

    Only divisions and stages that are not drawn have fields. Values that are not sent are the current ones.
    ``entries``: number of active entries, keyed by division id.
    """

    tables = forms.IntegerField(label=gettext_lazy("Tables"), min_value=1, max_value=MAX_TABLES)
    opens_at = forms.TimeField(label=gettext_lazy("Play begins at"))
    closes_at = forms.TimeField(label=gettext_lazy("No match begins after"), required=False)
    break_from = forms.TimeField(label=gettext_lazy("Break from"), required=False)
    break_until = forms.TimeField(label=gettext_lazy("Break until"), required=False)

    def __init__(
        self, data: QueryDict, *, event: Event, stages: Sequence[Stage], entries: Mapping[int, int]
    ) -> None:
        self.event = event
        self.stages = [stage for stage in stages if stage.system != Stage.System.MONEY]
        self.entries = entries
        own_fields = self._own_fields()
        current_hours = {name: _format_time(getattr(event, name)) for name in HOUR_FIELDS}
        initial = {
            "tables": event.tables,
            **current_hours,
            "opens_at": current_hours["opens_at"] or _format_time(DEFAULT_OPENING),
        }
        initial |= {name: value for name, (_field, value) in own_fields.items()}
        super().__init__({**initial, **data.dict()}, initial=initial)
        self.fields["tables"].widget.attrs["data-drag"] = MAX_SLIDER_TABLES
        for name in HOUR_FIELDS:
            self.fields[name].widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
        self.fields |= {name: field for name, (field, _value) in own_fields.items()}

    def _own_fields(self) -> dict[str, tuple[forms.IntegerField, int]]:
        """Return field and current value, keyed by name, for divisions and stages that are not drawn."""
        fields = {}
        for division in self.open_divisions():
            field = _slider_field(_("Entries"), 2, MAX_ENTRIES, MAX_SLIDER_ENTRIES)
            fields[f"entries-{division.pk}"] = field, self._entries(division)
        for stage in self.open_stages():
            lengths = visible_lengths(stage)
            for place, (name, length) in enumerate(
                zip(length_field_names(stage), lengths, strict=True), start=1
            ):
                field = _slider_field(
                    _round_label(stage, len(lengths) - place), 1, MAX_LENGTH, MAX_SLIDER_LENGTH
                )
                fields[name] = field, length
            if stage.system == Stage.System.SWISS and not stage.settings.swiss.lives:
                field = _slider_field(_("Rounds"), 1, MAX_ROUNDS, MAX_SLIDER_ROUNDS)
                fields[f"rounds-{stage.pk}"] = field, stage.settings.swiss.rounds
        return fields

    def open_stages(self) -> list[Stage]:
        return [stage for stage in self.stages if stage.status == StageStatus.SETUP]

    def open_divisions(self) -> list[Division]:
        """Return the divisions whose first stage is not drawn."""
        first_stages = {stage.division: stage for stage in reversed(self.stages)}
        return [
            division
            for division in reversed(first_stages)
            if first_stages[division].status == StageStatus.SETUP
        ]

    def _entries(self, division: Division) -> int:
        entry_count = self.entries.get(division.pk, 0)
        return (
            entry_count if entry_count > 1 else max(2, min(division.capacity or DEFAULT_ENTRIES, MAX_ENTRIES))
        )

    def lengths(self) -> dict[int, list[int]]:
        """Return the match lengths, keyed by stage id, without repetitions at the beginning.

        The first length of a stage also applies to all earlier rounds.
        """
        lengths_by_stage = {}
        for stage in self.open_stages():
            lengths = [self.cleaned_data[name] for name in length_field_names(stage)]
            lengths_by_stage[stage.pk] = shorten_lengths(
                lengths, at_least=len(stage.lengths) if has_fixed_length_count(stage) else 1
            )
        return lengths_by_stage

    def rounds(self) -> dict[int, int]:
        return {
            stage.pk: self.cleaned_data[name]
            for stage in self.open_stages()
            if (name := f"rounds-{stage.pk}") in self.fields
        }

    def hours(self) -> OpeningHours:
        clean = self.cleaned_data
        return OpeningHours(clean["opens_at"], clean["closes_at"], clean["break_from"], clean["break_until"])

    def assumptions(self) -> Assumptions:
        return Assumptions(
            tables=tables_in_use(self.event, self.cleaned_data["tables"]),
            entries={
                division.pk: self.cleaned_data[f"entries-{division.pk}"] for division in self.open_divisions()
            },
            lengths=self.lengths(),
            rounds=self.rounds(),
        )

    def schedule(self) -> Schedule:
        times = {name: self.cleaned_data[name] for name in HOUR_FIELDS}
        return Schedule(
            tables=self.cleaned_data["tables"], lengths=self.lengths(), rounds=self.rounds(), **times
        )

    def clean(self) -> dict[str, Any] | None:
        clean = super().clean()
        if not self.errors and (faults := hours_faults(self.hours())):
            add_faults(self, Invalid(faults=faults))
        return clean


def _slider_field(label: str, least: int, most: int, slider_max: int) -> forms.IntegerField:
    field = forms.IntegerField(label=label, min_value=least, max_value=most)
    field.widget.attrs["data-drag"] = slider_max
    return field


def _format_time(at: time | None) -> str:
    return f"{at:%H:%M}" if at is not None else ""


def has_fixed_length_count(stage: Stage) -> bool:
    """Return whether the number of match lengths matters for the stage.

    It does in a Swiss with lives: lengths count from the first round and set the number of planned rounds.
    """
    return stage.system == Stage.System.SWISS and bool(stage.settings.swiss.lives)


def visible_lengths(stage: Stage) -> list[int]:
    """Return the match lengths to show, first round first.

    An elimination has at least three: earlier rounds, semifinals and final.
    """
    lengths = list(stage.lengths) or [DEFAULT_LENGTH]
    missing = MIN_VISIBLE_LENGTHS - len(lengths) if stage.system in Stage.ELIMINATIONS else 0
    return [lengths[0]] * max(0, missing) + lengths


def length_field_names(stage: Stage) -> list[str]:
    """Return the names of the form fields for the match lengths of a stage."""
    return [f"length-{stage.pk}-{place}" for place in range(len(visible_lengths(stage)))]


def shorten_lengths(lengths: Sequence[int], *, at_least: int = 1) -> list[int]:
    """Return match lengths without repetitions at the beginning: [5, 7] for [5, 5, 7].

    The first length also applies to all earlier rounds. ``at_least``: number of lengths to keep.
    """
    same_count = 0
    for length, next_length in pairwise(lengths):
        if length != next_length:
            break
        same_count += 1
    return list(lengths[min(same_count, len(lengths) - at_least) :])


def _round_label(stage: Stage, before_last: int) -> str:
    if has_fixed_length_count(stage):
        return _("Round %(number)s") % {"number": len(stage.lengths) - before_last}
    knock_out = stage.system in Stage.ELIMINATIONS
    if before_last == 0:
        return _("Final") if knock_out else _("Last round")
    if len(visible_lengths(stage)) - 1 == before_last:
        return _("Earlier rounds")
    if before_last == 1 and knock_out:
        return _("Semifinals")
    return _("%(count)s rounds before the last") % {"count": before_last}


@event_form
def schedule_preview(request: HttpRequest, event: Event) -> HttpResponse:
    """Show sliders for the schedule and the expected end of the event.

    The parameter ``answer`` in the address returns only the forecast; ``take`` in the form saves the
    schedule.
    """
    stages, counts = linked_stages(event), event_counts(event)
    is_post = request.method == "POST"
    form = ScheduleForm(
        request.POST if is_post else request.GET,
        event=event,
        stages=stages,
        entries=counts.active_entries_by_division,
    )
    if form.is_valid() and "take" in request.POST:
        try:
            set_schedule(
                actor=request_actor(request),
                event_id=event.pk,
                schedule=form.schedule(),
                seen=expected_version_from(request),
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=request.path)
            add_faults(form, error, {f"lengths-{stage.pk}": f"length-{stage.pk}-0" for stage in stages})
        else:
            messages.success(request, _("Tables, hours and match lengths saved."))
            return redirect("director:event", event.public_id)
    status = INVALID_STATUS if form.errors else 200
    answer = _forecast_context(form, event)
    if "answer" in request.GET and not is_post:
        return render(request, "events/_how_long_answer.html", {"event": event, **answer}, status=status)
    context = {
        "form": form,
        "of_hall": [form[name] for name in ("tables", *HOUR_FIELDS)],
        "divisions": _division_contexts(form),
        "seen": expected_version_from(request) or schedule_version(event, stages),
        "may_change": is_event_changeable(event),
        **answer,
    }
    return render_event_page(
        request,
        "events/how_long.html",
        event,
        "how-long",
        context,
        stages=stages,
        counts=counts,
        status=status,
    )


def _division_contexts(form: ScheduleForm) -> list[Context]:
    """Return the template context of each division that has stages not drawn yet, with their form fields."""
    contexts: dict[Division, Context] = {}
    for stage in form.open_stages():
        division = stage.division
        if division not in contexts:
            field_name = f"entries-{division.pk}"
            contexts[division] = {
                "name": division.name,
                "entries": form[field_name] if field_name in form.fields else None,
                "stages": [],
            }
        names = [*length_field_names(stage), f"rounds-{stage.pk}"]
        fields = [form[name] for name in names if name in form.fields]
        contexts[division]["stages"].append({"name": str(stage), "fields": fields})
    return list(contexts.values())


def _forecast_context(form: ScheduleForm, event: Event) -> Context:
    """Return the forecast for the event and for each stage, such as “21:40 (19:55–23:10)”.

    Bars are in per cent of the whole time. ``faults``: the form has errors; ``nothing``: nothing can be
    forecast.
    """
    if form.errors:
        return {"faults": True}
    # Imports numpy only when a forecast is requested.
    from tournaments.selectors.hall.how_long import estimate_duration as played_through  # noqa: PLC0415

    forecast = played_through(event, form.assumptions(), form.hours(), timezone.now())
    if forecast is None:
        return {"nothing": True}
    lengths = form.lengths()
    total_seconds = max(1.0, (forecast.over.last - forecast.since).total_seconds())

    def share(at: datetime) -> float:
        return round(100 * (at - forecast.since).total_seconds() / total_seconds, 1)

    rows = [
        {
            "name": str(stage),
            "division": stage.division.name,
            "lengths": "-".join(str(length) for length in lengths.get(stage.pk, stage.lengths)),
            "begins": moment_label(span.begins, event),
            "ends": span_label(span.ends, event),
            "matches": span.matches,
            "from": share(span.begins),
            "sure": max(0.5, share(span.ends.first) - share(span.begins)),
            "first": share(span.ends.first),
            "band": max(0.5, share(span.ends.last) - share(span.ends.first)),
            "median": share(span.ends.median),
        }
        for stage in form.stages
        if (span := forecast.stages.get(stage.pk)) is not None
    ]
    return {
        "over": span_label(forecast.over, event),
        "since": moment_label(forecast.since, event),
        "rows": rows,
        "minutes_a_point": forecast.seconds_a_point / 60,
        "learned_from": forecast.learned_match_count,
        "learned_before": forecast.uses_earlier_events,
        "late": is_at_night(forecast.over.median, event),
    }
