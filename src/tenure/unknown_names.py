"""Error message for an unknown name of a setting or config, with the most similar valid name."""

from collections.abc import Iterable


def unknown_name(kind: str, name: str, known: Iterable[str], *, origin: str = "", otherwise: str = "") -> str:
    """Return a sentence such as `Unknown setting 'grop.id': did you mean 'group.id'?`.

    Args:
        kind: Kind of the name.
        name: Name that the user wrote.
        known: Valid names.
        origin: Place where the user wrote the name; "" for none.
        otherwise: Hint if no valid name is similar; "" for none.
    """
    from difflib import get_close_matches  # imported late, because the broker starts without it

    near = get_close_matches(name.replace("_", "."), list(known), n=1)
    hint = f"did you mean '{near[0]}'?" if near else otherwise
    return f"Unknown {kind} '{name}'" + (f" ({origin})" if origin else "") + (f": {hint}" if hint else "")
