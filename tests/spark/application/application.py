"""Application in a process of its own that sends itself a signal at a given step of its first batch.

python -m tests.spark.application.application ADDRESS TOPIC SINK STEP SIGNAL [self|group|java]

The signal goes to this process, to its whole process group (which must be its own), or to Spark's Java process.
"""

import os
import signal
import sys
from pathlib import Path

from tenure.pipeline.engine import engine
from tenure.pipeline.values.progress import Progress
from tests.spark.counting import counting

INSTANCE = "host-a"
GRACE_S = 120.0
"""Grace period of a running bundle after a stop request. The default of ten seconds is short for a busy machine."""


def main(address: str, topic: str, sink: str, step: str, name: str, target: str = "self") -> None:
    number = signal.Signals[name]
    engine.STOP_GRACE_S = GRACE_S

    def send_signal() -> None:
        match target:
            case "self":
                os.kill(os.getpid(), number)
            case "group":
                os.killpg(0, number)
            case "java":
                from pyspark import SparkContext

                SparkContext._gateway.proc.send_signal(number)
                SparkContext._gateway.proc.wait()

    def observer(progress: Progress) -> None:
        if progress.step.value == step:
            print(step, flush=True)
            send_signal()

    counting(topic, Path(sink)).run(bootstrap_servers=address, group_instance_id=INSTANCE, observer=observer)


if __name__ == "__main__":
    main(*sys.argv[1:])
