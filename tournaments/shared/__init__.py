"""Labels and messages, fragments and frames of pages, and API values that several packages use."""
