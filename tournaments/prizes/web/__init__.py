"""Director's page of prizes, and their CSV file."""
