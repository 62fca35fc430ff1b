"""Pages that show many rooms (event, dashboard, clubs, home, trail), all addresses, and the API for reading."""
