"""One step of a working."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """What it is, the number, and how it comes about."""

    label: str
    value: str
    text: str
