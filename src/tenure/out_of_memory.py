"""Check whether an error was caused by a lack of memory."""

import errno


def is_out_of_memory(error: object) -> bool:
    """Return whether the system refused memory for an object, a library or the stack of a thread.

    SystemError counts too: CPython raises it if memory runs out while it handles another error.
    """
    return (
        isinstance(error, (MemoryError, SystemError))
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or (isinstance(error, ImportError) and "failed to map segment" in str(error))
        or (isinstance(error, RuntimeError) and str(error) in ("can't start new thread", "can't allocate lock"))
    )
