"""The page of a pasted position: the board, legal plays, and links to other sites."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.messages import describe
from games.records.boards import mark_hits
from games.records.decoding import decode_text
from games.records.errors import UnreadableRecord
from games.records.positions import MAX_TEXT, contains_position, read_position
from games.records.replaying import format_steps
from games.rules.plays import Play, legal_plays
from games.rules.sides import SIDES, Side
from games.rules.xgid import PREFIX, XgId, XgidAction
from games.web.drawing import BoardDrawing, board_svg
from games.web.showing import image_path, length_label, parse_number
from games.web.uploads import limit_upload
from games.web.viewing import BoardOptions


class PositionForm(forms.Form):
    """A pasted position."""

    text = forms.CharField(
        label=gettext_lazy("Position"),
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
        help_text=gettext_lazy(
            "XGID, OGID, GNU Backgammon ID (position, or position and match), or a position copied as text "
            "from XG, BGBlitz or GNU Backgammon."
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload(MAX_TEXT)
def position_page(request: HttpRequest) -> HttpResponse:
    """Show a pasted position. Nothing is stored: the position is in the address."""
    if request.method == "POST":
        form = PositionForm(request.POST)
        if form.is_valid():
            try:
                return redirect(position_url(read_position(form.cleaned_data["text"])))
            except UnreadableRecord as error:
                form.add_error("text", describe(error))
        return render(request, "games/position.html", {"form": form}, status=422)
    xgid_text = request.GET.get("xgid", "")
    if not xgid_text:
        return render(request, "games/position.html", {"form": PositionForm()})
    try:
        position = read_position(PREFIX + xgid_text)
    except UnreadableRecord as error:
        raise Http404("position.unreadable") from error
    play_number = parse_number(request.GET.get("play", ""), 0)
    context = {"form": PositionForm(initial={"text": position.id}), **_context(position, play_number)}
    return render(request, "games/position.html", context)


def position_url(position: XgId, play_number: int = 0) -> str:
    """Return the address of the page of a position; ``play_number``: one of its legal plays, from 1."""
    query = {"xgid": position.id.removeprefix(PREFIX)} | ({"play": play_number} if play_number else {})
    return f"{reverse('games:positions')}?{urlencode(query, safe=':')}"


def position_url_in_file(content: bytes) -> str:
    """Return the address of the page of a position that a file without a match has; "" if there is none."""
    if len(content) > MAX_TEXT:
        return ""
    text = decode_text(content)
    try:
        return position_url(read_position(text)) if contains_position(text) else ""
    except UnreadableRecord:
        return ""


def _context(position: XgId, play_number: int) -> dict[str, Any]:
    plays = legal_plays(position.position, position.dice) if position.dice is not None else ()
    notations = [format_steps(mark_hits(position.position, play.steps)) for play in plays]
    order = sorted(range(len(plays)), key=lambda index: notations[index])
    play = plays[order[play_number - 1]] if 0 < play_number <= len(order) else None
    names = {Side.WHITE: _("White"), Side.BLACK: _("Black")}
    drawing = BoardDrawing.from_xgid(position)
    if play is not None:
        drawing = replace(drawing, steps=mark_hits(position.position, play.steps))
    title = _sentence(position, play, names)
    return {
        "shown": position,
        "board": mark_safe(board_svg(drawing, BoardOptions(bottom=position.turn), title)),  # noqa: S308 - every text in it is escaped by the drawing
        "sentence": title,
        "length_words": length_label(position.length),
        "cube": position.cube,
        "cube_owner": names[position.owner] if position.owner is not None else "",
        "position_id": position.position.id,
        "image_path": image_path(position.id),
        "plays": [
            {
                "words": notations[index] or _("No legal play"),
                "url": position_url(position, number),
                "current": number == play_number,
                "after": position_url(_xgid_after_play(position, plays[index])),
            }
            for number, index in enumerate(order, 1)
        ],
        "rows": xgid_board_rows(position, names),
    }


def xgid_board_rows(position: XgId, names: dict[Side, str]) -> list[dict[str, Any]]:
    """Return the board as text for screen readers: a context for each side, in its own numbering."""
    boards = {position.turn: position.position, position.turn.other: position.position.swap()}
    return [
        {
            "name": names[side],
            "points": ", ".join(
                f"{point}: {boards[side].own[point]}" for point in range(24, 0, -1) if boards[side].own[point]
            ),
            "bar": boards[side].own[25],
            "off": boards[side].own[0],
            "pips": boards[side].pips,
            "score": position.score[side.column],
        }
        for side in SIDES
    ]


def _xgid_after_play(position: XgId, play: Play) -> XgId:
    """Return the position after a play, with the other side to roll."""
    return replace(
        position, position=play.result, turn=position.turn.other, dice=None, action=XgidAction.TO_ROLL
    )


def _sentence(position: XgId, play: Play | None, names: dict[Side, str]) -> str:
    name = names[position.turn]
    if position.dice is not None:
        dice = f"{position.dice[0]}-{position.dice[1]}"
        if play is not None and play.steps:
            notation = format_steps(mark_hits(position.position, play.steps))
            return _("%(name)s plays %(dice)s: %(play)s") % {"name": name, "dice": dice, "play": notation}
        return _("%(name)s to play %(dice)s") % {"name": name, "dice": dice}
    if position.action is XgidAction.TO_ROLL:
        return _("%(name)s to roll or double") % {"name": name}
    return _("%(name)s has doubled") % {"name": name}
