"""Generator of straight-line Python from the tables: one module per table file.

`layouts` finds the versions of a struct with the same layout and names one reader and one writer for each layout;
`classes`, `readers` and `writers` each write their part of a module; `modules` puts them together.
"""
