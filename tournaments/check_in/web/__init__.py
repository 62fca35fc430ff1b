"""The list of the desk, the field for scanners, the page of a player."""
