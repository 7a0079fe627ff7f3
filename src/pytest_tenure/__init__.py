"""Entry point of the pytest plugin: a package of its own, because pytest rewrites all modules of a plugin's package."""

from tenure.testing import plugin

__all__ = ["plugin"]
