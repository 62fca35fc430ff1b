"""Pages of a club's rating lists: create, configure and rebuild them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError
from people.messages import describe_all
from people.web.access import action_view, directed_club, form_view, page_view, render_refusal, request_actor
from people.web.faults import add_faults
from people.web.versioned import page_etag
from rating.formulas.forecasts import COIN_LOG_LOSS
from rating.selectors import club_lists
from rating.selectors.comparison import MIN_RESULTS, compare_systems
from rating.selectors.lists import list_computation
from rating.selectors.shown import number_text
from rating.services import archive_list, check_list, create_list, stop_rebuild, update_list
from rating.services.lists import settings_version
from rating.services.rebuild import paused_until, request_rebuild
from rating.web.director.access import INVALID, directed_list, render_list_page
from rating.web.director.forms import ListForm, is_lookup
from rating.web.explain import SYSTEM_NAMES, describe_system

MAX_DIFFERENCES_SHOWN = 50
RESULTS_COMPARED = 5_000  # on a page, which has to be fast; the command compares more


@page_view
def home(request: HttpRequest, club: str) -> HttpResponse:
    """Show all rating lists of the club, also archived ones."""
    club_object, _role = directed_club(request, club)
    rows = [
        (rating_list, SYSTEM_NAMES[rating_list.system])
        for rating_list in club_lists(club_object.pk, archived=True)
    ]
    return render_list_page(request, "home", _("Rating lists"), club_object, {"rows": rows})


@form_view
def new_list(request: HttpRequest, club: str) -> HttpResponse:
    """Create a further rating list of the club."""
    club_object, _role = directed_club(request, club)
    form = ListForm(request.POST or None, club=club_object)
    if request.method == "POST" and not is_lookup(request.POST) and form.is_valid():
        try:
            rating_list = create_list(
                actor=request_actor(request), club_id=club_object.pk, settings=form.settings()
            )
        except CrawfordError as error:
            add_faults(form, error, form.field_names())
        else:
            messages.success(request, _("Rating list created. The ratings are being calculated."))
            return redirect("rating_director:list", rating_list.public_id)
    return render_list_page(
        request, "new", _("New rating list"), club_object, {"form": form}, _form_status(request, form)
    )


def _form_status(request: HttpRequest, form: ListForm) -> int:
    return INVALID if not is_lookup(request.POST) and form.errors else 200


@page_view
def manage(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show what a list counts, whether it is up to date, and the available actions."""
    rating_list = directed_list(request, list_id)
    computation = list_computation(rating_list)
    building, waiting_count = computation.running_rebuild, computation.waiting
    progress = (building.pk, building.done, building.total, building.stop_requested) if building else ()
    return render_list_page(
        request,
        "list",
        rating_list.name,
        rating_list,
        {
            "system": describe_system(rating_list),
            "building": building,
            "percent": round(100 * building.done / building.total) if building and building.total else 0,
            "waiting": waiting_count,
            "rests_until": paused_until(rating_list),
            "past": computation.past_generations,
            "etag": page_etag(
                request, [rating_list.version, progress, waiting_count, rating_list.needs_rebuild]
            ),
        },
    )


@form_view
def settings(request: HttpRequest, list_id: str) -> HttpResponse:
    """Edit name, system, parameters, what counts and who is ranked.

    If others have saved the settings since, the differences are shown (409).
    """
    rating_list = directed_list(request, list_id)
    form = ListForm(request.POST or None, club=rating_list.club, rating_list=rating_list)
    if request.method == "POST" and not is_lookup(request.POST) and form.is_valid():
        try:
            update_list(
                actor=request_actor(request),
                list_id=rating_list.pk,
                settings=form.settings(),
                expected_version=form.cleaned_data["seen"],
            )
        except Conflict as conflict:
            return _render_conflict(request, list_id, conflict)
        except CrawfordError as error:
            add_faults(form, error, form.field_names())
        else:
            messages.success(request, _("Settings saved."))
            return redirect("rating_director:list", rating_list.public_id)
    return render_list_page(
        request, "settings", _("Settings"), rating_list, {"form": form}, _form_status(request, form)
    )


