"""The API's description, made once."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command


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
