"""The interface of a page."""

from collections.abc import Mapping
from typing import Protocol

from tenure.web.parts import Parts


class NotFound(Exception):
    """The page is about something that does not exist."""


class Unusable(Exception):
    """The query of a page asks for something that cannot be computed."""


class Page(Protocol):
    """A page that is rendered on the server, and then updated part by part."""

    @property
    def is_live(self) -> bool:
        """True if it is updated."""

    @property
    def path(self) -> str:
        """Its address."""

    @property
    def template(self) -> str:
        """Template of the whole page, with its containers."""

    def title(self, query: Mapping[str, str]) -> str:
        """Return the title."""

    def parts(self, query: Mapping[str, str]) -> Parts:
        """Return its parts now, in their order. May block for queries. Raises NotFound, Unusable, and ClientError."""
