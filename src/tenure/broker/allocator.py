"""Memory that was freed stays with the process, for the next answer.

Left to itself the C library gives the memory of a large answer back to the system as soon as it has left, and the
system clears every page of the next one: of a fetch of some megabytes that is most of the time.
"""

import ctypes
from contextlib import suppress
from typing import Final

from tenure.limits import FREED_BYTES_KEPT, LARGE_ANSWER_BYTES

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""As `malloc.h` has them."""


def keep_freed_memory() -> None:
    """Does nothing where the C library is not glibc, or does not take it."""
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, FREED_BYTES_KEPT)
        mallopt(_MMAP_THRESHOLD, LARGE_ANSWER_BYTES)
