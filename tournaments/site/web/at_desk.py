"""Staff page of an event: changes by others, staff notes, and who is signed in now."""

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
from people.web.access import request_actor, request_user
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned_response
from tournaments.desk.services.notes import set_note_status, write_note
from tournaments.engine.desk.hand_over import MAX_NOTE_LENGTH
from tournaments.models import DeskNote, Event
from tournaments.selectors.desk_notes import activity_while_away, staff_notes
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.access import is_helper, staff_action, staff_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.presence import other_staff_present
from tournaments.shared.words.names import date_and_time
from tournaments.site.web.trail import actor_text, is_major, rows_with_descriptions

CONFLICT = 409


class NoteForm(forms.Form):
    """Form for a staff note; ``helps``: True for an assistant, who cannot choose who may read the note."""

    text = forms.CharField(
        label=gettext_lazy("Note text"),
        max_length=MAX_NOTE_LENGTH,
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
        super().__init__(data, initial={"submission_key": new_submission_key()})
        if helps:
            del self.fields["for_helpers"]
            self.fields["text"].help_text = _(
                "Directors of the club and assistants can read it. It is deleted 90 days after the event."
            )


@staff_form
def staff_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Staff page; a POST adds a note."""
    if request.method != "POST":
        user = request_user(request)
        versions = [
            event.version,
            event.notes_version,
            event.club.version,
            [(member.name, member.place) for member in other_staff_present(event, user)],
        ]
        etag = page_etag(request, versions)
        return versioned_response(
            request,
            versions,
            lambda: _staff_page_response(request, event, NoteForm(helps=is_helper(request)), etag),
        )
    form = NoteForm(request.POST, helps=is_helper(request))
    if not form.is_valid():
        return _form_response(request, event, form, INVALID_STATUS)
    try:
        write_note(actor=request_actor(request), event_id=event.pk, **form.cleaned_data)
    except CrawfordError as error:
        if error.status not in {INVALID_STATUS, CONFLICT}:
            return render_refused_action(request, error, back=request.path)
        add_faults(form, error)
        return _form_response(request, event, form, error.status)
    messages.success(request, _("Note added. It appears on this page and next to the matches."))
    return redirect(request.path)


@staff_action
def set_note_done(request: HttpRequest, event: Event, note: str) -> HttpResponse:
    """Mark a staff note as done, or with ``done=no`` as not done."""
    back_url = reverse("director:at-desk", args=[event.public_id])
    is_done = request.POST.get("done", "yes") != "no"
    try:
        set_note_status(actor=request_actor(request), event_id=event.pk, note_id=note, done=is_done)
    except CrawfordError as error:
        return render_refused_action(request, error, back=back_url)
    return redirect(back_url)


@snapshot()
def _form_response(request: HttpRequest, event: Event, form: NoteForm, status: int) -> HttpResponse:
    return _staff_page_response(request, event, form, status=status)


def _staff_page_response(
    request: HttpRequest, event: Event, form: NoteForm, etag: str = "", status: int = 200
) -> HttpResponse:
    user = request_user(request)
    notes = staff_notes(event, for_assistant=is_helper(request))
    activity = activity_while_away(event, user, timezone.now(), for_assistant=is_helper(request))
    context = {
        "form": form,
        "etag": etag,
        "others": other_staff_present(event, user),
        "notes": [_note_context(note, event) for note in notes if note.done_at is None],
        "done": [_note_context(note, event) for note in notes if note.done_at is not None],
        "since": date_and_time(activity.since, event),
        "rows": [
            {
                "key": row.pk,
                "words": description,
                "when": date_and_time(row.at, event),
                "who": actor_text(row),
                "major": is_major(row),
                "undone": row.undone_by_id is not None,
            }
            for row, description in rows_with_descriptions(event, activity.rows)
        ],
        "more": activity.more,
    }
    return render_event_page(request, "site/at_desk.html", event, "at-desk", context, status=status)


def _note_context(note: DeskNote, event: Event) -> Context:
    """Return the template context of a note with author, time, and who marked the note as done."""
    author = Actor.of(note.author).label if note.author is not None else _("former user")
    parts = [f"{author}, {date_and_time(note.at, event)}"]
    if not note.for_helpers:
        parts.append(_("for directors only"))
    if note.done_at is not None:
        done_by = Actor.of(note.done_by).label if note.done_by is not None else _("former user")
        parts.append(
            _("done by %(name)s, %(when)s") % {"name": done_by, "when": date_and_time(note.done_at, event)}
        )
    return {"id": note.public_id, "text": note.text, "about": " · ".join(parts)}
