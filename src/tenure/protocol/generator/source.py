"""Source code under construction, with the packers of the module `struct` that it needs."""

from typing import Final

INDENT: Final = "    "


class Source:
    """Indented source lines, with the packers and imported names that they use."""

    def __init__(self) -> None:
        self.lines: Final[list[str]] = []
        self.packers: Final[set[tuple[str, str]]] = set()
        self.depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines.append(INDENT * self.depth + line if line else "")

    def packer(self, verb: str, codes: str) -> str:
        """Return the name under which the generated module defines the method `verb` of `Packer(">codes")`.

        In the name, Z stands for the struct code `?`, a bool.
        """
        self.packers.add((verb, codes))
        return packer_name(verb, codes)


def packer_name(verb: str, codes: str) -> str:
    return f"{verb}_{codes.replace('?', 'Z')}"
