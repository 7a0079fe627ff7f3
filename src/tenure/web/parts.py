"""Parts of a page: pieces of HTML with an id, of which only those that changed are sent again."""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2s
from typing import Any, Final, NamedTuple, TypeAlias

Parts: TypeAlias = "Sequence[Part]"

ID_BYTES: Final = 8
"""Length of the digest in the id of an element: no collisions among 100,000 names."""


class Part(NamedTuple):
    """An element of a page."""

    element_id: str
    container: str
    """Id of the element that contains it."""
    html: str
    """The element itself, with its id."""


def element_id(kind: str, *names: object) -> str:
    """Return an id for names that clients chose, so that they need no escape."""
    digest = blake2s("\0".join(map(str, names)).encode(errors="surrogatepass"), digest_size=ID_BYTES)
    return f"{kind}-{digest.hexdigest()}"


def data_part(name: str, container: str, value: Any) -> Part:
    """Return data for the page's scripts, as an element that is not executed."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return Part(name, container, f'<script type="application/json" id="{name}">{text}</script>')


def update(before: Mapping[str, str], after: Parts) -> dict[str, Any]:
    """Return what a page with the parts `before` (HTML by id) must replace, append or remove; empty if nothing."""
    changed = [part for part in after if before.get(part.element_id) != part.html]
    removed = sorted(before.keys() - {part.element_id for part in after})
    return {"changed": changed, "removed": removed} if changed or removed else {}
