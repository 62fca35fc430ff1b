"""Making, publishing and unpublishing the draw of a stage.

Algorithms: `engine.brackets`, `engine.pairing`.
"""
