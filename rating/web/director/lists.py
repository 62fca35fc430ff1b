"""Pages of a club's rating lists: create, configure and rebuild them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError
from people.messages import describe_all
from people.web.access import action, directed_club, form_page, page, render_refusal, request_actor
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


@page
def home(request: HttpRequest, club: str) -> HttpResponse:
    """List the club's lists."""
    found, _role = directed_club(request, club)
    rows = [(one, SYSTEM_NAMES[one.system]) for one in club_lists(found.pk, archived=True)]
    return render_list_page(request, "home", _("Rating lists"), found, {"rows": rows})


@form_page
def new_list(request: HttpRequest, club: str) -> HttpResponse:
    """Create a further list."""
    found, _role = directed_club(request, club)
    form = ListForm(request.POST or None, club=found)
    if request.method == "POST" and not is_lookup(request.POST) and form.is_valid():
        try:
            made = create_list(actor=request_actor(request), club_id=found.pk, settings=form.settings())
        except CrawfordError as error:
            add_faults(form, error, form.field_names())
        else:
            messages.success(request, _("Rating list created. The ratings are being calculated."))
            return redirect("rating_director:list", made.public_id)
    return render_list_page(
        request, "new", _("New rating list"), found, {"form": form}, _form_status(request, form)
    )


def _form_status(request: HttpRequest, form: ListForm) -> int:
    return INVALID if not is_lookup(request.POST) and form.errors else 200


@page
def manage(request: HttpRequest, list_id: str) -> HttpResponse:
    """Show a list's state: what it counts, whether it is up to date, and available actions."""
    found = directed_list(request, list_id)
    computation = list_computation(found)
    building, waiting = computation.building, computation.waiting
    progress = (building.pk, building.done, building.total, building.stop_requested) if building else ()
    return render_list_page(
        request,
        "list",
        found.name,
        found,
        {
            "system": describe_system(found),
            "building": building,
            "percent": round(100 * building.done / building.total) if building and building.total else 0,
            "waiting": waiting,
            "rests_until": paused_until(found),
            "past": computation.past,
            "etag": page_etag(request, [found.version, progress, waiting, found.needs_rebuild]),
        },
    )


@form_page
def settings(request: HttpRequest, list_id: str) -> HttpResponse:
    """Edit name, system, parameters, what counts, who is ranked. A concurrent save is shown as a conflict."""
    found = directed_list(request, list_id)
    form = ListForm(request.POST or None, club=found.club, rating_list=found)
    if request.method == "POST" and not is_lookup(request.POST) and form.is_valid():
        try:
            update_list(
                actor=request_actor(request),
                list_id=found.pk,
                settings=form.settings(),
                seen=form.cleaned_data["seen"],
            )
        except Conflict as conflict:
            return _render_conflict(request, list_id, conflict)
        except CrawfordError as error:
            add_faults(form, error, form.field_names())
        else:
            messages.success(request, _("Settings saved."))
            return redirect("rating_director:list", found.public_id)
    return render_list_page(
        request, "settings", _("Settings"), found, {"form": form}, _form_status(request, form)
    )


def _render_conflict(request: HttpRequest, list_id: str, conflict: Conflict) -> HttpResponse:
    """Render the form with its input, beside saved settings that differ."""
    found = directed_list(request, list_id)
    typed = request.POST.copy()
    typed["seen"] = settings_version(found)
    form = ListForm(typed, club=found.club, rating_list=found)
    return render_list_page(
        request,
        "settings",
        _("Settings"),
        found,
        {"form": form, "differences": form.differences(), "sentences": describe_all(conflict)},
        conflict.status,
    )


@action
def rebuild(request: HttpRequest, list_id: str) -> HttpResponse:
    """Rebuild the list; its page shows the progress."""
    found = directed_list(request, list_id)
    try:
        request_rebuild(actor=request_actor(request), list_id=found.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back=reverse("rating_director:list", args=[found.public_id]))
    messages.success(request, _("The recalculation will start shortly."))
    return redirect("rating_director:list", found.public_id)


@action
def stop(request: HttpRequest, list_id: str) -> HttpResponse:
    """Stop the rebuild; the list stays as it is."""
    found = directed_list(request, list_id)
    try:
        stop_rebuild(actor=request_actor(request), list_id=found.pk)
    except CrawfordError as error:
        return render_refusal(request, error, back=reverse("rating_director:list", args=[found.public_id]))
    messages.success(request, _("Recalculation stopped. The ratings were not changed."))
    return redirect("rating_director:list", found.public_id)


@action
def archive(request: HttpRequest, list_id: str) -> HttpResponse:
    """Archive the list, or make it public again."""
    found = directed_list(request, list_id)
    archived = "back" not in request.POST
    try:
        archive_list(actor=request_actor(request), list_id=found.pk, archived=archived)
    except CrawfordError as error:
        return render_refusal(request, error, back=reverse("rating_director:list", args=[found.public_id]))
    messages.success(request, _("Rating list hidden.") if archived else _("Rating list shown again."))
    return redirect("rating_director:list", found.public_id)


@action
def check(request: HttpRequest, list_id: str) -> HttpResponse:
    """Compare the list with a clean computation."""
    found = directed_list(request, list_id)
    differences = check_list(list_id=found.pk)
    return render_list_page(
        request,
        "check",
        _("Comparison with a full recalculation"),
        found,
        {"differences": differences[:MAX_DIFFERENCES_SHOWN], "total": len(differences)},
    )


@page
def formulas(request: HttpRequest, list_id: str) -> HttpResponse:
    """Compare how well systems would have predicted the list's own results."""
    found = directed_list(request, list_id)
    comparison = compare_systems(found, most=RESULTS_COMPARED)
    rows = [
        {
            "name": SYSTEM_NAMES[one.system],
            "is_the_lists": one.is_the_lists,
            "log_loss": number_text(one.log_loss, 4),
            "bands": [
                {"foretold": round(100 * band.foretold), "came": round(100 * band.came), "count": band.count}
                for band in one.bands
            ],
        }
        for one in comparison.systems
    ]
    return render_list_page(
        request,
        "formulas",
        _("Compare rating systems"),
        found,
        {
            "comparison": comparison,
            "rows": rows,
            "fewest": MIN_RESULTS,
            "coin": number_text(COIN_LOG_LOSS, 4),
        },
    )
