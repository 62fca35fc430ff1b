"""Strangers who ask too often are told to wait."""

import pytest
from django.core.cache import cache
from django.test import Client
from rest_framework.throttling import AnonRateThrottle

pytestmark = pytest.mark.django_db


def test_strangers_are_slowed_down_and_told_for_how_long(monkeypatch, clock):
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "3/min"})
    client = Client()
    statuses = [client.get("/api/v1/clubs/").status_code for _time in range(4)]
    assert statuses == [200, 200, 200, 429]
    wait = int(client.get("/api/v1/clubs/")["Retry-After"])
    assert 0 < wait <= 60
    clock.moves(seconds=wait)
    assert client.get("/api/v1/clubs/").status_code == 200
