"""Parser of `group.consumer.assignors`, the list of assignors that members of consumer groups can select.

Tenure's own assignors are listed by name, user-defined ones by import path: `package.module:Name` is an assignor, or a
class that creates one when it is called without arguments. Members select an assignor by its `name`.
`tenure.assignors.server` defines the interface.
"""

from importlib import import_module
from typing import Any, Final

from tenure.broker.config.keys import GROUP_CONSUMER_ASSIGNORS
from tenure.broker.config.start_error import StartError
from tenure.coordinator.groups.configs import items

OURS: Final = ("uniform", "range")


def server_assignors(text: str) -> tuple[tuple[str, ...], dict[str, object]]:
    """Return the names of all assignors in order, and the user-defined assignors by name. Raises StartError."""
    names: list[str] = []
    own: dict[str, object] = {}
    for item in items(text):
        if item in OURS:
            name = item
        elif ":" in item:
            name, own[name] = _imported(item)
        else:
            raise _wrong(
                f"names {item}, which is not one of {', '.join(OURS)}", "write package.module:Name for your own"
            )
        if name in names:
            raise _wrong(f"names two assignors {name}", "give each a different name")
        names.append(name)
    if not names:
        raise _wrong("is empty", f"write {','.join(OURS)}")
    return tuple(names), own


def _imported(path: str) -> tuple[str, object]:
    module, _, attribute = path.partition(":")
    try:
        found: Any = getattr(import_module(module), attribute)
        assignor = found() if isinstance(found, type) else found
    except Exception as error:  # a user's module may raise anything
        why = f"{type(error).__name__}: {error}"
        raise _wrong(f"names {path}, which cannot be imported ({why})", "correct it, or set PYTHONPATH") from error
    name = getattr(assignor, "name", None)
    if not isinstance(name, str) or not name.strip() or not callable(getattr(assignor, "assign", None)):
        raise _wrong(f"names {path}, which is not an assignor", "give it a string `name` and a method `assign`")
    return name, assignor


def _wrong(problem: str, remedy: str) -> StartError:
    return StartError(f"{GROUP_CONSUMER_ASSIGNORS.name} {problem}: {remedy}")
