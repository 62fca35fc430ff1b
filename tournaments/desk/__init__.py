"""The command bar of the staff.

A typed command is parsed (`engine.desk`) and done by other packages' services.
"""
