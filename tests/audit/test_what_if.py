"""Replays of a scripted day: a replay equals the tables of the day, and a change improves the result."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.findings.group_findings import write_findings
from tenure.audit.findings.summary import summary_of
from tenure.audit.report.report import write_report
from tenure.audit.tables import COMMITS
from tenure.whatif import GroupChange, WhatIfError, forecast
from tenure.whatif.advice import advice_for, advisor
from tenure.whatif.audited import AuditedGroups
from tenure.whatif.history import StepKind
from tests.audit.collecting import write_tables
from tests.audit.conftest import LOG_PARTITIONS, Day
from tests.command_line import app


@pytest.fixture(scope="module")
def audited(day: Day, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("audited")
    write_tables(day.address, LOG_PARTITIONS, directory)
    write_findings(AuditDirectory.at(directory))
    return directory


def test_audited_history__deployment_and_crash__closed_and_killed_members_found(audited: Path) -> None:
    situation, history = AuditedGroups(AuditDirectory.at(audited)).group("orders")
    assert (len(situation.seats), situation.static_members) == (3, 0)
    assert dict(situation.partitions) == {"t": 6}
    kinds = [step.kind for step in history.steps]
    assert kinds.count(StepKind.CLOSE) == 3, "the deployment"
    assert kinds.count(StepKind.KILL) == 1, "the crash"
    assert [step.at_ms for step in history.steps] == sorted(step.at_ms for step in history.steps)
    found = forecast(situation, history, GroupChange(static=True))
    assert found.after is not None
    assert found.before.rebalances >= 7
    assert found.after.moved < found.before.moved


def test_audited_history__static_member_returned__no_rebalance_in_the_replay(audited: Path) -> None:
    situation, history = AuditedGroups(AuditDirectory.at(audited)).group("billing")
    assert situation.static_members == len(situation.seats) == 2
    assert [step.kind for step in history.steps] == [StepKind.KILL, StepKind.START]
    assert forecast(situation, history).before.rebalances == 0


def test_audited_history__member_of_a_consumer_group_joined_and_left__both_steps_found(audited: Path) -> None:
    situation, history = AuditedGroups(AuditDirectory.at(audited)).group("clicks")
    assert situation.group_protocol == "consumer"
    assert [step.kind for step in history.steps][-2:] == [StepKind.START, StepKind.CLOSE]
    assert dict(situation.partitions) == {"t": 6}, "the name of the topic id is that of the commits"
    before = forecast(situation, history).before
    assert (before.rebalances, before.moved) == (2, 4)


def test_audited_history__name_of_a_topic_id_unknown__error_with_the_remedy(audited: Path, tmp_path: Path) -> None:
    shutil.copytree(audited, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns(COMMITS.name))
    with pytest.raises(WhatIfError, match=r"The audit has no name of topic id .*: grant DESCRIBE on its topics"):
        AuditedGroups(AuditDirectory.at(tmp_path)).group("clicks")


def test_audited_history__limited_number_of_steps__latest_steps_with_the_group_as_it_was_then(audited: Path) -> None:
    groups = AuditedGroups(AuditDirectory.at(audited))
    _, everything = groups.group("search")
    _, few = groups.group("search", steps_max=2)
    assert list(few.steps) == list(everything.steps)[-2:]
    assert few.left_out == len(everything.steps) - 2


def test_audited_history__unknown_group__error_of_one_sentence(audited: Path, tmp_path: Path) -> None:
    with pytest.raises(WhatIfError, match="Unknown group nobody: the audit has no rebalance of this group"):
        AuditedGroups(AuditDirectory.at(audited)).group("nobody")
    with pytest.raises(WhatIfError, match="has no audit: write one with `tenure audit"):
        AuditedGroups(AuditDirectory.at(tmp_path))


def test_advice__group_with_a_deployment__names_a_change_and_its_figures(audited: Path) -> None:
    advice = advice_for(AuditedGroups(AuditDirectory.at(audited)), "orders", 3)
    assert advice is not None
    assert advice.sentence.startswith("What would have helped: ")
    assert "for fewer moves, static members" in advice.sentence
    assert advice.changes[0].after.moved < advice.changes[0].before.moved
    assert advice_for(AuditedGroups(AuditDirectory.at(audited)), "billing", 2) is None, (
        "it has no rebalance that could be avoided"
    )


@pytest.mark.long
def test_audit_report__with_advice__advice_on_the_page_in_its_table_and_in_json(audited: Path) -> None:
    directory = AuditDirectory.at(audited)
    page = Path(write_report(directory, pictures=False, forecaster=advisor(directory))).read_text("utf-8")
    assert "What would have helped: " in page
    assert "The first 5 sections say what would have helped." in page, "the report has seven groups"
    advice = json.loads(json.dumps(summary_of(directory).as_json()))["advice"]
    assert (advice[0]["group"], advice[0]["aim"]) == ("orders", "fewer moves")
    assert "static members" in advice[0]["change"]
    assert advice[0]["moved_after"] < advice[0]["moved"]


def test_what_if_command__audit_directory_given__needs_no_broker(audited: Path) -> None:
    arguments = ["what-if", "orders", "--audit", str(audited), "--static", "--json", "-b", "127.0.0.1:1"]
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["group"], found["members"], found["change"]) == ("orders", 3, "static members")
    assert found["restarts"] == "3 starts and 4 ends of members within 2.3 min"


def test_what_if_command__audit_directory_and_restart_options__refused(audited: Path) -> None:
    done = CliRunner().invoke(app, ["what-if", "orders", "--audit", str(audited), "--down", "5s"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "leave out --bounce, --down" in done.stderr
