"""What holds for every match of a stage: where it is played, lateness and slow play (F15), clocks (F11), slips (F7 F16), the cube after Crawford (F3), whether it is rated (F12)."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError, Missing
from games.rules.policies import CorrectedUntil, MovesPolicy, SlipRules
from people.selectors import fresh
from people.web.access import actor_of
from people.web.faults import add_faults
from tournaments.engine.matches.rulings import (
    MOST_MINUTES,
    MOST_SECONDS,
    SINGLES,
    TEAMS,
    ClockRule,
    ClockUse,
    LatenessRule,
    SlowRule,
)
from tournaments.engine.types import ResultKind
from tournaments.events.services.stage_rules import conduct_version, set_conduct
from tournaments.events.web.stage_forms import where_field, where_value
from tournaments.models import Event, Stage
from tournaments.selectors.events.director import stages_of
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.changed_since import beside, is_changed, seen_in, status_of
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.last_changes import saved_last
from tournaments.shared.words.names import kind_words
from tournaments.shared.words.rulings import (
    CLOCK_USE_WORDS,
    MOVES,
    UNTIL,
    after_crawford_words,
    clock_words,
    lateness_words,
    moves_words,
    score_limit_words,
    slow_words,
    start_limit_words,
)

MOST_POINTS = 99
WITHOUT = "without"


class ConductForm(forms.Form):
    """Numbers only; the page says below what they mean for a match."""

    by_arrangement = where_field()
    grace = forms.IntegerField(
        label=gettext_lazy("Grace period, minutes"), min_value=0, max_value=MOST_MINUTES
    )
    step = forms.IntegerField(
        label=gettext_lazy("Minutes per penalty step"), min_value=1, max_value=MOST_MINUTES
    )
    points = forms.IntegerField(
        label=gettext_lazy("Penalty points per step"), min_value=0, max_value=MOST_POINTS
    )
    lost_as = forms.TypedChoiceField(
        label=gettext_lazy("A match lost by lateness counts as"),
        coerce=ResultKind,
        help_text=gettext_lazy("A match is lost when penalty points exceed half its length."),
    )
    slow_grace = forms.IntegerField(
        label=gettext_lazy("Grace period for slow play, minutes"),
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=gettext_lazy(
            "A match is over time when it takes one and a half times as long as usual here. Penalty points "
            "are suggested to you, never given automatically. Set 0 points per step for no suggestions."
        ),
    )
    slow_step = forms.IntegerField(
        label=gettext_lazy("Minutes per penalty step"), min_value=1, max_value=MOST_MINUTES
    )
    slow_points = forms.IntegerField(
        label=gettext_lazy("Penalty points per step"),
        min_value=0,
        max_value=MOST_POINTS,
    )
    clocks = forms.ChoiceField(
        label=gettext_lazy("Clocks"),
        choices=[
            (WITHOUT, gettext_lazy("without clocks")),
            *((use.value, words.choice) for use, words in CLOCK_USE_WORDS.items()),
        ],
        help_text=gettext_lazy("You can add a clock to any match that takes too long."),
    )
    delay = forms.IntegerField(
        label=gettext_lazy("Delay per move, seconds"), min_value=0, max_value=MOST_SECONDS
    )
    reserve_a_point = forms.IntegerField(
        label=gettext_lazy("Reserve per point of the match, seconds"),
        min_value=0,
        max_value=MOST_SECONDS,
    )
    less_a_scored_point = forms.IntegerField(
        label=gettext_lazy("Reduction per point already scored, seconds"),
        min_value=0,
        max_value=MOST_SECONDS,
        help_text=gettext_lazy("For a clock added to a match that has started."),
    )
    overtime = forms.IntegerField(
        label=gettext_lazy("Overtime, seconds"),
        min_value=0,
        max_value=MOST_SECONDS,
        help_text=gettext_lazy(
            "Once for each side, when its reserve is used up. 0: the match is lost immediately."
        ),
    )
    moves = forms.TypedChoiceField(
        label=gettext_lazy("Illegal plays"), coerce=MovesPolicy, choices=list(MOVES.items())
    )
    start = forms.TypedChoiceField(
        label=gettext_lazy("A wrong starting position can be corrected"),
        coerce=CorrectedUntil,
        choices=list(UNTIL.items()),
    )
    score = forms.TypedChoiceField(
        label=gettext_lazy("A wrong score carried into a game can be corrected"),
        coerce=CorrectedUntil,
        choices=list(UNTIL.items()),
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
        usual = SINGLES if stage.division.team_size == 1 else TEAMS
        values = {name: getattr(lateness, name) for name in LatenessRule.__dataclass_fields__}
        values |= {name: getattr(clocks or usual, name) for name in ClockRule.__dataclass_fields__}
        values |= {f"slow_{name}": getattr(conduct.slow, name) for name in SlowRule.__dataclass_fields__}
        slips = stage.settings.conduct.slips
        values |= {name: getattr(slips, name).value for name in SlipRules.__dataclass_fields__}
        super().__init__(
            data,
            initial={
                **values,
                "clocks": conduct.clock_use.value if clocks is not None else WITHOUT,
                "rated": conduct.rated,
                "holland": conduct.holland,
                "by_arrangement": where_value(by_arrangement=stage.by_arrangement),
            },
        )
        lost_as = self.fields["lost_as"]
        assert isinstance(lost_as, forms.ChoiceField)
        lost_as.choices = [
            (kind.value, kind_words(kind)) for kind in (ResultKind.WALKOVER, ResultKind.FORFEIT)
        ]

    def lateness(self) -> LatenessRule:
        return LatenessRule(**{name: self.cleaned_data[name] for name in LatenessRule.__dataclass_fields__})

    def slow(self) -> SlowRule:
        return SlowRule(**{name: self.cleaned_data[f"slow_{name}"] for name in SlowRule.__dataclass_fields__})

    def clock_use(self) -> ClockUse | None:
        return ClockUse(self.cleaned_data["clocks"]) if self.cleaned_data["clocks"] != WITHOUT else None

    def clock(self) -> ClockRule | None:
        if self.clock_use() is None:
            return None
        return ClockRule(**{name: self.cleaned_data[name] for name in ClockRule.__dataclass_fields__})

    def slips(self) -> SlipRules:
        return SlipRules(**{name: self.cleaned_data[name] for name in SlipRules.__dataclass_fields__})


@event_form
def conduct(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The rules of one stage, what they mean for its matches, and the form that changes them."""
    found = next((one for one in stages_of(event) if one.pk == stage), None)
    if found is None:
        raise Missing("stage.unknown")
    form = ConductForm(request.POST if request.method == "POST" else None, stage=found)
    conflict: dict[str, Any] = {"seen": seen_in(request) or conduct_version(found)}
    if request.method == "POST" and form.is_valid():
        try:
            set_conduct(
                actor=actor_of(request),
                event_id=event.pk,
                stage_id=found.pk,
                lateness=form.lateness(),
                clocks=form.clock(),
                clock_use=form.clock_use(),
                slow=form.slow(),
                rated=form.cleaned_data["rated"],
                slips=form.slips(),
                holland=form.cleaned_data["holland"],
                by_arrangement=form.cleaned_data["by_arrangement"],
                seen=seen_in(request),
            )
        except CrawfordError as error:
            if is_changed(error):
                found = fresh(found)
                form = ConductForm(request.POST, stage=found)
                conflict = beside(request, error, form, conduct_version(found), saved_last(event, found))
            elif error.status != INVALID:
                return not_done(request, error, back=request.path)
            else:
                add_faults(form, error)
        else:
            messages.success(request, _("Rules saved."))
            return redirect(request.path)
    context = {
        "form": form,
        "of_stage": found,
        "several": len(stages_of(event)) > 1,
        "slips": [
            moves_words(found.settings.conduct.slips.moves),
            start_limit_words(found.settings.conduct.slips.start),
            score_limit_words(found.settings.conduct.slips.score),
        ],
        "after_crawford": after_crawford_words(holland=found.settings.conduct.holland),
        "lengths": [
            {
                "length": length,
                "lateness": lateness_words(length, found.settings.conduct.lateness),
                "clock": clock_words(found, length),
            }
            for length in dict.fromkeys(found.lengths)
        ],
        "slow": slow_words(found.settings.conduct.slow),
        **conflict,
    }
    status = status_of(context, form)
    return show(request, "events/conduct.html", event, "rules", context, status=status)
