"""Services around a running application: reports, control socket, metrics, and the line to its supervisor."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from socket import socket

from tenure.spark.application.application_control import ApplicationControl
from tenure.spark.application.control_socket import ControlServer
from tenure.spark.application.metrics_server import ApplicationMetrics, bind_metrics_socket
from tenure.spark.application.pipeline_application import PipelineApplication
from tenure.spark.application.run_options import RunOptions
from tenure.spark.application.standby import check_standby
from tenure.spark.application.supervised import stop_when_input_ends
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.reporting.console_reporter import ConsoleReporter


@contextmanager
def application_services(
    pipeline: PipelineDeclaration, options: RunOptions, application: PipelineApplication
) -> Iterator[ApplicationControl]:
    """Its caller's observer is told what it does; without one, people are, on standard error."""
    if options.standby:
        check_standby(options)
    narration = console_reporter_of(options)
    operation = ApplicationControl(pipeline, options, application, narration)
    with ExitStack() as behind:
        listening = behind.enter_context(bind_metrics_socket(options.metrics))
        if narration is not None:
            topics = ", ".join(topic.name for topic in pipeline.topics)
            narration.started(pipeline.name, topics, options.bootstrap_servers, pipeline.sink.where)
            if options.remark:
                narration.say(options.remark)
            application.on_signal = narration.stopping
        open_control_server(operation, behind)
        if listening is not None:
            serve_metrics(operation, listening, behind)
        if operation.restarts is not None:
            stop_when_input_ends(operation.stop)
        yield operation
        if narration is not None:
            narration.stopped()  # Where something failed, its error says so.


def console_reporter_of(options: RunOptions) -> ConsoleReporter | None:
    if options.observer is None:
        return ConsoleReporter()
    return options.observer if isinstance(options.observer, ConsoleReporter) else None


def serve_metrics(operation: ApplicationControl, listening: socket, behind: ExitStack) -> None:
    metrics = ApplicationMetrics(operation, listening)
    behind.callback(metrics.close)
    if operation.narration is not None:
        operation.narration.watched_at(metrics.address)


def open_control_server(operation: ApplicationControl, behind: ExitStack) -> None:
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
