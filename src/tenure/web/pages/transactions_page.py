"""Page of transactions: the open ones, and the hanging ones if the user requests them."""

import time
from collections.abc import Mapping
from typing import Final, NamedTuple

from tenure.admin import Admin
from tenure.admin.open_transactions import PartitionProducer
from tenure.admin.transactions import TransactionDescription, TransactionListing
from tenure.client.errors import RequestRefused, UnsupportedByBroker
from tenure.limits.web import CACHE_S, HANGING_AFTER_MS, HANGING_SEARCH_S, ROWS_MAX
from tenure.protocol.errors import ErrorCode
from tenure.web.pages.cached import Cached
from tenure.web.parts import Part, Parts, element_id
from tenure.web.templates import macro

CLOSED: Final = frozenset({"Empty", "CompleteCommit", "CompleteAbort", "Dead"})
"""States in which a transactional id has no open transaction."""


class Transactions(NamedTuple):
    """Open transactions, and the transactional ids without an open transaction."""

    open: tuple[TransactionDescription, ...]
    closed: tuple[TransactionListing, ...]
    is_supported: bool = True
    """False if the broker does not list transactions: Kafka does so from version 3.0 on."""


class TransactionsPage:
    """Page with the open transactions, then the transactional ids without an open transaction.

    With `hanging` in the query, the page also searches for hanging transactions.
    """

    path = "/transactions"
    template = "transactions.html"
    is_live = True

    def __init__(self, admin: Admin, *, changes_allowed: bool) -> None:
        self._admin: Final = admin
        self._changes_allowed: Final = changes_allowed
        self._transactions: Final = Cached(self._list, CACHE_S)
        self._hanging: Final = Cached(self._find_hanging, HANGING_SEARCH_S)

    def title(self, query: Mapping[str, str]) -> str:  # noqa: ARG002
        return "Transactions"

    def parts(self, query: Mapping[str, str]) -> Parts:
        opened, closed, is_supported = self._transactions.get()
        more = max(0, len(opened) + len(closed) - ROWS_MAX)
        rows = [
            *(_part(found.transactional_id, "open_row", found) for found in opened[:ROWS_MAX]),
            *(_part(found.transactional_id, "closed_row", found) for found in closed[: max(0, ROWS_MAX - len(opened))]),
            Part("left-out", "more", macro("_page.html", "left_out", more, "tenure transactions list")),
        ]
        if not is_supported:
            rows.append(Part("unsupported", "more", macro("_transactions.html", "unsupported")))
        if "hanging" in query:
            html = macro("_transactions.html", "hanging", self._hanging.get(), HANGING_AFTER_MS, self._changes_allowed)
            rows.append(Part("hanging", "hanging-card", html))
        return rows

    def discard_results(self) -> None:
        """Discard the cached results, because a user has changed the cluster."""
        self._transactions.discard()
        self._hanging.discard()

    def _list(self) -> Transactions:
        try:
            listed = self._admin.list_transactions()
        except UnsupportedByBroker:
            return Transactions((), (), is_supported=False)
        opened = [self._describe(found) for found in listed if found.state not in CLOSED]
        return Transactions(
            tuple(found for found in opened if found is not None),
            tuple(found for found in listed if found.state in CLOSED),
        )

    def _describe(self, found: TransactionListing) -> TransactionDescription | None:
        try:
            return self._admin.describe_transactions([found.transactional_id])[0]
        except RequestRefused as error:
            if error.error_code is ErrorCode.TRANSACTIONAL_ID_NOT_FOUND:  # removed meanwhile
                return None
            raise

    def _find_hanging(self) -> list[PartitionProducer]:
        silent_since_ms = int(time.time() * 1000) - HANGING_AFTER_MS
        return self._admin.find_hanging_transactions(None, silent_since_ms=silent_since_ms)


def _part(transactional_id: str, row: str, found: TransactionListing | TransactionDescription) -> Part:
    row_id = element_id("transaction", transactional_id)
    return Part(row_id, "transactions", macro("_transactions.html", row, row_id, found))
