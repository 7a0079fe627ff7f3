"""Bounds of the system, each with its unit and its reason. Each package that has bounds has a module here.

The unit is the last part of a name. A bound that several packages use is in the module of one of these packages.
"""
