"""The page "why" of a Glicko-2 list: the paper's example, every step of it in words and numbers."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.selectors.rating.test_periods import paper

pytestmark = pytest.mark.django_db


def test_page_shows_the_papers_example_step_by_step(monkeypatch):
    book, facts = paper(monkeypatch)
    page = Client().get(reverse("rating:why", args=[book.list.public_id, facts[0].pk])).content.decode()
    for number in (
        "1500.00", "200.00", "0.060000",  # before
        "1400.00", "30.00", "0.9954980", "0.6394677",  # Bob: r, RD, g, E
        "0.9531490", "0.4318424", "0.7242355", "0.3028407",
        "1.1512925", "1.778977", "−0.483933", "0.059996", "1.152855", "0.872199", "−0.206941",  # φ v Δ σ' φ* φ' μ'
        "151.52", "1464.05",
    ):  # fmt: skip
        assert number in page, number
    assert "Rating period of Ann" in page
    assert "Rating period of Bob" in page
    assert "3 matches, all rated together" in page
    assert "this match" in page


def test_api_tells_the_same_steps(monkeypatch):
    book, facts = paper(monkeypatch)
    answer = Client().get(f"/api/v1/ratings/{book.list.public_id}/changes/{facts[0].pk}/")
    assert answer.status_code == 200
    steps = {step["what"]: step["value"] for step in answer.json()["steps"]}
    assert (steps["Ann: RD"], steps["Ann: r'"], steps["Ann: v"]) == ("200.00", "1464.05", "1.778977")
