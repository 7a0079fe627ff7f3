"""The compiled build: the rooms of the hot path as C extensions, made by mypyc from the same source.

`python -m compiled` (or `make compiled`) makes a wheel and installs it into a virtual environment of its own. Nothing
needs it: `pip install tenure` is pure Python, and both builds pass the same tests. `tenure --version` says which it is.
"""
