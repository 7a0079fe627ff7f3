"""An audit needs READ on one topic and DESCRIBE on those whose lag it shows, and changes nothing in the cluster."""

from __future__ import annotations

from pathlib import Path

from tenure.admin import Admin
from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.tables import GROUPS
from tenure.audit.log_end_samples import LogEndSampler
from tenure.audit.records.coordinator_records import TOPIC
from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.client.net.bootstrap import BOOTSTRAP_SERVERS
from tenure.client.queries.blocking import end_offsets
from tenure.protocol.acls import Acl, AclOperation, PatternType, Permission, ResourceType
from tenure.testing import Broker
from tenure.testing.security import BrokerSecurity
from tenure.values import TopicPartition
from tests.audit.comparing import rows
from tests.audit.without_spark import audit

AUDITOR = "auditor"


def allowed(topic: str, operation: int) -> Acl:
    return Acl(ResourceType.TOPIC, topic, PatternType.LITERAL, f"User:{AUDITOR}", "*", operation, Permission.ALLOW)


def test_audit__user_with_the_documented_acls__reads_everything_and_writes_nothing(tmp_path: Path) -> None:
    settings = {
        "authorizer.class.name": STANDARD_AUTHORIZER,
        "super.users": "User:admin",
        "offsets.topic.num.partitions": "1",
    }
    security = BrokerSecurity("SASL_PLAINTEXT", users={"admin": "his", AUDITOR: "its"})
    with Broker(settings, security=security) as broker:
        for topic in ("orders", "secret"):
            broker.create_topic(topic)
            broker.produce(topic, ["a", "b", "c"])
        broker.commit("billing", {("orders", 0): 1, ("secret", 0): 1})
        admin = broker.credentials("admin").librdkafka
        with Admin(admin) as admins:
            admins.create_acls([allowed(TOPIC, AclOperation.READ), allowed("orders", AclOperation.DESCRIBE)])
        place = TopicPartition(TOPIC, 0)
        before = end_offsets(admin, [place])
        directory, user = AuditDirectory.at(tmp_path), broker.credentials(AUDITOR).librdkafka
        rest = {key: value for key, value in user.items() if key != BOOTSTRAP_SERVERS}
        audit(broker.address, directory, max_records=100, security=rest)
        LogEndSampler(user, directory).sample()
        write_findings(directory)
        assert end_offsets(admin, [place]) == before
        with Admin(admin) as admins:
            assert [group.group_id for group in admins.list_groups()] == ["billing"]
    (group,) = rows(directory, GROUPS)
    assert (group["group"], group["commits"]) == ("billing", 2)
    assert group["lag"] == 2, "the lag in the topic that the user may describe"
