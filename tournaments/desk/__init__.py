"""Command bar: a typed command is parsed (`engine.desk`) and carried out by other packages' services."""
