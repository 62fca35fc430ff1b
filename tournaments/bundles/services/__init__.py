"""Write and import bundles. Messages are in English where operators read them in a terminal."""
