"""Who is called to which table, in which order the board shows matches, and when it will all be over."""
