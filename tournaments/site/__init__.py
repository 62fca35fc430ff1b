"""Pages that span several packages (event, dashboard, clubs, audit log), all URLs, the API for reading."""
