"""Description of one transactional id, and list of all transactional ids in a shard (KIP-664)."""

from tenure.coordinator.answers import refuse
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.coordinator.transactions.answers import Described, Listed
from tenure.coordinator.transactions.commands import DescribeTransaction, ListTransactions
from tenure.coordinator.transactions.state import Transactions
from tenure.protocol.errors import ErrorCode


def describe_transaction(
    transactions: Transactions, ask: AskId, describe: DescribeTransaction, _: Now
) -> CoordinatorResult:
    found = transactions.by_id.get(describe.transactional_id)
    if found is None:
        return refuse(ask, ErrorCode.TRANSACTIONAL_ID_NOT_FOUND)
    return CoordinatorResult((), ((ask, Described(found.value)),))


def list_transactions(transactions: Transactions, ask: AskId, _: ListTransactions, now: Now) -> CoordinatorResult:  # noqa: ARG001
    listed = [(transactional_id, found.value) for transactional_id, found in transactions.by_id.items()]
    return CoordinatorResult((), ((ask, Listed(listed)),))
