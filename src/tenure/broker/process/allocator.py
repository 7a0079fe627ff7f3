"""Settings of the C library's memory allocator.

By default, the allocator returns the memory of a large response to the system, and the system must clear all pages
again for the next response. For a fetch of some megabytes, that takes most of the time. With these settings, freed
memory stays in the process.

The number of arenas is limited, because each arena reserves address space, which `ulimit -v` counts.
"""

import ctypes
from contextlib import suppress
from typing import Final

from tenure.limits.broker import FREED_BYTES_KEPT, LARGE_ANSWER_BYTES, MEMORY_ARENAS_MAX

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""`M_TRIM_THRESHOLD`, `M_MMAP_THRESHOLD` and `M_ARENA_MAX` in glibc's `malloc.h`."""


def configure_allocator() -> None:
    """Set the limits of glibc's allocator. Do nothing if the C library is not glibc, or rejects the settings.

    Threads that are running already keep their arenas.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, FREED_BYTES_KEPT)
        mallopt(_MMAP_THRESHOLD, LARGE_ANSWER_BYTES)
        mallopt(_ARENA_MAX, MEMORY_ARENAS_MAX)
