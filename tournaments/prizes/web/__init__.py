"""Director's page of prizes, and the file."""
