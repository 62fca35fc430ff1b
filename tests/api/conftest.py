"""The API's description, made once; an account and its club."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command

from people.models import Club, User
from tests.factories import a_club, a_user


@dataclass(frozen=True)
class Description:
    file: Path
    says: dict[str, Any]

    def operation(self, path: str, method: str) -> dict[str, Any]:
        return self.says["paths"][path][method]


@pytest.fixture(scope="session")
def description(tmp_path_factory) -> Description:
    """Without a warning, and valid."""
    file = tmp_path_factory.mktemp("description") / "openapi.yml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    return Description(file, yaml.load(file.read_text(), yaml.CSafeLoader))


@pytest.fixture
def owner() -> User:
    return a_user()


@pytest.fixture
def club(owner) -> Club:
    return a_club(owner)
