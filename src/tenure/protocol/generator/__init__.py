"""Generator of Python code from the tables. For each table, it generates one module per kind of code.

The generated code has no loops over fields. `layouts` finds the versions of a struct with the same layout; each layout
has one reader and one writer. `classes`, `readers` and `writers` generate the parts of a module, and `modules` joins
them.
"""
