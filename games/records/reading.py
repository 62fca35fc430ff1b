"""What a reader hands over: a record and what it noticed on the way."""

from __future__ import annotations

from dataclasses import dataclass

from games.records.findings import Finding
from games.records.model import Record


@dataclass(frozen=True, slots=True)
class ReadResult:
    record: Record
    findings: tuple[Finding, ...] = ()
