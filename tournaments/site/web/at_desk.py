"""Hand-over between desks: what others did meanwhile, notes to each other, who is here now."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from faults import CrawfordError
from people.actors import Actor
from people.snapshot import snapshot
from people.web.access import actor_of, user_of
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned
from tournaments.desk.services.notes import settle_note, write_note
from tournaments.engine.desk.hand_over import NOTE_LIMIT
from tournaments.models import DeskNote, Event
from tournaments.selectors.desk_notes import done_while_away, notes_of
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.frames.access import desk_action, desk_form, helps
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.presence import others_at_desk
from tournaments.shared.words.names import day_and_time
from tournaments.site.web.trail import is_major, rows_in_words, who_words

CONFLICT = 409


class NoteForm(forms.Form):
    """A note to whoever is at the desk."""

    text = forms.CharField(
        label=gettext_lazy("Note text"),
        max_length=NOTE_LIMIT,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=gettext_lazy(
            "Only directors of the club can read it, and assistants if you allow it. It is deleted 90 days "
            "after the event."
        ),
        error_messages={"required": gettext_lazy("Enter a note for the other staff.")},
    )
    for_helpers = forms.BooleanField(
        label=gettext_lazy("Assistants can read it too"), required=False, initial=True
    )
    submission_key = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, helps: bool) -> None:
        super().__init__(data, initial={"submission_key": new_key()})
        if helps:
            del self.fields["for_helpers"]
            self.fields["text"].help_text = _(
                "Directors of the club and assistants can read it. It is deleted 90 days after the event."
            )


@desk_form
def at_desk(request: HttpRequest, event: Event) -> HttpResponse:
    """The page, and a note that is left."""
    if request.method != "POST":
        user = user_of(request)
        versions = [
            event.version,
            event.notes_version,
            event.club.version,
            [(one.name, one.place) for one in others_at_desk(event, user)],
        ]
        etag = page_etag(request, versions)
        return versioned(
            request, versions, lambda: _page(request, event, NoteForm(helps=helps(request)), etag)
        )
    form = NoteForm(request.POST, helps=helps(request))
    if not form.is_valid():
        return _written(request, event, form, INVALID)
    try:
        write_note(actor=actor_of(request), event_id=event.pk, **form.cleaned_data)
    except CrawfordError as error:
        if error.status not in {INVALID, CONFLICT}:
            return not_done(request, error, back=request.path)
        add_faults(form, error)
        return _written(request, event, form, error.status)
    messages.success(request, _("Note added. It appears on this page and next to the matches."))
    return redirect(request.path)


@desk_action
def settle(request: HttpRequest, event: Event, note: str) -> HttpResponse:
    """A note is seen to, or waits again."""
    back = reverse("director:at-desk", args=[event.public_id])
    done = request.POST.get("done", "yes") != "no"
    try:
        settle_note(actor=actor_of(request), event_id=event.pk, note_id=note, done=done)
    except CrawfordError as error:
        return not_done(request, error, back=back)
    return redirect(back)


@snapshot()
def _written(request: HttpRequest, event: Event, form: NoteForm, status: int) -> HttpResponse:
    return _page(request, event, form, status=status)


def _page(
    request: HttpRequest, event: Event, form: NoteForm, etag: str = "", status: int = 200
) -> HttpResponse:
    user = user_of(request)
    notes = notes_of(event, helps=helps(request))
    away = done_while_away(event, user, timezone.now(), helps=helps(request))
    context = {
        "form": form,
        "etag": etag,
        "others": others_at_desk(event, user),
        "notes": [_note_shape(note, event) for note in notes if note.done_at is None],
        "done": [_note_shape(note, event) for note in notes if note.done_at is not None],
        "since": day_and_time(away.since, event),
        "rows": [
            {
                "key": row.pk,
                "words": words,
                "when": day_and_time(row.at, event),
                "who": who_words(row),
                "major": is_major(row),
                "undone": row.undone_by_id is not None,
            }
            for row, words in rows_in_words(event, away.rows)
        ],
        "more": away.more,
    }
    return show(request, "site/at_desk.html", event, "at-desk", context, status=status)


def _note_shape(note: DeskNote, event: Event) -> Shape:
    """A note with who left it when, and who has seen to it."""
    author = Actor.of(note.author).label if note.author is not None else _("former user")
    parts = [f"{author}, {day_and_time(note.at, event)}"]
    if not note.for_helpers:
        parts.append(_("for directors only"))
    if note.done_at is not None:
        who = Actor.of(note.done_by).label if note.done_by is not None else _("former user")
        parts.append(
            _("done by %(name)s, %(when)s") % {"name": who, "when": day_and_time(note.done_at, event)}
        )
    return {"id": note.public_id, "text": note.text, "about": " · ".join(parts)}
