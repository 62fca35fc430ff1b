"""Making, publishing and unpublishing the draw of a stage.

The algorithms are in `engine.brackets` and `engine.pairing`.
"""
