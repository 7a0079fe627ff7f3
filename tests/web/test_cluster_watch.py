"""Observations of groups while a cluster restarts."""

from tenure.admin import Admin
from tenure.limits.web import HISTORY_MS
from tenure.testing import Broker
from tenure.web.observation.cluster_watch import ClusterWatch


def test_cluster_watch__group_missing_for_a_while__history_kept_for_an_hour():
    now_s = 1_000.0
    with Broker() as broker, Admin(broker.address) as admin:
        broker.create_topic("t")
        watch = ClusterWatch(admin, lambda: now_s)
        broker.commit("g", {("t", 0): 0})
        watch.observe()
        history = watch.observations.groups["g"].history
        for away_s, is_kept in ((60, True), (HISTORY_MS / 1_000 + 1, False)):
            admin.delete_groups(["g"])
            now_s += away_s
            watch.observe()
            assert not watch.observations.groups
            broker.commit("g", {("t", 0): 0})
            watch.observe()
            assert (watch.observations.groups["g"].history is history) == is_kept
