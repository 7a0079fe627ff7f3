"""pytest rewrites the package that names a plugin, module by module: this one, not the whole of `tenure`."""

from tenure.testing import plugin

__all__ = ["plugin"]
