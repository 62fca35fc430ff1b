"""Pages for everybody: drawn once, whoever asks (docs/decisions/0057)."""
