"""Services that change check-ins."""
