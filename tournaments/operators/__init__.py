"""Actions of site operators: hide, remove, restore, merge, suspend, answer reports.

Each action has a reason and a row in the operators' audit log.
"""
