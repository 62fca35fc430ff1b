"""Reading of lists of people (pasted, CSV, spreadsheets) into names and details. Parsing never raises."""
