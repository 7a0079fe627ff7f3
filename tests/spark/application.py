"""An application in a process of its own, which sends itself a signal at a given step of its first bundle.

python -m tests.spark.application ADDRESS TOPIC SINK STEP SIGNAL
"""

import os
import signal
import sys
from pathlib import Path

from tenure.pipeline.progress import Progress
from tests.spark.counting import counting

INSTANCE = "host-a"


def main(address: str, topic: str, sink: str, step: str, name: str) -> None:
    number = signal.Signals[name]

    def observer(progress: Progress) -> None:
        if progress.step.value == step:
            print(step, flush=True)
            os.kill(os.getpid(), number)

    counting(topic, Path(sink)).run(bootstrap_servers=address, group_instance_id=INSTANCE, observer=observer)


if __name__ == "__main__":
    main(*sys.argv[1:])
