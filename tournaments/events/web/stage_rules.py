"""Director's page of the match conditions of a stage (called conduct).

They are location, lateness and slow play (rule F15), clocks (F11), errors in play and their correction (F7,
F16), the cube after the Crawford game (F3) and whether results are rated (F12).
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Missing
from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from people.selectors import refresh_row
from people.web.access import request_actor
from people.web.faults import add_faults
from tournaments.engine.matches.rulings import (
    MAX_MINUTES,
    MAX_SECONDS,
    SINGLES_CLOCK,
    TEAM_CLOCK,
    ClockRule,
    ClockUse,
    LatenessRule,
    SlowPlayRule,
)
from tournaments.engine.types import ResultKind
from tournaments.events.services.stage_rules import conduct_version, set_conduct
from tournaments.events.web.stage_forms import location_field, location_value
from tournaments.models import Event, Stage
from tournaments.selectors.events.director import linked_stages
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.changed_since import (
    conflict_context,
    expected_version_from,
    is_settings_conflict,
    response_status,
)
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.last_changes import last_saved_settings
from tournaments.shared.words.names import result_kind_label
from tournaments.shared.words.rulings import (
    CLOCK_USE_LABELS,
    CORRECTION_LIMIT_LABELS,
    MOVES_POLICY_LABELS,
    after_crawford_message,
    clock_label,
    lateness_message,
    moves_policy_message,
    score_limit_message,
    slow_play_message,
    start_limit_message,
)

MAX_POINTS = 99
WITHOUT_CLOCKS = "without"


class ConductForm(forms.Form):
    """Form for the match conditions of a stage, as numbers and choices; the page explains their effect."""

    by_arrangement = location_field()
    grace = forms.IntegerField(
        label=gettext_lazy("Grace period, minutes"), min_value=0, max_value=MAX_MINUTES
    )
    step = forms.IntegerField(
        label=gettext_lazy("Minutes per penalty step"), min_value=1, max_value=MAX_MINUTES
    )
    points = forms.IntegerField(
        label=gettext_lazy("Penalty points per step"), min_value=0, max_value=MAX_POINTS
    )
    lost_as = forms.TypedChoiceField(
        label=gettext_lazy("A match lost by lateness counts as"),
        coerce=ResultKind,
        help_text=gettext_lazy("A match is lost when penalty points exceed half its length."),
    )
    slow_grace = forms.IntegerField(
        label=gettext_lazy("Grace period for slow play, minutes"),
        min_value=0,
        max_value=MAX_MINUTES,
        help_text=gettext_lazy(
            "A match is over time when it takes one and a half times as long as usual here. Penalty points "
            "are suggested to you, never given automatically. Set 0 points per step for no suggestions."
        ),
    )
    slow_step = forms.IntegerField(
        label=gettext_lazy("Minutes per penalty step"), min_value=1, max_value=MAX_MINUTES
    )
    slow_points = forms.IntegerField(
        label=gettext_lazy("Penalty points per step"),
        min_value=0,
        max_value=MAX_POINTS,
    )
    clocks = forms.ChoiceField(
        label=gettext_lazy("Clocks"),
        choices=[
            (WITHOUT_CLOCKS, gettext_lazy("without clocks")),
            *((use.value, labels.choice) for use, labels in CLOCK_USE_LABELS.items()),
        ],
        help_text=gettext_lazy("You can add a clock to any match that takes too long."),
    )
    delay = forms.IntegerField(
        label=gettext_lazy("Delay per move, seconds"), min_value=0, max_value=MAX_SECONDS
    )
    reserve_a_point = forms.IntegerField(
        label=gettext_lazy("Reserve per point of the match, seconds"),
        min_value=0,
        max_value=MAX_SECONDS,
    )
    less_a_scored_point = forms.IntegerField(
        label=gettext_lazy("Reduction per point already scored, seconds"),
        min_value=0,
        max_value=MAX_SECONDS,
        help_text=gettext_lazy("For a clock added to a match that has started."),
    )
    overtime = forms.IntegerField(
        label=gettext_lazy("Overtime, seconds"),
        min_value=0,
        max_value=MAX_SECONDS,
        help_text=gettext_lazy(
            "Once for each side, when its reserve is used up. 0: the match is lost immediately."
        ),
    )
    moves = forms.TypedChoiceField(
        label=gettext_lazy("Illegal plays"), coerce=MovesPolicy, choices=list(MOVES_POLICY_LABELS.items())
    )
    start = forms.TypedChoiceField(
        label=gettext_lazy("A wrong starting position can be corrected"),
        coerce=CorrectedUntil,
        choices=list(CORRECTION_LIMIT_LABELS.items()),
    )
    score = forms.TypedChoiceField(
        label=gettext_lazy("A wrong score carried into a game can be corrected"),
        coerce=CorrectedUntil,
        choices=list(CORRECTION_LIMIT_LABELS.items()),
        help_text=gettext_lazy(
            "After that, it counts as it is. Game records are checked against these limits."
        ),
    )
    holland = forms.BooleanField(
        label=gettext_lazy("Holland rule"),
        required=False,
        help_text=gettext_lazy(
            "After the Crawford game, neither player may double before both have rolled twice. Without this "
            "rule, the cube is free."
        ),
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Results count for ratings"),
        required=False,
        help_text=gettext_lazy(
            "Walkovers, team matches and the like are never rated. You cannot change this once the stage "
            "has a result."
        ),
    )

    def __init__(self, data: Any = None, *, stage: Stage) -> None:
        conduct = stage.settings.conduct
        lateness, clocks = conduct.lateness, conduct.clocks
        default_clock = SINGLES_CLOCK if stage.division.team_size == 1 else TEAM_CLOCK
        values = {name: getattr(lateness, name) for name in LatenessRule.__dataclass_fields__}
        values |= {name: getattr(clocks or default_clock, name) for name in ClockRule.__dataclass_fields__}
        values |= {f"slow_{name}": getattr(conduct.slow, name) for name in SlowPlayRule.__dataclass_fields__}
        slips = stage.settings.conduct.slips
        values |= {name: getattr(slips, name).value for name in SlipRules.__dataclass_fields__}
        super().__init__(
            data,
            initial={
                **values,
                "clocks": conduct.clock_use.value if clocks is not None else WITHOUT_CLOCKS,
                "rated": conduct.rated,
                "holland": conduct.holland,
                "by_arrangement": location_value(by_arrangement=stage.by_arrangement),
            },
        )
        lost_as = self.fields["lost_as"]
        assert isinstance(lost_as, forms.ChoiceField)
        lost_as.choices = [
            (kind.value, result_kind_label(kind)) for kind in (ResultKind.WALKOVER, ResultKind.FORFEIT)
        ]

    def lateness(self) -> LatenessRule:
        return LatenessRule(**{name: self.cleaned_data[name] for name in LatenessRule.__dataclass_fields__})

    def slow(self) -> SlowPlayRule:
        return SlowPlayRule(
            **{name: self.cleaned_data[f"slow_{name}"] for name in SlowPlayRule.__dataclass_fields__}
        )

    def clock_use(self) -> ClockUse | None:
        return (
            ClockUse(self.cleaned_data["clocks"]) if self.cleaned_data["clocks"] != WITHOUT_CLOCKS else None
        )

    def clock(self) -> ClockRule | None:
        if self.clock_use() is None:
            return None
        return ClockRule(**{name: self.cleaned_data[name] for name in ClockRule.__dataclass_fields__})

    def slips(self) -> SlipRules:
        return SlipRules(**{name: self.cleaned_data[name] for name in SlipRules.__dataclass_fields__})


@event_form
def conduct(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """Show and change the match conditions of the stage with the id ``stage``, and show their effect."""
    stage_row = next((candidate for candidate in linked_stages(event) if candidate.pk == stage), None)
    if stage_row is None:
        raise Missing("stage.unknown")
    form = ConductForm(request.POST if request.method == "POST" else None, stage=stage_row)
    version_context: dict[str, Any] = {"seen": expected_version_from(request) or conduct_version(stage_row)}
    if request.method == "POST" and form.is_valid():
        try:
            set_conduct(
                actor=request_actor(request),
                event_id=event.pk,
                stage_id=stage_row.pk,
                lateness=form.lateness(),
                clocks=form.clock(),
                clock_use=form.clock_use(),
                slow=form.slow(),
                rated=form.cleaned_data["rated"],
                slips=form.slips(),
                holland=form.cleaned_data["holland"],
                by_arrangement=form.cleaned_data["by_arrangement"],
                seen=expected_version_from(request),
            )
        except CrawfordError as error:
            if is_settings_conflict(error):
                stage_row = refresh_row(stage_row)
                form = ConductForm(request.POST, stage=stage_row)
                version_context = conflict_context(
                    request, error, form, conduct_version(stage_row), last_saved_settings(event, stage_row)
                )
            elif error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=request.path)
            else:
                add_faults(form, error)
        else:
            messages.success(request, _("Rules saved."))
            return redirect(request.path)
    context = {
        "form": form,
        "of_stage": stage_row,
        "several": len(linked_stages(event)) > 1,
        "slips": [
            moves_policy_message(stage_row.settings.conduct.slips.moves),
            start_limit_message(stage_row.settings.conduct.slips.start),
            score_limit_message(stage_row.settings.conduct.slips.score),
        ],
        "after_crawford": after_crawford_message(holland=stage_row.settings.conduct.holland),
        "lengths": [
            {
                "length": length,
                "lateness": lateness_message(length, stage_row.settings.conduct.lateness),
                "clock": clock_label(stage_row, length),
            }
            for length in dict.fromkeys(stage_row.lengths)
        ],
        "slow": slow_play_message(stage_row.settings.conduct.slow),
        **version_context,
    }
    status = response_status(context, form)
    return render_event_page(request, "events/conduct.html", event, "rules", context, status=status)
