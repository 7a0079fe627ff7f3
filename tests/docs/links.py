"""Check of the links in all Markdown files of the repository: files and anchors must exist.

`python -m tests.docs.links` prints the broken links and exits with status 1 if there are any. Links to other hosts are
not checked.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parents[2]
BUILD_DIRECTORIES = frozenset({"build", "dist", "out"})

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+).*?^ *(?P=fence)`*[ \t]*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^\s()<>]*)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?\s*$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$", re.MULTILINE)
_URL_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def markdown_files(root: Path = ROOT) -> Iterator[Path]:
    """Yield all Markdown files but those in hidden directories and in directories of build results."""
    for directory, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in BUILD_DIRECTORIES)
        yield from (Path(directory, name) for name in sorted(files) if name.endswith(".md"))


def broken_links(path: Path) -> Iterator[str]:
    """Yield "line: target: reason" for each broken link of a file."""
    text = _without_code(path.read_text("utf-8"))
    for found in (*_LINK.finditer(text), *_REFERENCE.finditer(text)):
        if reason := _reason(path, found[1]):
            yield f"{text.count(chr(10), 0, found.start()) + 1}: {found[1] or '(empty)'}: {reason}"


def anchors(path: Path) -> frozenset[str]:
    """Return the anchors of a page's headings, as GitHub and the site make them."""
    return _anchors(path.resolve())


def _reason(page: Path, target: str) -> str | None:
    if _URL_SCHEME.match(target):
        return None
    name, _, anchor = unquote(target).partition("#")
    linked = page.parent / name if name else page
    if not name and not anchor:
        return "no target"
    if name.startswith("/"):
        return "absolute path; links are relative"
    if not linked.exists():
        return "no such file"
    if linked.is_dir():
        return "a directory; name a file, because the site has no listings"
    if anchor and linked.suffix == ".md" and anchor not in anchors(linked):
        return "no such heading"
    return None


@cache
def _anchors(path: Path) -> frozenset[str]:
    seen: Counter[str] = Counter()
    found = []
    for heading in _HEADING.findall(_without_fences(path.read_text("utf-8"))):
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        found.append(f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += 1
    return frozenset(found)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _without_fences(text: str) -> str:
    return _FENCE.sub(_blank, text)


def _without_code(text: str) -> str:
    """Blank out code, and keep the line numbers."""
    return _CODE.sub(_blank, _without_fences(text))


def main() -> int:
    broken = [f"{path.relative_to(ROOT)}:{link}" for path in markdown_files() for link in broken_links(path)]
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
