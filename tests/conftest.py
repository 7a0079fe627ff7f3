"""For all tests: randomised ones print how to repeat them, and none fails because the machine was busy."""

import signal

from hypothesis import settings

settings.register_profile("tenure", deadline=None, print_blob=True)
settings.load_profile("tenure")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what runs in its background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what tests start has to hear Ctrl-C
