"""Make and restore backups. Messages are in English, because operators read them in a terminal."""
