"""Errors of the rules: what is wrong as a code, and the number of the broken rule.

This module has codes, rule numbers and places only; messages are made elsewhere, by code. *Unreadable* means
that a text is not valid; *RuleError* means that it was understood and the rules do not allow it.
"""

from __future__ import annotations

from typing import Any

from faults import Fault


class RuleError(Exception):
    """Something was understood, but the rules do not allow it.

    `faults` has all errors, the first one also as `code`, `rule` (a number of docs/rules.md) and `params`.
    """

    def __init__(self, code: str, rule: str | None = None, /, **params: Any) -> None:
        super().__init__(code, rule, params)
        self.code = code
        self.rule = rule
        self.params: dict[str, Any] = params
        self.faults: tuple[Fault, ...] = (Fault(code, params=params, rule=rule),)

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return " ".join(part for part in (self.code, f"[{self.rule}]" if self.rule else "", details) if part)


def error_from_fault(fault: Fault) -> RuleError:
    """Return a `RuleError` with this one fault."""
    return RuleError(fault.code, fault.rule, **fault.params)


class FormatError(RuleError):
    """The settings of a match format contradict the rules; `faults` has all contradictions."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        first = faults[0]
        super().__init__(first.code, first.rule, **first.params)
        self.faults = faults

    def __str__(self) -> str:
        return "; ".join(f"{fault.code} [{fault.rule}]" for fault in self.faults)


class UnreadableId(RuleError):
    """A position ID, match ID or XGID is invalid. `place`: the index of the wrong character or field."""

    def __init__(self, code: str, place: int, /, **params: Any) -> None:
        super().__init__(code, None, place=place, **params)
        self.place = place


class UnknownCode(RuleError):
    """No entry of a registry has this code."""

    def __init__(self, registry: str, code: str) -> None:
        super().__init__("registry.unknown", None, registry=registry, code=code)
