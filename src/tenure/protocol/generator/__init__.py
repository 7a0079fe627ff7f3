"""Generator of Python code from the tables: for each table one module per kind of code, without loops over fields.

`layouts` finds the versions of a struct with the same layout; each layout has one reader and one writer. `classes`,
`readers` and `writers` generate the parts of a module, and `modules` joins them.
"""
