"""Settings of the C library's allocator.

Memory that was freed stays with the process, for the next answer. Left to itself the library gives the memory of a
large answer back to the system as soon as it has left, and the system clears every page of the next one: of a fetch of
some megabytes that is most of the time.

Few threads have an area of memory of their own. Each reserves addresses, which `ulimit -v` counts.
"""

import ctypes
from contextlib import suppress
from typing import Final

from tenure.limits.broker import FREED_BYTES_KEPT, LARGE_ANSWER_BYTES, MEMORY_ARENAS_MAX

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_ARENA_MAX: Final = -8
"""Numbers of the parameters in `malloc.h`."""


def configure_allocator() -> None:
    """Set the limits of glibc's allocator; do nothing if the C library is another one or refuses.

    Running threads keep their areas.
    """
    with suppress(AttributeError, OSError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, FREED_BYTES_KEPT)
        mallopt(_MMAP_THRESHOLD, LARGE_ANSWER_BYTES)
        mallopt(_ARENA_MAX, MEMORY_ARENAS_MAX)
