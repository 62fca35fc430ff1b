"""A small program that stands where GNU Backgammon would: it knows its version, and does what the test says."""

from collections.abc import Callable
from pathlib import Path

import pytest

StandIn = Callable[..., Path]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """``stand_in("exit 3")``: from then on that is the engine of this site; where it lies."""

    def make(does: str, *, version: str = "9.9") -> Path:
        path = tmp_path / "gnubg"
        path.write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && echo "GNU Backgammon {version}" && exit 0\n{does}\n'
        )
        path.chmod(0o755)
        monkeypatch.setenv("GNUBG", str(path))
        return path

    return make


@pytest.fixture
def engine(stand_in: StandIn) -> Path:
    """One that fails at every match."""
    return stand_in("exit 3")
