"""Bounds of the system, each with its unit and its reason: one module per package that has bounds.

The unit is the last part of a name. A bound that several packages use is in the module of the lowest of them.
"""
