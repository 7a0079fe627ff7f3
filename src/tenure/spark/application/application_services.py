"""Services around a running application: reports, control socket, metrics, and the link to its supervisor."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from socket import socket

from tenure.run_options import RunOptions
from tenure.spark.application.application_control import ApplicationControl
from tenure.spark.application.control_socket import ControlServer
from tenure.spark.application.metrics_server import ApplicationMetrics, bind_metrics_socket
from tenure.spark.application.pipeline_application import PipelineApplication
from tenure.spark.application.standby import check_standby
from tenure.spark.application.supervised import stop_when_input_ends
from tenure.spark.declarations.pipeline_declaration import PipelineDeclaration
from tenure.spark.reporting.console_reporter import ConsoleReporter


@contextmanager
def application_services(
    pipeline: PipelineDeclaration, options: RunOptions, application: PipelineApplication, remark: str
) -> Iterator[ApplicationControl]:
    """Run the services of an application while the block runs. Yield the `ApplicationControl` that they use.

    Progress goes to the caller's observer; if there is none, log lines are written to standard error. `remark` is a log
    line about an option that was chosen automatically, or "".
    """
    if options.standby:
        check_standby(options)
    reporter = console_reporter_of(options)
    control = ApplicationControl(pipeline, options, application, reporter)
    with ExitStack() as stack:
        listening = stack.enter_context(bind_metrics_socket(options.metrics))
        if reporter is not None:
            topics = ", ".join(topic.name for topic in pipeline.topics)
            reporter.log_start(pipeline.name, topics, options.bootstrap_servers, pipeline.sink.where)
            if remark:
                reporter.write_line(remark)
            application.on_signal = reporter.log_stopping
            stack.callback(reporter.close)
        open_control_server(control, stack)
        if listening is not None:
            serve_metrics(control, listening, stack)
        if control.restarts is not None:
            stop_when_input_ends(control.stop)
        yield control
        if reporter is not None:
            reporter.log_stop()  # Not called after a failure, whose error is printed instead.


def console_reporter_of(options: RunOptions) -> ConsoleReporter | None:
    """Return the reporter that prints log lines; None if the caller of `Pipeline.run` has passed another observer."""
    if options.observer is None:
        return ConsoleReporter()
    return options.observer if isinstance(options.observer, ConsoleReporter) else None


def serve_metrics(control: ApplicationControl, listening: socket, stack: ExitStack) -> None:
    """Start the metrics server. `stack` closes it."""
    metrics = ApplicationMetrics(control, listening)
    stack.callback(metrics.close)
    if control.reporter is not None:
        control.reporter.serves_metrics_at(metrics.address)


def open_control_server(control: ApplicationControl, stack: ExitStack) -> None:
    """Open the control socket, which `stack` closes. If it cannot be opened, only log the reason."""
    answers = {
        "who": control.description,
        "status": control.status,
        "stop": control.stop,
        "pause": control.pause,
        "resume": control.resume,
    }
    try:
        stack.callback(ControlServer(answers).close)
    except OSError as error:
        if control.reporter is not None:
            control.reporter.unreachable(str(error))
