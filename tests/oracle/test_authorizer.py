"""Decisions about random ACLs equal those of Apache Kafka's StandardAuthorizer, which runs from its jar."""

import subprocess
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.authorizer import Authorizer
from tests.apache_kafka import javac, jvm, quick_jvm
from tests.coordinator.acl_sets import HOSTS, NAMES, OPERATIONS, PRINCIPALS, TYPES, random_acls
from tests.oracle.conftest import require_kafka

pytestmark = pytest.mark.oracle

SOURCE: Final = Path(__file__).with_name("Decisions.java")
SETS: Final = 100
DECISIONS_OF_A_SET: Final = 150
PATIENCE_S: Final = 200.0


def test_authorizer_decisions__random_acls__same_as_apache_kafkas(tmp_path: Path) -> None:
    require_kafka()
    lines: list[str] = []
    ours: list[bool] = []
    for seed in range(SETS):
        random = Random(f"apache kafka {seed}")
        acl_set = random_acls(random)
        acls = Acls()
        lines.append("\t".join(["new", str(acl_set.allows_without_acls).lower(), ";".join(acl_set.super_users)]))
        for number, acl in enumerate(acl_set.acls):
            acls.put(number.to_bytes(16, "big"), acl)
            lines.append("\t".join(["acl", *(str(int(word)) if isinstance(word, int) else word for word in acl)]))
        authorizer = Authorizer(
            lambda acls=acls: acls,  # type: ignore[misc]
            acl_set.super_users,
            allows_without_acls=acl_set.allows_without_acls,
        )
        for _ in range(DECISIONS_OF_A_SET):
            client = random.choice(PRINCIPALS), random.choice(HOSTS)
            operation, kind = random.choice(OPERATIONS), random.choice(TYPES)
            name = random.choice((*NAMES, ""))
            lines.append("\t".join(["ask", *client, str(int(operation)), str(int(kind)), name]))
            ours.append(authorizer.allows(client, operation, kind, name or None))
    theirs = decisions(tmp_path, lines)
    assert len(ours) > 10_000
    assert 0.1 < sum(ours) / len(ours) < 0.9, "both decisions are compared"
    asked = [line for line in lines if line.startswith("ask")]
    assert [(line, one) for line, one in zip(asked, ours, strict=True)] == list(zip(asked, theirs, strict=True))


def decisions(directory: Path, lines: list[str]) -> list[bool]:
    compiled = directory / "classes"
    javac(SOURCE, compiled)
    command = jvm("256M", "Decisions", [], quick_jvm())
    command[command.index("-cp") + 1] += f":{compiled}"
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    return [line == "true" for line in done.stdout.splitlines() if line in ("true", "false")]
