"""All tests here read the same source: once, as long as they last."""

from collections.abc import Iterator

import pytest

from tests.architecture import source


@pytest.fixture(scope="package", autouse=True)
def _read_once() -> Iterator[None]:
    yield
    source.forget()
