"""The errors of the floor below, under the name that services know."""

from faults import Conflict, CrawfordError, Fault, Invalid, Missing, NotAllowed, Unreadable

__all__ = ["Conflict", "CrawfordError", "Fault", "Invalid", "Missing", "NotAllowed", "Unreadable"]
