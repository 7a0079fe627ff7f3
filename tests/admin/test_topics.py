"""Topics that a controller has created before the brokers list them."""

import pytest

from tenure.admin.topics import wait_until_known
from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.net.event_loop import run
from tenure.testing import Broker


def test_wait_until_known__broker_does_not_list_the_new_topic_yet__retriable_error_until_it_does() -> None:
    with Broker() as broker:
        at = bootstrap(broker.address)
        without_patience = Cluster(
            at.servers, client_id="admin", request_timeout_ms=30_000, patience_ms=0, security=at.security
        )
        try:
            with pytest.raises(RetriableError, match="'new' was created, but the brokers do not list it yet"):
                run(wait_until_known(without_patience, ["new"]))
            broker.create_topic("new", partitions=1)
            run(wait_until_known(without_patience, ["new"]))
        finally:
            without_patience.close()
