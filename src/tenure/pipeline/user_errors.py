"""Descriptions of errors in the user's functions, with the lines of the user's code."""

import sysconfig
import traceback
from types import FrameType
from typing import Final

from tenure.limits.pipeline import TRACEBACK_FRAMES_MAX
from tenure.pipeline.errors import describe_error

OWN_PACKAGE: Final = __name__.partition(".")[0]
LIBRARIES: Final = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def describe_user_error(error: BaseException) -> str:
    """Return the error and where it was raised: "ValueError: too low, at jobs/flights.py:12 in check"."""
    return describe_error(error) + raised_at(error)


def raised_at(error: BaseException) -> str:
    """Return the last frames of the user's code: ", at FILE:LINE in FUNCTION, called at …"; "" if there are none.

    Frames of Tenure, of Python and of installed packages are left out, unless the user's function itself belongs to an
    installed package. There are at most TRACEBACK_FRAMES_MAX frames.
    """
    found = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if not _is_own(frame)]
    frames = [(frame, line) for frame, line in found if not _file_of(frame).startswith(LIBRARIES)] or found
    calls = [
        f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}"
        for frame, line in reversed(frames[-TRACEBACK_FRAMES_MAX:])
    ]
    return f", at {', called at '.join(calls)}" if calls else ""


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == OWN_PACKAGE


def _file_of(frame: FrameType) -> str:
    """Return the source file of the frame's module.

    The file name in a compiled module's code may be relative to the source tree in which it was compiled, so `__file__`
    is preferred.
    """
    return str(frame.f_globals.get("__file__") or frame.f_code.co_filename)
