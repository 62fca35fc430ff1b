"""Changes of a stage: the next state as a value, the statuses of repairs, the data for an undo."""
