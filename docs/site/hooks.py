"""Hooks of MkDocs: pages from outside of `docs/`, the API reference, and the navigation.

The Markdown files link to each other by their paths in the repository. The site has the pages of the root, such as
ARCHITECTURE.md, beside those of `docs/`, so links between the two are rewritten.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).parents[2]
OVERVIEW: Final = "overview.md"
"""README.md of the repository: `docs/README.md` is the index of the site."""

ROOT_PAGES: Final = {"README.md": OVERVIEW, "ARCHITECTURE.md": "ARCHITECTURE.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
API: Final = {
    "tenure.spark": "Pipelines",
    "tenure.client": "Clients",
    "tenure.client.errors": "Errors of clients",
    "tenure.admin": "Administration",
    "tenure.testing": "Testing",
    "tenure.assignors.server": "Assignors",
}
ITEM: Final = re.compile(r" *([-*]|\d+\.) +\S")
LINK: Final = re.compile(r"(?<=\]\()(?P<path>[^\s()#:]+)(?=[#)])")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config["nav"] = list(_navigation((ROOT / "docs" / "README.md").read_text("utf-8")))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name, page in ROOT_PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text("utf-8")))
    for path in _examples():
        files.append(File.generated(config, _example_page(path), content=_program(path)))
    for package, title in API.items():
        files.append(File.generated(config, _api_page(package), content=_reference(package, title)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Rewrite links that cross the border between `docs/` and the root of the repository."""
    here = page.file.src_uri
    at_root = here in ROOT_PAGES.values()

    def rewritten(found: re.Match[str]) -> str:
        path = found["path"]
        if at_root:
            path = ROOT_PAGES.get(path) or path.removeprefix("docs/")
        elif path.startswith("../"):
            path = re.sub(r"(?<!\.)\.\./(README\.md|ARCHITECTURE\.md|CONTRIBUTING\.md|examples/)", _from_root, path)
        return f"{path}.md" if re.fullmatch(r"(\.\./)*examples/\w+\.py", path) else path

    return _commonmark_lists(LINK.sub(rewritten, markdown))


def _from_root(found: re.Match[str]) -> str:
    return ROOT_PAGES.get(found[1], found[1])


def _commonmark_lists(text: str) -> str:
    """Return the text with its lists as Python-Markdown wants them.

    GitHub follows CommonMark: a list may follow a paragraph directly, and two or three spaces make it a nested one.
    Python-Markdown needs an empty line before a list, and four spaces.
    """
    lines: list[str] = []
    in_list = False
    fence_indent: int | None = None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if fence_indent is not None:
            lines.append(" " * fence_indent + line)
            fence_indent = None if line.lstrip().startswith("```") else fence_indent
        elif line.lstrip().startswith("```"):
            in_list = in_list and indent > 0
            fence_indent = indent if in_list else 0
            lines.append(" " * fence_indent + line)
        elif ITEM.match(line):
            if not in_list and lines and lines[-1].strip():
                lines.append("")
            in_list = True
            lines.append(" " * indent + line)
        else:
            in_list = in_list and (indent > 0 or not line or bool(lines[-1].strip()))
            lines.append(" " * (indent if in_list else 0) + line)
    return "\n".join(lines)


def _navigation(index: str) -> Iterator[dict[str, Any]]:
    """Yield the sections of the index, with its subsections and pages; and the API reference within *Reference*."""
    yield {"Overview": OVERVIEW}
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        title, _, text = section.partition("\n")
        direct, *groups = re.split(r"^### ", text, flags=re.MULTILINE)
        pages: list[Any] = [*_pages(direct), *({one.partition("\n")[0]: list(_pages(one))} for one in groups)]
        if title == "Start":
            pages.insert(0, {"Index": "README.md"})
        if title == "How to":
            pages.append({"Examples": [{path.name: _example_page(path)} for path in _examples()]})
        if title == "Reference":
            pages.append({"API": [{name: _api_page(package)} for package, name in API.items()]})
        yield {title: pages}


def _pages(text: str) -> Iterator[Any]:
    for title, path in re.findall(r"^- \[([^\]]+)\]\(([^)#]+)\)", text, re.MULTILINE):
        page = path.removeprefix("../")
        if page == "decisions/README.md":
            decisions = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
            yield {title: [page, *(f"decisions/{one.name}" for one in decisions)]}
        else:
            yield {title: page}


def _examples() -> list[Path]:
    return sorted(path for path in (ROOT / "examples").glob("*.py") if path.name != "__init__.py")


def _example_page(path: Path) -> str:
    return f"examples/{path.name}.md"


def _api_page(package: str) -> str:
    return f"api/{package}.md"


def _reference(package: str, title: str) -> str:
    """Return a page whose content mkdocstrings makes of docstrings."""
    return f"# {title}: `{package}`\n\n::: {package}\n    options:\n      show_root_heading: false\n"


def _program(path: Path) -> str:
    return f"# {path.name}\n\n```python\n{path.read_text('utf-8')}```\n"
