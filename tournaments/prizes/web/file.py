"""CSV file of the prizes of an event."""

from django.http import HttpRequest, HttpResponse

from people.web.versioned import versioned_response
from tournaments.selectors.access.versions import names_version
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.payouts import event_payouts
from tournaments.shared.fragments.prizes import payouts_csv
from tournaments.shared.frames.public import public_view


@public_view
def prizes_csv(request: HttpRequest, event: str) -> HttpResponse:
    """CSV file with a row for each prize: its winner, or the place while the winner is not known yet."""
    visible = visible_event(request.user, event)
    versions = [visible.event.version, names_version()]

    def draw() -> HttpResponse:
        payouts = event_payouts(visible.event, division_views(visible.event))
        response = HttpResponse("\ufeff" + payouts_csv(payouts), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="prizes-{visible.event.public_id}.csv"'
        response["X-Robots-Tag"] = "noindex"
        return response

    return versioned_response(request, versions, draw, role=visible.role, everybody=not visible.role)
