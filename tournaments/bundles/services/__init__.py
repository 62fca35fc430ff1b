"""Writing a bundle, and taking one in. English alone where whoever runs the site reads it in a terminal."""