def _render_conflict(request: HttpRequest, list_id: str, conflict: Conflict) -> HttpResponse:
    """Render the form with what was entered, beside the saved settings that differ."""
    rating_list = directed_list(request, list_id)
    entered = request.POST.copy()
    entered["seen"] = settings_version(rating_list)
    form = ListForm(entered, club=rating_list.club, rating_list=rating_list)
    return render_list_page(
        request,
        "settings",
        _("Settings"),
        rating_list,
        {"form": form, "differences": form.differences(), "sentences": describe_all(conflict)},
        conflict.status,
    )


@action_view
def rebuild(request: HttpRequest, list_id: str) -> HttpResponse:
    """Queue a rebuild of the list, whose page shows the progress."""
    rating_list = directed_list(request, list_id)
    try:
        request_rebuild(actor=request_actor(request), list_id=rating_list.pk)
    except CrawfordError as error:
        return render_refusal(
            request, error, back_url=reverse("rating_director:list", args=[rating_list.public_id])
        )
    messages.success(request, _("The recalculation will start shortly."))
    return redirect("rating_director:list", rating_list.public_id)


@action_view
def stop(request: HttpRequest, list_id: str) -> HttpResponse:
    """Stop the rebuild of the list, which stays as it is."""
    rating_list = directed_list(request, list_id)
    try:
        stop_rebuild(actor=request_actor(request), list_id=rating_list.pk)
    except CrawfordError as error:
        return render_refusal(
            request, error, back_url=reverse("rating_director:list", args=[rating_list.public_id])
        )
    messages.success(request, _("Recalculation stopped. The ratings were not changed."))
    return redirect("rating_director:list", rating_list.public_id)


@action_view
def archive(request: HttpRequest, list_id: str) -> HttpResponse:
    """Archive the list, or make it public again."""
    rating_list = directed_list(request, list_id)
    archived = "back" not in request.POST
    try:
        archive_list(actor=request_actor(request), list_id=rating_list.pk, archived=archived)
    except CrawfordError as error:
        return render_refusal(
            request, error, back_url=reverse("rating_director:list", args=[rating_list.public_id])
        )
    messages.success(request, _("Rating list hidden.") if archived else _("Rating list shown again."))
    return redirect("rating_director:list", rating_list.public_id)


@action_view
def check(request: HttpRequest, list_id: str) -> HttpResponse:
    """Compare the stored ratings with a fresh computation, and show the differences."""
    rating_list = directed_list(request, list_id)
    differences = check_list(list_id=rating_list.pk)
    return render_list_page(
        request,
        "check",
        _("Comparison with a full recalculation"),
        rating_list,
        {"differences": differences[:MAX_DIFFERENCES_SHOWN], "total": len(differences)},
    )


@page_view
def formulas(request: HttpRequest, list_id: str) -> HttpResponse:
    """Compare how well each rating system would have predicted the list's own results."""
    rating_list = directed_list(request, list_id)
    comparison = compare_systems(rating_list, limit=RESULTS_COMPARED)
    rows = [
        {
            "name": SYSTEM_NAMES[forecast.system],
            "is_the_lists": forecast.is_own_system,
            "log_loss": number_text(forecast.log_loss, 4),
            "bands": [
                {
                    "foretold": round(100 * band.mean_chance),
                    "came": round(100 * band.win_share),
                    "count": band.count,
                }
                for band in forecast.bands
            ],
        }
        for forecast in comparison.systems
    ]
    return render_list_page(
        request,
        "formulas",
        _("Compare rating systems"),
        rating_list,
        {
            "comparison": comparison,
            "rows": rows,
            "fewest": MIN_RESULTS,
            "coin": number_text(COIN_LOG_LOSS, 4),
        },
    )
