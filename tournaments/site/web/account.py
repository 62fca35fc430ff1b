"""What somebody decides about themselves: how they are called in public."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.selectors import player_of_user
from people.services.players import choose_name
from people.web.access import actor_of, form_page, user_of
from people.web.faults import add_faults
from people.web.forms import NameForm

INVALID = 422


@form_page
def privacy(request: HttpRequest) -> HttpResponse:
    """The name in public, for whoever is a player."""
    player = player_of_user(user_of(request).pk)
    if player is None:
        return render(request, "site/account_privacy.html", {"player": None})
    form = NameForm(request.POST or None, initial={"shown_as": player.shown_as, "listed": player.listed})
    if request.method == "POST" and form.is_valid():
        try:
            choose_name(actor=actor_of(request), player_id=player.pk, **form.cleaned_data)
        except CrawfordError as error:
            add_faults(form, error)
        else:
            messages.success(request, _("Saved. From now on you are called so in public."))
            return redirect("account_privacy")
    context = {"player": player, "form": form}
    return render(request, "site/account_privacy.html", context, status=INVALID if form.errors else 200)
