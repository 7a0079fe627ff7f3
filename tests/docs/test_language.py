"""Language of docstrings, comments, messages and commit subjects. Ruff and codespell check the rest (`make lint`).

Each finding names the file, the line and the remedy.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.links import ROOT

PLACES = (
    *(f"src/tenure/{path.name}" for path in sorted((ROOT / "src" / "tenure").iterdir()) if path.name[0] != "_"),
    *("src/pyspark_tenure", "src/pytest_tenure", "tests", "bench", "examples", "compiled", "release", "hatch_build.py"),
)
GENERATED = "generated"
TESTS = ("tests", "bench")
"""Places whose string literals are not checked: there, names such as 'nobody' are unknown members."""

START = re.compile(
    r"(Whatever|What|Whether|Whoever|Whomever|Whom|Whose|Who|However|How|Of|That|Where|Whenever|When|Why|Which"
    r"|Nothing|Nobody|Somebody|Anybody|Everybody)\b"
)
QUOTED_START = re.compile(rf'"""{START.pattern}')
START_REMEDY = "begin with an imperative verb (function) or a noun phrase (all others)"
WORDS = {
    re.compile(r"\b(?-i:(?!NOBODY))(nobody|somebody|anybody|everybody|whoever|whomever)\b", re.IGNORECASE): (
        "name the process, member, client or reader"
    ),
    re.compile(r"\b(house|doors?|held against|so be it)\b", re.IGNORECASE): "say it without a metaphor",
    re.compile(r"\b(anew|errands?|farewells?|henceforth|lest|midst)\b", re.IGNORECASE): "use a common word",
}
SUBJECT_CHARACTERS_MAX = 72
SUBJECT_START = re.compile(rf"(A|An|The|It|Its|No|[a-z]\w*)\b|{START.pattern}")


# --- sources ----------------------------------------------------------------------------------------------------------


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of all docstrings, those of attributes included."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            value = getattr(statement, "value", None)
            if isinstance(statement, ast.Expr) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield statement.lineno, value.value


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of all comments."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def messages(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of all string literals but docstrings."""
    documented = set(docstrings(source))
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and (node.lineno, node.value) not in documented
        ):
            yield node.lineno, node.value


def findings(source: str, *, in_literals: bool = True) -> list[str]:
    """Return "line: finding: remedy" for each finding in a source."""
    found = []
    if QUOTED_START.search(source):
        found += [
            (line, f"docstring begins with '{start[0]}': {START_REMEDY}")
            for line, text in docstrings(source)
            if (start := START.match(text))
        ]
    if any(word.search(source) for word in WORDS):
        texts = (*docstrings(source), *comments(source), *(messages(source) if in_literals else ()))
        found += [
            (line, f"'{used[0]}': {remedy}")
            for word, remedy in WORDS.items()
            for line, text in texts
            for used in word.finditer(text)
        ]
    return [f"{line}: {finding}" for line, finding in sorted(found)]


@pytest.mark.parametrize("place", PLACES)
def test_python_sources__each_package__in_plain_english(place: str) -> None:
    path = ROOT / place
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    sources = [file for file in files if GENERATED not in file.relative_to(ROOT).parts and file != Path(__file__)]
    found = [
        f"{file.relative_to(ROOT)}:{finding}"
        for file in sources
        for finding in findings(file.read_text("utf-8"), in_literals=place not in TESTS)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "finding"),
    [
        ('"""What a group has."""', "1: docstring begins with 'What'"),
        ('x = 1\n"""Of a group."""', "2: docstring begins with 'Of'"),
        ('def f():\n    """Whether it runs."""', "2: docstring begins with 'Whether'"),
        ("x = 1  # nobody reads it", "1: 'nobody'"),
        ('raise E(f"{x}: whoever reads it")', "1: 'whoever'"),
        ('"""Group.\n\nA door.\n"""', "1: 'door'"),
    ],
)
def test_language_findings__source_with_faults__name_line_and_remedy(source: str, finding: str) -> None:
    (found,) = findings(source)
    assert found.startswith(finding)
    assert found.count(": ") == 2


def test_language_findings__source_in_plain_english__none() -> None:
    source = '"""Group."""\n\n\ndef f():\n    """Return the owner, or NOBODY."""  # NOBODY is a constant\n'
    assert findings(source) == []


# --- commits ----------------------------------------------------------------------------------------------------------


def wrong_subject(subject: str) -> str | None:
    """Return the remedy for a commit's subject; None if it is right."""
    if len(subject) > SUBJECT_CHARACTERS_MAX:
        return f"{len(subject)} characters: use at most {SUBJECT_CHARACTERS_MAX}"
    if subject.endswith("."):
        return "remove the period at the end"
    if SUBJECT_START.match(subject):
        return "begin with a verb in the imperative and a capital letter"
    return None


def subjects_since_this_rule() -> list[str]:
    """Return the subjects of commits after the one that added this file; none without a git history."""

    def git(*arguments: str) -> list[str]:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
        return done.stdout.splitlines() if done.returncode == 0 else []

    if not (ROOT / ".git").exists():  # an unpacked archive, perhaps within another repository
        return []
    added = git("log", "-1", "--diff-filter=A", "--format=%H", "--", str(Path(__file__).relative_to(ROOT)))
    return git("log", "--no-merges", "--format=%s", f"{added[0]}..HEAD") if added else []


def test_commit_subjects__since_the_rule_exists__have_the_required_form() -> None:
    wrong = [f"'{subject}': {remedy}" for subject in subjects_since_this_rule() if (remedy := wrong_subject(subject))]
    assert wrong == []


@pytest.mark.parametrize(
    ("subject", "is_right"),
    [
        ("Fence commits of removed members", True),
        ('Revert "Fence commits of removed members"', True),
        ("Fence commits of removed members.", False),
        ("fence commits of removed members", False),
        ("A member less", False),
        ("What a message holds is asked", False),
        ("Fence " + "commits " * 9, False),
    ],
)
def test_commit_subject__valid_or_invalid__remedy_only_for_the_invalid_one(subject: str, is_right: bool) -> None:
    assert (wrong_subject(subject) is None) is is_right
