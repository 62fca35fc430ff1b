"""What is kept: made once for each release, and never read by another one."""

import pytest
from django.core.cache import cache

from people.caching import (
    cache_key,
    cache_value,
    cached_value,
    get_or_compute,
    get_or_compute_many,
    increment_counter,
)


@pytest.fixture(autouse=True)
def _empty():
    cache.clear()
    yield
    cache.clear()


class Maker:
    def __init__(self, value=1):
        self.value, self.asked = value, []

    def one(self):
        self.asked.append(self.value)
        return self.value

    def each(self, missing):
        self.asked += missing
        return {one: f"{one}!" for one in missing}


@pytest.mark.parametrize("value", [{"a": 1}, None, 0, ()])
def test_cached_when_kept_then_made_once(value):
    maker = Maker(value)
    assert [get_or_compute("page", ["e", 3], 60, maker.one) for _ in range(3)] == [value] * 3
    assert len(maker.asked) == 1


@pytest.mark.parametrize(("name", "parts"), [("hall", ["e", 3]), ("page", ["e", 4]), ("page", ["e", 3, ""])])
def test_cached_when_something_else_is_asked_then_made(name, parts):
    get_or_compute("page", ["e", 3], 60, Maker("kept").one)
    assert get_or_compute(name, parts, 60, Maker("new").one) == "new"


def test_cached_each_when_some_are_kept_then_only_the_others_are_made_and_the_order_stays():
    maker = Maker()
    get_or_compute_many("places", {2: ["x", 2]}, 60, maker.each)
    found = get_or_compute_many("places", {3: ["x", 3], 2: ["x", 2], 1: ["x", 1]}, 60, maker.each)
    assert list(found.items()) == [(3, "3!"), (2, "2!"), (1, "1!")]
    assert maker.asked == [2, 3, 1]


def test_cached_each_when_nothing_is_missing_then_nothing_is_made():
    get_or_compute_many("places", {2: [2]}, 60, Maker().each)
    maker = Maker()
    assert get_or_compute_many("places", {2: [2]}, 60, maker.each) == {2: "2!"}
    assert get_or_compute_many("places", {}, 60, maker.each) == {}
    assert maker.asked == []


def test_everything_kept_when_the_release_changes_then_not_read(settings):
    get_or_compute("page", ["e"], 60, Maker("old").one)
    get_or_compute_many("places", {1: ["e"]}, 60, lambda missing: dict.fromkeys(missing, "old"))
    cache_value("join", ["key"], 60, "old")
    assert [increment_counter("often", ["address"], 60) for _ in range(3)] == [1, 2, 3]

    settings.RELEASE += "-next"

    assert get_or_compute("page", ["e"], 60, Maker("new").one) == "new"
    assert get_or_compute_many("places", {1: ["e"]}, 60, Maker().each) == {1: "1!"}
    assert cached_value("join", ["key"]) is None
    assert increment_counter("often", ["address"], 60) == 1


def test_key_when_parts_are_strange_then_still_one_that_every_cache_takes():
    key = cache_key("event-page", ["a b", "\N{SNOWMAN}", "\n", "x" * 999, None, ("t", 1)])
    assert len(key) < 100
    assert key.isascii()
    assert key.isprintable()
    assert " " not in key
