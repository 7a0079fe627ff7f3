"""For all tests: randomised ones print how to repeat them, and none fails because the machine was busy."""

from hypothesis import settings

settings.register_profile("tenure", deadline=None, print_blob=True)
settings.load_profile("tenure")
