"""Kinds of audit actions: one frozen dataclass each (see `kinds`), by noun; stored by `models.trail`."""
