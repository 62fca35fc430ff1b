"""The director's page of prizes, and the file."""
