"""Lists of people as they come (pasted, CSV, spreadsheets): read into names and what is said of them. Never raises."""
