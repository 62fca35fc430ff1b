"""What changes check-ins and who is here."""
