"""A list as its directors see it: 404 for no such list, 403 for directors of other clubs."""

from django.http import HttpRequest

from people.web.access import directed_club
from rating.models import RatingList
from rating.selectors import list_by_public_id


def directed_list(request: HttpRequest, public_id: str) -> RatingList:
    found = list_by_public_id(public_id)
    directed_club(request, found.club.public_id)
    return found
