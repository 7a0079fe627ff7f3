"""Services around a running application: reports, control socket, metrics, and the line to its supervisor."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from socket import socket

from tenure.spark.application.application import Application
from tenure.spark.application.control import ControlServer
from tenure.spark.application.metrics_server import ApplicationMetrics, listening_at
from tenure.spark.application.operation import Operation
from tenure.spark.application.run_options import Options
from tenure.spark.application.standby import check_standby
from tenure.spark.application.supervised import stop_when_input_ends
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.reporting.console_reporter import ConsoleReporter


@contextmanager
def operated(pipeline: PipelineDeclaration, options: Options, application: Application) -> Iterator[Operation]:
    """Its caller's observer is told what it does; without one, people are, on standard error."""
    if options.standby:
        check_standby(options)
    narration = console_reporter_of(options)
    operation = Operation(pipeline, options, application, narration)
    with ExitStack() as behind:
        listening = behind.enter_context(listening_at(options.metrics))
        if narration is not None:
            topics = ", ".join(topic.name for topic in pipeline.topics)
            narration.started(pipeline.name, topics, options.bootstrap_servers, pipeline.sink.where)
            if options.remark:
                narration.say(options.remark)
            application.on_signal = narration.stopping
        open_control_server(operation, behind)
        if listening is not None:
            tell_collectors(operation, listening, behind)
        if operation.restarts is not None:
            stop_when_input_ends(operation.stop)
        yield operation
        if narration is not None:
            narration.stopped()  # Where something failed, its error says so.


def console_reporter_of(options: Options) -> ConsoleReporter | None:
    if options.observer is None:
        return ConsoleReporter()
    return options.observer if isinstance(options.observer, ConsoleReporter) else None


def tell_collectors(operation: Operation, listening: socket, behind: ExitStack) -> None:
    metrics = ApplicationMetrics(operation, listening)
    behind.callback(metrics.close)
    if operation.narration is not None:
        operation.narration.watched_at(metrics.address)


def open_control_server(operation: Operation, behind: ExitStack) -> None:
    answers = {
        "who": operation.who,
        "status": operation.status,
        "stop": operation.stop,
        "pause": operation.pause,
        "resume": operation.resume,
    }
    try:
        behind.callback(ControlServer(answers).close)
    except OSError as error:
        if operation.narration is not None:
            operation.narration.unreachable(str(error))
