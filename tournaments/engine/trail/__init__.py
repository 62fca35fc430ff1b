"""Kinds of audit actions, each a frozen dataclass (see `kinds`) in a module named for its subject.

`models.trail` stores them.
"""
