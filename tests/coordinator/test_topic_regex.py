"""Regular expressions of subscriptions: RE2's syntax, with the error texts of Kafka's library (rule 3.8)."""

import pytest

from tenure.coordinator.groups.topic_regex import matching, why_invalid

NAMES = ("a", "ab", "aab", "a.b", "A", "__consumer_offsets", "orders-eu")


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a", "missing closing )"),
        ("[a", "missing closing ]"),
        ("x)", "regexp/syntax: internal error"),
        ("*a", "missing argument to repetition operator"),
        ("a**", "invalid nested repetition operator"),
        ("a{2,1}", "invalid repeat count"),
        ("a{1001}", "invalid repeat count"),
        ("[z-a]", "invalid character class range"),
        (r"\pX", "invalid character class range"),
        (r"\q", "invalid escape sequence"),
        (r"(a)\1", "invalid escape sequence"),
        ("(?=a)", "invalid or unsupported Perl syntax"),
        ("(?<=a)b", "invalid or unsupported Perl syntax"),
        ("a\\", "trailing backslash at end of expression"),
        ("(?P<1)>a", "invalid named capture"),
        ("((a{100}){100}){10}", "invalid repeat count"),
        ("(((a{9}){9}){9}.{999}){1,9}" * 99, "invalid repeat count"),
        ("\ud800", "invalid UTF-8"),
        ("a" * 32_768, "it has 32768 characters, at most 32767 are allowed"),
    ],
)
def test_topic_regex__invalid__same_message_as_kafkas_library(pattern: str, why: str) -> None:
    assert why_invalid(pattern) == why
    assert matching(pattern, NAMES) == ()


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("a", ("a",)),
        ("a.*", ("a", "a.b", "aab", "ab")),
        (r"a\.b", ("a.b",)),
        ("(?i)a", ("A", "a")),
        ("^a|ab$", ("a", "ab")),
        ("__.*", ("__consumer_offsets",)),
        (r"[[:alpha:]]+-\w+", ("orders-eu",)),
        ("", ()),
        ("nobody", ()),
        ("|".join([*(f"{number:03}" + "t" * 246 for number in range(130)), "aab"]), ("aab",)),
    ],
)
def test_topic_regex__list_of_topic_names__names_that_match_as_a_whole(pattern: str, names: tuple[str, ...]) -> None:
    assert why_invalid(pattern) is None
    assert matching(pattern, NAMES) == names  # type: ignore[arg-type]
