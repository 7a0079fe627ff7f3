import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "assignors.md"


def test_page__its_snippets_from_top_to_bottom__all_true() -> None:
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(snippets) == 8
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, str(PAGE), "exec"), names)
