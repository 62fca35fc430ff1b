"""A position of an event as a picture: made once, of what is asked alone, and gone with it; the page says so to whoever shows it."""

import re

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from people.audience import Audience, override_audience
from people.caching import cached_value
from tests.support.analysed import agree
from tests.support.blunders import an_event_with_blunders
from tests.support.lanes import ON_ONE
from tournaments.matches.services.quiz import hide_positions, publish_positions
from tournaments.models import Entry, Event
from tournaments.selectors.matches.quiz import quiz_questions

pytestmark = [pytest.mark.django_db, *ON_ONE]  # rows and pages that write no query


SITE = settings.SITE_URL


def test_picture_when_a_position_is_shown_then_made_once_without_names_and_gone_when_somebody_objects():
    cache.clear()
    tournament, match, _row = an_event_with_blunders()
    publish_positions(actor=tournament.actor, event_id=tournament.event.pk)
    position = quiz_questions(tournament.event)[0].row.public_id
    page = Client().get(f"/q/{position}/").content.decode()
    tags = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', page))
    url = f"/q/{position}/card.png"
    assert tags["og:image"] == tags["twitter:image"] == f"{SITE}{url}"
    assert (tags["og:image:type"], tags["og:image:width"], tags["og:image:height"]) == (
        "image/png",
        "1200",
        "630",
    )
    assert tags["twitter:card"] == "summary_large_image"
    assert tags["og:description"].startswith(f"{tournament.event.name} · Position 1 of ")
    assert tags["og:url"].endswith(f"/q/{position}/")
    assert tags["og:image:alt"] == tags["twitter:image:alt"]
    assert "5-point match" in tags["og:image:alt"]
    assert f'href="{url}" download' in page
    assert f'data-share="{SITE}/q/{position}/"' in page
    overview = Client().get(f"/e/{tournament.event.public_id}/quiz/").content.decode()
    assert f"{SITE}{url}" in overview
    for name in Entry.objects.filter(slots__match=match).values_list("name", flat=True):
        assert not [words for words in tags.values() if name in words]

    answer = Client().get(url)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer.content.startswith(b"\x89PNG")
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert "noindex" in answer["X-Robots-Tag"]
    assert not answer.cookies
    with override_audience(Audience.PUBLIC):
        assert cached_value("quiz-card", [answer["ETag"].strip('"')]) == answer.content
    assert Client().head(url)["ETag"] == answer["ETag"]
    assert Client().get(url, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    german = Client().get(url, headers={"Accept-Language": "de"})
    assert german["ETag"] != answer["ETag"]
    assert "Accept-Language" in answer["Vary"]
    Event.objects.update(name="Another Name")
    assert Client().get(url)["ETag"] != answer["ETag"]

    agree(match, analysis="no")
    gone = {"If-None-Match": answer["ETag"]}
    assert Client().get(url, headers=gone).status_code == 404
    agree(match, analysis="yes")
    assert Client().get(url).status_code == 200
    assert Client().post(url).status_code == 405
    hide_positions(actor=tournament.actor, event_id=tournament.event.pk)
    assert Client().get(url).status_code == 404
