"""Pages of check-in: the staff's list with a field for scanners, and self check-in."""
