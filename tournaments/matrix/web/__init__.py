"""Pages of the players table."""
