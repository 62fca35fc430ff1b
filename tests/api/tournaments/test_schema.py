"""The API's description is complete: it is made without a single warning and names every address."""

import pytest
from django.core.management import call_command
from django.test import Client

from tournaments.site.urls.api import urlpatterns

pytestmark = pytest.mark.django_db


def test_schema_is_made_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))
    text = (tmp_path / "schema.yml").read_text()

    for pattern in urlpatterns:
        path = str(pattern.pattern).replace("<slug:", "{").replace(">", "}")
        assert f"/api/v1/{path}:" in text
    assert "personalLink" in text


def test_schema_and_its_page_are_open_to_everybody():
    assert Client().get("/api/v1/schema/").status_code == 200
    assert Client().get("/api/v1/docs/").status_code == 200
