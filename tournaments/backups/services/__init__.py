"""Making a backup, and making a site from one. English alone: whoever runs the site reads it in a terminal."""
