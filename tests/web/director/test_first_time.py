"""Pages with nothing on them lead to what comes first."""

import pytest

from tests.factories import an_event
from tests.support.director import desk_of

pytestmark = pytest.mark.django_db


def test_links_when_nobody_is_entered_then_lead_to_the_entries() -> None:
    desk = desk_of(an_event())
    page = desk.get("links").content.decode()
    assert f'<a class="button is-primary" href="{desk.url("entries")}">Add entries</a>' in page
