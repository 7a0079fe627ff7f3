"""Links between the Markdown files of the repository, and the check that finds broken ones."""

from pathlib import Path

import pytest

from tests.docs.links import ROOT, anchors, broken_links, markdown_files

PAGE = """\
# Start here

## `on.unreleased`: what a *member* does
## Twice
## Twice

```
# not a heading, [not a link](nowhere.md)
```
"""


def test_links__in_all_markdown_files__have_a_target() -> None:
    files = list(markdown_files())
    assert ROOT / "README.md" in files
    assert len(files) > 30
    assert [f"{path.relative_to(ROOT)}:{link}" for path in files for link in broken_links(path)] == []


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("[a](other.md)", None),
        ("[a](other.md#start-here)", None),
        ("[`a` b](#below)", None),
        ("![a](picture.png)", None),
        ("[a](https://example.com/nowhere)", None),
        ("`[a](nowhere.md)`", None),
        ("[a](nowhere.md)", "no such file"),
        ("[a [b] c](nowhere.md)", "no such file"),
        ("![a](nowhere.png)", "no such file"),
        ("[a][b]\n\n[b]: nowhere.md", "no such file"),
        ("[a](other.md#nowhere)", "no such heading"),
        ("[a](other.md#not-a-heading-not-a-link)", "no such heading"),
        ("[a](#nowhere)", "no such heading"),
        ("[a](.)", "a directory"),
        ("[a](/other.md)", "absolute path"),
        ("[a]()", "no target"),
    ],
)
def test_link_check__valid_and_broken_links_of_each_kind__broken_ones_found(
    tmp_path: Path, link: str, reason: str | None
) -> None:
    (tmp_path / "other.md").write_text(PAGE)
    (tmp_path / "picture.png").touch()
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n## Below\n\n{link}\n")
    found = list(broken_links(page))
    assert len(found) == (reason is not None)
    assert all(line.partition(": ")[2].partition(": ")[2].startswith(str(reason)) for line in found)


def test_heading_anchors__of_a_page__same_as_on_github(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    assert anchors(tmp_path / "page.md") == {"start-here", "onunreleased-what-a-member-does", "twice", "twice-1"}
