"""Names of users from the distinguished names of client certificates (`ssl.principal.mapping.rules`)."""

import re
from collections.abc import Callable
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.start_error import StartError

Mapping = Callable[[str], str]

RULE: Final = re.compile(r"\s*(?:(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?))\s*(?:,|$)")


def principal_mapping(text: str) -> Mapping:
    """Return a function from distinguished name to user name. The first rule that matches the whole name applies.

    The returned function raises ValueError if no rule matches. If a rule is invalid, this function raises StartError.
    """
    rules: list[Callable[[str], str | None]] = []
    at = 0
    while at < len(text):
        found = RULE.match(text, at)
        if found is None or found.end() == at:
            raise StartError(
                f"{keys.SSL_PRINCIPAL_MAPPING_RULES.name} has {text[at:]!r}, which is not a rule: "
                "write DEFAULT, or RULE:pattern/replacement/ with an optional L (lower case) or U (upper case) after it"
            )
        default, pattern, replacement, case = found.groups()
        rules.append((lambda name: name) if default else _rule(pattern, replacement, case))
        at = found.end()

    def apply(name: str) -> str:
        for rule in rules:
            if (user := rule(name)) is not None:
                return user
        raise ValueError(f"no rule of {keys.SSL_PRINCIPAL_MAPPING_RULES.name} matches the certificate's name {name!r}")

    return apply


def _rule(pattern: str, replacement: str, case: str) -> Callable[[str], str | None]:
    try:
        compiled = re.compile(pattern)
        template = re.sub(r"\\(.)|\$(\d)", _python_template, replacement)
        compiled.sub(template, "")
    except (re.error, IndexError) as error:
        raise StartError(
            f"{keys.SSL_PRINCIPAL_MAPPING_RULES.name} has the pattern {pattern!r}, which is not a regular expression "
            f"({error}): correct it"
        ) from None

    def rule(name: str) -> str | None:
        found = compiled.fullmatch(name)
        if found is None:
            return None
        user = found.expand(template)
        return user.lower() if case == "L" else user.upper() if case == "U" else user

    return rule


def _python_template(part: "re.Match[str]") -> str:
    """Convert an escaped character or a group reference of Java's replacement text to Python's notation."""
    escaped, group = part.groups()
    return f"\\g<{group}>" if group else escaped.replace("\\", "\\\\")
