"""Pages of `docs/` as programs: their snippets, from top to bottom."""

import re
from contextlib import ExitStack
from pathlib import Path

from tenure.testing import Broker

DOCS = Path(__file__).parents[2] / "docs"


def snippets(page: str, count: int) -> list[str]:
    """Return the snippets; `count` is their number, so that a misspelt fence is noticed."""
    found = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    assert len(found) == count
    return found


def run(page: str, count: int) -> None:
    names: dict[str, object] = {}
    with ExitStack() as stack:
        stack.callback(lambda: [one.stop() for one in names.values() if isinstance(one, Broker)])
        for snippet in snippets(page, count):
            exec(compile(snippet, str(DOCS / page), "exec"), names)
