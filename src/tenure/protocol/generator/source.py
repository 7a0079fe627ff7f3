"""Source text under construction, and the calls of the module `struct` that it needs."""

from typing import Final

INDENT: Final = "    "


class Source:
    """Source lines with indentation, and the packers and names of other modules that they use."""

    def __init__(self) -> None:
        self.lines: Final[list[str]] = []
        self.packers: Final[set[tuple[str, str]]] = set()
        self.depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines.append(INDENT * self.depth + line if line else "")

    def packer(self, verb: str, codes: str) -> str:
        """Return the name of `Packer(">codes").verb`; the code Z means bool."""
        self.packers.add((verb, codes))
        return packer_name(verb, codes)


def packer_name(verb: str, codes: str) -> str:
    return f"{verb}_{codes.replace('?', 'Z')}"
