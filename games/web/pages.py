"""Public pages: check a record, view it, an image of a position. Nothing that is uploaded here is stored."""

import hashlib

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.records.decoding import MAX_BYTES
from games.rules.errors import RuleError
from games.rules.position import Position
from games.rules.sides import Side
from games.rules.xgid import XgId
from games.selectors import held_record
from games.services import clean_filename
from games.services.checking import check_with_limits
from games.web.drawing import BoardDrawing, board_svg
from games.web.file_notes import notes_context
from games.web.forms import CheckForm
from games.web.held_analysis import file_analysis_context
from games.web.positions import position_url_in_file
from games.web.showing import check_context, viewer_context
from games.web.uploads import limit_upload, throttle_message
from games.web.viewing import BoardOptions, build_record_view

MAX_CUBE_LOG2 = 20  # more does not fit on its face
YEAR_SECONDS = 365 * 24 * 3600


@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload()
def check_page(request: HttpRequest) -> HttpResponse:
    """Check a file. The response is rendered from the upload, which is then discarded.

    A file with only a position leads to the page of the position.
    """
    if request.method != "POST":
        return render(request, "games/check.html", {"form": CheckForm()})
    if message := throttle_message(request):
        response = render(request, "games/refused.html", {"words": message, "back": request.path}, status=429)
        response["Retry-After"] = "60"
        return response
    form = CheckForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "games/check.html", {"form": form}, status=422)
    file = form.cleaned_data["file"]
    content = file.read(MAX_BYTES + 1)
    name = clean_filename(file.name or "")
    check_result = check_with_limits(
        content, name, form.match_format(), None, form.chosen_numbering(), with_analysis=True
    )
    if check_result.unreadable is not None and (position := position_url_in_file(content)):
        return redirect(position)
    context = {"filename": name, **check_context(check_result, BoardOptions.of({}))}
    context |= file_analysis_context(check_result, context["viewing"], context, {})
    context |= notes_context(check_result, context["viewing"], context)
    response = render(request, "games/checked.html", context)
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def held_record_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the person who uploaded a file held beside a report form that file in the viewer."""
    held = held_record(key)
    if held is None:
        raise Http404("record.held_gone")
    check_result = check_with_limits(bytes(held.content), held.filename, with_analysis=True)
    record_view = build_record_view(check_result)
    if record_view is None:
        raise Http404("record.nothing_to_show")
    context = {**viewer_context(request, check_result, record_view), "filename": held.filename}
    context |= file_analysis_context(check_result, record_view, context, request.GET)
    context |= notes_context(check_result, record_view, context)
    response = render(request, "games/viewer.html", context)
    response["Cache-Control"] = "private, no-store"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@require_safe
def position_image(request: HttpRequest, position_id: str) -> HttpResponse:
    """Return the image of a position for sharing, as the player on roll sees it."""
    try:
        position = Position.from_id(position_id.replace("-", "+").replace("_", "/"))
    except RuleError as error:
        raise Http404("position.unreadable") from error
    title = _("Backgammon position %(id)s") % {"id": position.id}
    return _image_response(request, BoardDrawing(position, show_cube=False), title, f"position-{position_id}")


@require_safe
def xgid_image(request: HttpRequest, xgid: str) -> HttpResponse:
    """Return the image of a position with dice and cube; the address has an XGID without its prefix."""
    try:
        position = XgId.from_id(f"XGID={xgid}")
    except RuleError as error:
        raise Http404("position.unreadable") from error
    if position.cube_log2 > MAX_CUBE_LOG2:
        raise Http404("position.unreadable")
    return _image_response(
        request,
        BoardDrawing.from_xgid(position),
        _("Backgammon position %(id)s") % {"id": position.id},
        "position",
    )


def _image_response(request: HttpRequest, drawing: BoardDrawing, title: str, name: str) -> HttpResponse:
    """Return an image that stays the same at its address, except that its title depends on the language."""
    picture = board_svg(drawing, BoardOptions(bottom=Side.WHITE), title, standalone=True)
    etag = f'"{hashlib.sha256(picture.encode()).hexdigest()[:20]}"'
    response: HttpResponse
    if request.headers.get("If-None-Match") == etag:
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(picture, content_type="image/svg+xml; charset=utf-8")
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={YEAR_SECONDS}, immutable"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Disposition"] = f'inline; filename="{name}.svg"'
    return response
