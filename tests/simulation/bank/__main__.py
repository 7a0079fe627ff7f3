"""`python -m tests.simulation.bank`: lives of a bank's workers and their transactions; see docs/simulation.md."""

import sys

from tests.simulation.__main__ import main
from tests.simulation.bank.run import BankRun

if __name__ == "__main__":
    sys.exit(main(kind=BankRun))
