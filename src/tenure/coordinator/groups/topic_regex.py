"""Matching of topics against regular expressions, for subscriptions (rule 3.8).

As in Kafka, the syntax is that of RE2, and the library is Google's re2. For any expression, the time to match a name is
proportional to the length of the name.
"""

from collections.abc import Iterable
from typing import Any, Final, TypeVar

from tenure.limits.coordinator import TOPIC_REGEX_BYTES_MAX, TOPIC_REGEX_CHARACTERS_MAX

N = TypeVar("N", bound=str)

KAFKA_MESSAGES: Final = {
    "missing )": "missing closing )",
    "missing ]": "missing closing ]",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "trailing \\": "trailing backslash at end of expression",
    "invalid named capture group": "invalid named capture",
    "unexpected )": "regexp/syntax: internal error",
    "pattern too large - compile failed": "invalid repeat count",
}
"""Kafka's error message for each error message of the RE2 library that differs from it.

Kafka has no text for an expression that is too large. The text for an invalid repeat count is used instead.
"""


def why_invalid(pattern: str) -> str | None:
    """Return the error in a regular expression, as Kafka words it; None if the expression is valid."""
    import re2  # imported late, so that the start is faster

    if len(pattern) > TOPIC_REGEX_CHARACTERS_MAX:
        return f"it has {len(pattern)} characters, at most {TOPIC_REGEX_CHARACTERS_MAX} are allowed"
    try:
        _compiled(pattern)
    except re2.error as error:
        message = error.args[0]
        what = (message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)).partition(":")[0]
        return KAFKA_MESSAGES.get(what, what)
    except UnicodeEncodeError:
        return "invalid UTF-8"
    return None


def matching(pattern: str, names: Iterable[N]) -> tuple[N, ...]:
    """Return the names that match the whole expression, ascending.

    An invalid expression, which a log written by Kafka may contain, matches no name.
    """
    if why_invalid(pattern) is not None:
        return ()
    matches = _compiled(pattern).fullmatch
    return tuple(sorted(name for name in names if matches(name)))


def _compiled(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = TOPIC_REGEX_BYTES_MAX
    return re2.compile(pattern, options=options)
