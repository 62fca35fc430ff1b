"""“How long will it take?”: lengths, rounds, tables and hours are dragged, and the page says at once when it would be over.

Nothing is changed by dragging. What was found is taken over with one button, all of it.
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
from people.web.access import actor_of
from people.web.faults import add_faults
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.hall.hours import MORNING, Hours
from tournaments.engine.matches.lengths import MAX_LENGTH
from tournaments.engine.stages.swiss import MOST_ROUNDS
from tournaments.engine.statuses import StageStatus
from tournaments.events.services.events import MOST_TABLES, hours_faults
from tournaments.events.services.how_long import Schedule, schedule_version, set_schedule
from tournaments.events.services.stages import may_change_divisions
from tournaments.models import Division, Event, Stage
from tournaments.selectors.events.counts import event_counts
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.hall.playing import Assumed, tables_in_use
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.since import is_at_night, moment_words, span_words
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.changed_since import seen_in
from tournaments.shared.frames.director import INVALID, not_done, show

FEWEST_SHOWN: Final = 3  # an elimination has the final, the semifinals and what is before
USUAL_ENTRIES: Final = 16
TABLES_TO_DRAG: Final = 60
ENTRIES_TO_DRAG: Final = 128
LENGTH_TO_DRAG: Final = 25
ROUNDS_TO_DRAG: Final = 15
USUAL_LENGTH: Final = 7
HOURS: Final = ("opens_at", "closes_at", "break_from", "break_until")


class HowLongForm(forms.Form):
    """Numbers and times; a field for each division's entries and for each stage's lengths and rounds. What is not given is as it is set."""

    tables = forms.IntegerField(label=gettext_lazy("Tables"), min_value=1, max_value=MOST_TABLES)
    opens_at = forms.TimeField(label=gettext_lazy("Play begins at"))
    closes_at = forms.TimeField(label=gettext_lazy("No match begins after"), required=False)
    break_from = forms.TimeField(label=gettext_lazy("Break from"), required=False)
    break_until = forms.TimeField(label=gettext_lazy("Break until"), required=False)

    def __init__(
        self, given: QueryDict, *, event: Event, stages: Sequence[Stage], entries: Mapping[int, int]
    ) -> None:
        self.event = event
        self.stages = [stage for stage in stages if stage.system != Stage.System.MONEY]
        self.entries = entries
        own = self._own_fields()
        now = {name: _clock(getattr(event, name)) for name in HOURS}
        initial = {"tables": event.tables, **now, "opens_at": now["opens_at"] or _clock(MORNING)}
        initial |= {name: value for name, (_field, value) in own.items()}
        super().__init__({**initial, **given.dict()}, initial=initial)
        self.fields["tables"].widget.attrs["data-drag"] = TABLES_TO_DRAG
        for name in HOURS:
            self.fields[name].widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
        self.fields |= {name: field for name, (field, _value) in own.items()}

    def _own_fields(self) -> dict[str, tuple[forms.IntegerField, int]]:
        """Those of divisions and stages that are not drawn, each with what is set."""
        found = {}
        for division in self.open_divisions():
            number = _number(_("Entries"), 2, MAX_ENTRIES, ENTRIES_TO_DRAG)
            found[f"entries-{division.pk}"] = number, self._entries(division)
        for stage in self.open_stages():
            shown = shown_lengths(stage)
            for place, (name, length) in enumerate(zip(length_names(stage), shown, strict=True), start=1):
                number = _number(_place_words(stage, len(shown) - place), 1, MAX_LENGTH, LENGTH_TO_DRAG)
                found[name] = number, length
            if stage.system == Stage.System.SWISS and not stage.settings.swiss.lives:
                number = _number(_("Rounds"), 1, MOST_ROUNDS, ROUNDS_TO_DRAG)
                found[f"rounds-{stage.pk}"] = number, stage.settings.swiss.rounds
        return found

    def open_stages(self) -> list[Stage]:
        return [stage for stage in self.stages if stage.status == StageStatus.SETUP]

    def open_divisions(self) -> list[Division]:
        """Those whose entries are still to come."""
        first = {stage.division: stage for stage in reversed(self.stages)}
        return [one for one in reversed(first) if first[one].status == StageStatus.SETUP]

    def _entries(self, division: Division) -> int:
        there = self.entries.get(division.pk, 0)
        return there if there > 1 else max(2, min(division.capacity or USUAL_ENTRIES, MAX_ENTRIES))

    def lengths(self) -> dict[int, list[int]]:
        """By stage, as few numbers as say it: what is before the first one is played to that, too."""
        found = {}
        for stage in self.open_stages():
            given = [self.cleaned_data[name] for name in length_names(stage)]
            found[stage.pk] = shortest(given, at_least=len(stage.lengths) if is_fixed(stage) else 1)
        return found

    def rounds(self) -> dict[int, int]:
        return {
            stage.pk: self.cleaned_data[name]
            for stage in self.open_stages()
            if (name := f"rounds-{stage.pk}") in self.fields
        }

    def hours(self) -> Hours:
        clean = self.cleaned_data
        return Hours(clean["opens_at"], clean["closes_at"], clean["break_from"], clean["break_until"])

    def assumed(self) -> Assumed:
        return Assumed(
            tables=tables_in_use(self.event, self.cleaned_data["tables"]),
            entries={one.pk: self.cleaned_data[f"entries-{one.pk}"] for one in self.open_divisions()},
            lengths=self.lengths(),
            rounds=self.rounds(),
        )

    def schedule(self) -> Schedule:
        times = {name: self.cleaned_data[name] for name in HOURS}
        return Schedule(
            tables=self.cleaned_data["tables"], lengths=self.lengths(), rounds=self.rounds(), **times
        )

    def clean(self) -> dict[str, Any] | None:
        clean = super().clean()
        if not self.errors and (faults := hours_faults(self.hours())):
            add_faults(self, Invalid(faults=faults))
        return clean


def _number(label: str, least: int, most: int, to_drag: int) -> forms.IntegerField:
    field = forms.IntegerField(label=label, min_value=least, max_value=most)
    field.widget.attrs["data-drag"] = to_drag
    return field


def _clock(at: time | None) -> str:
    return f"{at:%H:%M}" if at is not None else ""


def is_fixed(stage: Stage) -> bool:
    """Whether the count of its lengths says something by itself: with lives they count from the first round, and that many are planned."""
    return stage.system == Stage.System.SWISS and bool(stage.settings.swiss.lives)


def shown_lengths(stage: Stage) -> list[int]:
    """Its match lengths, of an elimination at least for the final, the semifinals and before."""
    own = list(stage.lengths) or [USUAL_LENGTH]
    missing = FEWEST_SHOWN - len(own) if stage.system in Stage.ELIMINATIONS else 0
    return [own[0]] * max(0, missing) + own


def length_names(stage: Stage) -> list[str]:
    """The fields of its match lengths."""
    return [f"length-{stage.pk}-{place}" for place in range(len(shown_lengths(stage)))]


def shortest(lengths: Sequence[int], *, at_least: int = 1) -> list[int]:
    """[5, 5, 7] is [5, 7]: whatever is before the first is played to that."""
    same = 0
    for one, after in pairwise(lengths):
        if one != after:
            break
        same += 1
    return list(lengths[min(same, len(lengths) - at_least) :])


def _place_words(stage: Stage, before_last: int) -> str:
    if is_fixed(stage):
        return _("Round %(number)s") % {"number": len(stage.lengths) - before_last}
    knock_out = stage.system in Stage.ELIMINATIONS
    if before_last == 0:
        return _("Final") if knock_out else _("Last round")
    if len(shown_lengths(stage)) - 1 == before_last:
        return _("Earlier rounds")
    if before_last == 1 and knock_out:
        return _("Semifinals")
    return _("%(count)s rounds before the last") % {"count": before_last}


@event_form
def how_long(request: HttpRequest, event: Event) -> HttpResponse:
    """The page; with ``answer`` in its address what would come of it alone; with ``take`` sent along it is taken over."""
    stages, counts = stages_of(event), event_counts(event)
    posted = request.method == "POST"
    form = HowLongForm(
        request.POST if posted else request.GET, event=event, stages=stages, entries=counts.active
    )
    if form.is_valid() and "take" in request.POST:
        try:
            set_schedule(
                actor=actor_of(request), event_id=event.pk, schedule=form.schedule(), seen=seen_in(request)
            )
        except CrawfordError as error:
            if error.status != INVALID:
                return not_done(request, error, back=request.path)
            add_faults(form, error, {f"lengths-{one.pk}": f"length-{one.pk}-0" for one in stages})
        else:
            messages.success(request, _("Tables, hours and match lengths saved."))
            return redirect("director:event", event.public_id)
    status = INVALID if form.errors else 200
    answer = _answer(form, event)
    if "answer" in request.GET and not posted:
        return render(request, "events/_how_long_answer.html", {"event": event, **answer}, status=status)
    context = {
        "form": form,
        "of_hall": [form[name] for name in ("tables", *HOURS)],
        "divisions": _divisions(form),
        "seen": seen_in(request) or schedule_version(event, stages),
        "may_change": may_change_divisions(event),
        **answer,
    }
    return show(
        request,
        "events/how_long.html",
        event,
        "how-long",
        context,
        stages=stages,
        counts=counts,
        status=status,
    )


def _divisions(form: HowLongForm) -> list[Shape]:
    """Each division that can be tried out, with its fields; those that are drawn have none."""
    found: dict[Division, Shape] = {}
    for stage in form.open_stages():
        division = stage.division
        if division not in found:
            entries = f"entries-{division.pk}"
            found[division] = {
                "name": division.name,
                "entries": form[entries] if entries in form.fields else None,
                "stages": [],
            }
        names = [*length_names(stage), f"rounds-{stage.pk}"]
        fields = [form[name] for name in names if name in form.fields]
        found[division]["stages"].append({"name": str(stage), "fields": fields})
    return list(found.values())


def _answer(form: HowLongForm, event: Event) -> Shape:
    """“ends at 21:40 (19:55–23:10)”, of all and of each stage, and bars beside each other."""
    if form.errors:
        return {"faults": True}
    # Only who tries something out loads numpy, not every process of the site.
    from tournaments.selectors.hall.how_long import how_long as played_through  # noqa: PLC0415

    found = played_through(event, form.assumed(), form.hours(), timezone.now())
    if found is None:
        return {"nothing": True}
    lengths = form.lengths()
    whole = max(1.0, (found.over.last - found.since).total_seconds())

    def share(at: datetime) -> float:
        return round(100 * (at - found.since).total_seconds() / whole, 1)

    rows = [
        {
            "name": str(stage),
            "division": stage.division.name,
            "lengths": "-".join(str(length) for length in lengths.get(stage.pk, stage.lengths)),
            "begins": moment_words(span.begins, event),
            "ends": span_words(span.ends, event),
            "matches": span.matches,
            "from": share(span.begins),
            "sure": max(0.5, share(span.ends.first) - share(span.begins)),
            "first": share(span.ends.first),
            "band": max(0.5, share(span.ends.last) - share(span.ends.first)),
            "median": share(span.ends.median),
        }
        for stage in form.stages
        if (span := found.stages.get(stage.pk)) is not None
    ]
    return {
        "over": span_words(found.over, event),
        "since": moment_words(found.since, event),
        "rows": rows,
        "minutes_a_point": found.seconds_a_point / 60,
        "learned_from": found.learned_from,
        "learned_before": found.learned_before,
        "late": is_at_night(found.over.median, event),
    }
