"""Compiled build: the modules of the hot path as C extensions, made by mypyc from the same source.

The build hook `hatch_build.py` adds them to a wheel. `python -m compiled` (or `make compiled`) makes such a wheel and
installs it into a virtual environment of its own. Both builds pass the same tests. `tenure --version` says which it is.
"""
