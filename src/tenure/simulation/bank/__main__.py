"""`python -m tenure.simulation.bank`: lives of a bank's workers and their transactions; see docs/simulation.md."""

import sys

from tenure.simulation.__main__ import main
from tenure.simulation.bank.run import BankRun

if __name__ == "__main__":
    sys.exit(main(kind=BankRun))
