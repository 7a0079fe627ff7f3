"""Parts of a page: HTML elements with an id. Only changed parts are sent to the browser."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import blake2s
from typing import Any, Final, NamedTuple, TypeAlias

from tenure.limits.web import PARTS_PAINTED_MAX

Parts: TypeAlias = "Sequence[Part]"

ID_BYTES: Final = 8
"""Length in bytes of the digest in the id of an element. Collisions among 100,000 names are very unlikely."""


class Part(NamedTuple):
    """HTML element of a page, which is sent to the browser when it has changed."""

    element_id: str
    container: str
    """Id of the element that contains it."""
    html: str
    """The element itself, with its id."""


def element_id(kind: str, *names: object) -> str:
    """Return an element id for names that clients chose. It contains no characters that need escaping."""
    digest = blake2s("\0".join(map(str, names)).encode(errors="surrogatepass"), digest_size=ID_BYTES)
    return f"{kind}-{digest.hexdigest()}"


def data_part(name: str, container: str, value: Any) -> Part:
    """Return a part with data for the page's scripts: JSON in a script element, which the browser does not execute."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return Part(name, container, f'<script type="application/json" id="{name}">{text}</script>')


def first_parts(parts: Parts) -> Parts:
    """Return the first parts of each container, which a browser draws at once."""
    counts = Counter[str]()
    found = []
    for part in parts:
        counts[part.container] += 1
        if counts[part.container] <= PARTS_PAINTED_MAX:
            found.append(part)
    return found


def update(before: Mapping[str, str] | None, after: Parts) -> dict[str, Any]:
    """Return the changes from a page with the parts `before` to one with the parts `after`; empty if there are none.

    `before` has the HTML of each part by element id. None means that the parts of the page are unknown. Then the result
    has all parts of `after`, and the page has to remove all other parts.
    """
    if before is None:
        return {"changed": after, "removed": [], "complete": True}
    changed = [part for part in after if before.get(part.element_id) != part.html]
    removed = sorted(before.keys() - {part.element_id for part in after})
    return {"changed": changed, "removed": removed} if changed or removed else {}
