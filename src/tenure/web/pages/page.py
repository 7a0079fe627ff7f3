"""The interface of a page."""

from collections.abc import Mapping
from typing import Protocol

from tenure.web.parts import Parts


class NotFound(Exception):
    """The object of the page does not exist."""


class Unusable(Exception):
    """The query string of a page is invalid, or its result cannot be computed."""


class Page(Protocol):
    """Interface of a page that is rendered on the server and then updated part by part."""

    @property
    def is_live(self) -> bool:
        """True if the browser updates the page after loading it."""

    @property
    def path(self) -> str:
        """Path of the page in its URL."""

    @property
    def template(self) -> str:
        """Template of the whole page, with its containers."""

    def title(self, query: Mapping[str, str]) -> str:
        """Return the title of the page."""

    def parts(self, query: Mapping[str, str]) -> Parts:
        """Return the current parts of the page, from top to bottom.

        May block for queries. Raises NotFound, Unusable, and ClientError.
        """
