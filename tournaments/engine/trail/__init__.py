"""What the audit trail tells: one frozen dataclass for each kind of deed (`kinds`), grouped by noun. Kept by `models.trail`."""
