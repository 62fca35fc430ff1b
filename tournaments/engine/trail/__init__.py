"""What the audit trail tells: one frozen dataclass for each kind of action (`kinds`), grouped by noun. Kept by `models.trail`."""
