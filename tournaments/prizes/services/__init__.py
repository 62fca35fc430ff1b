"""What changes prizes."""
