"""What follows from a change of a stage: the next state as a value, the statuses of repairs, what an undo has to know."""
