"""Topics that a move has created at its target."""

import pytest

from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.net.event_loop import run
from tenure.move.topic_plan import wait_until_known
from tenure.testing import Broker


def test_wait_until_known__broker_does_not_know_the_new_topic_yet__retriable_error_until_it_does(
    target: Broker,
) -> None:
    at = bootstrap(target.address)
    without_patience = Cluster(
        at.servers, client_id="move", request_timeout_ms=30_000, patience_ms=0, security=at.security
    )
    try:
        with pytest.raises(RetriableError, match="does not know the new topic 'new' yet"):
            run(wait_until_known(without_patience, ["new"]))
        target.create_topic("new", partitions=1)
        run(wait_until_known(without_patience, ["new"]))
    finally:
        without_patience.close()
