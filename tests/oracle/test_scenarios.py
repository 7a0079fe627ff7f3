"""Each scenario gets the same answers and log records from Apache Kafka and from Tenure.

All cases of a run start at once, in groups of their own; each test waits for its case.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from difflib import unified_diff
from importlib import import_module
from pathlib import Path

import pytest

from tests.oracle.scenarios import CASES, Case, group_of
from tests.oracle.side import Session, Side, with_producers_named

pytestmark = pytest.mark.oracle

FILES = [path.stem for path in Path(__file__).parent.glob("scenarios_*.py")]
for name in FILES:
    import_module(f"tests.oracle.{name}")  # it adds its scenarios to CASES
CASES_MIN = 500
LINES_MIN = 2
AT_ONCE = 24
LOG_LAGS_S = 30.0
"""Time for the logs to become equal: Apache Kafka may answer before its decision is in the log (rule 2.4 J0), and
timeouts that a scenario leaves behind expire later on one broker."""

OTHERS_S = 120.0
"""Longest wait for the end of all other scenarios, some of which sleep for about a minute."""

EXCLUDED = (
    dict.fromkeys((9, 10, 48, 67), "an append that fails")
    | dict.fromkeys((17, 29), "a coordinator that is not there, a group that is Dead")
    | dict.fromkeys((34,), "five minutes")
    | dict.fromkeys((39, 74), "a coordinator that loads: test_restart.py")
    | dict.fromkeys((60,), "a state that no request leads to")
    | dict.fromkeys((117,), "an assignor that fails")
    | dict.fromkeys((130, 133, 142), "a log that no broker of this version writes: test_restart.py")
    | dict.fromkeys((157,), "a limit that shrinks while members are there")
)
"""Scenarios of 9.1 to 9.7 that do not run here, each with what it would need."""

Performance = tuple[Session, Exception | None]
Played = dict[str, Future[list[str]]]


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest) -> Iterator[Played]:
    """Yield the differences of every case of this run. All cases run on both brokers, long ones first."""
    wanted = [item.callspec.params["case"] for item in request.session.items if "played" in item.fixturenames]
    wanted.sort(key=lambda case: not case.long)
    pairs = {strict: sides(request, strict) for strict in {case.strict for case in wanted}}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {case.name: pool.submit(play, case, pairs[case.strict]) for case in wanted}


def sides(request: pytest.FixtureRequest, strict: bool) -> list[Side]:
    names = ("strict_kafka", "strict_tenure") if strict else ("kafka", "tenure")
    return [request.getfixturevalue(name) for name in names]


def play(case: Case, pair: list[Side]) -> list[str]:
    """Run a case on both brokers and return the differences at once, before its sessions end."""
    with ThreadPoolExecutor(2) as both:
        return compare(case, *both.map(lambda side: perform(case, side.session()), pair))


def perform(case: Case, session: Session) -> Performance:
    """Run a case on one broker. An error is returned with the trace, which says more than the error alone."""
    try:
        case.play(group_of(case, session))
    except Exception as error:
        return session, error
    finally:
        session.close()
    return session, None


@pytest.mark.repeats("a busy machine can be late for a timeout")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_scenario__on_both_brokers__same_answers_and_records(
    case: Case, played: Played, request: pytest.FixtureRequest, repeated: Callable[[object], None]
) -> None:
    difference = played[case.name].result()
    if difference and not request.node.get_closest_marker("xfail"):
        # A wrong rule leads to the same difference again, also without other scenarios at the same time.
        print("\n".join(["run once more, because it differed:", *difference]))
        repeated("the brokers differed")
        wait(played.values(), OTHERS_S)
        difference = play(case._replace(name=f"{case.name}-again"), sides(request, case.strict))
    assert not difference, "\n".join(difference)


def compare(case: Case, kafka: Performance, tenure: Performance) -> list[str]:
    """Return the differences of the two traces line by line; an error of a run is a difference."""
    for session, error in (kafka, tenure):
        if error is not None:
            return [f"{session.side.name}: {error!r} after", *session.trace]
    expected, ours = kafka[0], tenure[0]
    assert len(expected.trace) >= LINES_MIN
    deadline = time.monotonic() + LOG_LAGS_S
    lines = [lines_of(one, case) for one in (expected, ours)]
    while lines[0] != lines[1] and expected.trace == ours.trace and time.monotonic() < deadline:
        time.sleep(0.05)
        lines = [lines_of(one, case) for one in (expected, ours)]
    return list(unified_diff(*lines, "Apache Kafka", "Tenure", lineterm="", n=9))


def lines_of(session: Session, case: Case) -> list[str]:
    return with_producers_named(session.trace + session.log(case.name))


def test_scenarios_in_rules_md__all_numbers__each_run_or_excluded_with_a_reason() -> None:
    assert len(CASES) >= CASES_MIN
    assert len({case.play.__module__ for case in CASES.values()}) == len(FILES)
    played = {int(name.split("-")[0]) for name in CASES if name.split("-")[0].isdigit()}
    assert played.isdisjoint(EXCLUDED)
    assert played | EXCLUDED.keys() == set(range(1, 158))
