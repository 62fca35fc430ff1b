"""Making, publishing and taking back the draw of a stage. How a draw comes about: `engine.brackets`, `engine.pairing`."""
