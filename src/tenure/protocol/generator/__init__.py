"""Writes straight-line Python from the tables: one module per table file.

`layouts` finds which versions of a struct look the same on the wire and names one reader and one writer for each such
look; `classes`, `readers` and `writers` each write their part of a module; `modules` puts them together.
"""
