"""Services of prizes."""
