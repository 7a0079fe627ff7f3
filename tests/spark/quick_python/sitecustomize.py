"""Import of PySpark from its files, in the Python processes that Spark starts in tests.

Spark puts archives of PySpark and py4j at the front of the import path of these processes. Python keeps no compiled
modules of archives, so each process would compile all modules of PySpark again. Python imports a module of this name at
its start, from a directory of its import path (`QUICK_PYTHON` in `tests/spark/patience.py`).
"""

import os
import sys

sys.path[:] = [place for place in sys.path if not os.path.basename(place).startswith(("pyspark.zip", "py4j-"))]
