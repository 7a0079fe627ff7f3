"""Fixtures of all tests. Random tests print how to repeat them, and no test fails because the machine is busy.

A test may repeat work only under the marker `repeats`, which gives the reason. The end of a run lists repeated work.
"""

import gc
import importlib
import re
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
import typer.testing
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

settings.register_profile(
    "tenure",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],  # it measures time
)
settings.register_profile(
    "quick",  # `make check`
    settings.get_profile("tenure"),
    max_examples=25,  # a quarter of the default
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],  # Few of so few examples are small.
)
settings.load_profile("tenure")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a background job of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # processes that tests start must receive Ctrl-C

# At each call, typer's runner builds all commands of the application again, which takes 14 ms of a core.
typer.testing._get_command = cache(typer.testing._get_command)

gc.disable()  # Off while tests are collected: most objects that pytest creates then stay until the end.

REPEATED = "repeated"
"""Name of the property of a test's report with the reason of one repeat."""


SLOW = ("oracle", "interop", "long", "spark")
"""Markers of tests that may take minutes. Tests that compare timeouts come before those that need a core."""


def timeout_s(item: pytest.Item) -> float:
    """Return the timeout that the test sets itself, because it takes longer than others; else 0."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker else 0.0


SHARES_SPARK = re.compile(r'spark: "SparkSession"|usefixtures\("spark"\)')
"""Pattern that is found in each file with tests that use the fixture `spark`."""


class SharedSparkScheduling(LoadFileScheduling):
    """Distribution of files to workers. All files that use the fixture `spark` go to one worker.

    So only one Spark session is started, and Java compiles its hot methods only once.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return "spark" if shares_spark(self.config.rootpath / file) else file


@cache
def shares_spark(file: Path) -> bool:
    return SHARES_SPARK.search(file.read_text("utf-8")) is not None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Return the scheduler of `--dist loadfile`; None for other ways to distribute."""
    return SharedSparkScheduling(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import a share of the test modules in each worker, before it imports all of them.

    In a fresh clone no module is compiled yet. Each worker compiles its share, and reads what the others have compiled.
    A module that cannot be imported fails again, and is reported, when pytest collects it.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is not None:
        modules = list(test_modules(session.config))
        count, number = worker["workercount"], int(worker["workerid"].removeprefix("gw"))
        for module in modules[len(modules) * number // count : len(modules) * (number + 1) // count]:
            with suppress(Exception, pytest.skip.Exception):
                importlib.import_module(module)


def test_modules(config: pytest.Config) -> Iterator[str]:
    """Yield the names of the test modules that the command line names."""
    for argument in config.args:
        place = config.invocation_params.dir / argument.partition("::")[0]
        for path in sorted(place.rglob("test_*.py")):
            yield ".".join(path.relative_to(config.rootpath).with_suffix("").parts)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give slow files to the workers first, so that no worker is left with one at the end."""
    if hasattr(config, "workerinput"):
        counts = Counter(item.path for item in items)
        marked = [{item.path for item in items if item.get_closest_marker(marker)} for marker in SLOW]
        longest: dict[Path, float] = defaultdict(float)
        for item in items:
            longest[item.path] = max(longest[item.path], timeout_s(item))
        items.sort(
            key=lambda item: (-longest[item.path], [item.path not in paths for paths in marked], -counts[item.path])
        )


def pytest_collection_finish() -> None:
    """Freeze modules and tests for the garbage collector, because they stay until the end of the run."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def repeated(request: pytest.FixtureRequest) -> Callable[[object], None]:
    """Note that the test repeats work, and why, for the summary at the end of the run."""
    assert request.node.get_closest_marker("repeats"), "mark a test that repeats work with pytest.mark.repeats(reason)"
    return lambda why: request.node.user_properties.append((REPEATED, str(why).partition("\n")[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that repeated work."""
    told = [
        f"{report.nodeid}: {why}"
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, why in report.user_properties
        if name == REPEATED
    ]
    if told:
        terminalreporter.section("work that was repeated")
        for line in told:
            terminalreporter.write_line(line)
