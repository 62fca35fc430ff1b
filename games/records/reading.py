"""What a reader hands over: a record, what it noticed on the way, and what the file knows beside the record."""

from __future__ import annotations

from dataclasses import dataclass

from games.records.analysis import NOTHING_MORE, Analysis
from games.records.findings import Finding
from games.records.model import Record


@dataclass(frozen=True, slots=True)
class ReadResult:
    record: Record
    findings: tuple[Finding, ...] = ()
    analysis: Analysis = NOTHING_MORE
