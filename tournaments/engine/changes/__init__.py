"""Changes of a stage: the next state as a value, statuses that repairs may set, data for an undo."""
