"""Run the command `tenure` with `python -m tenure`."""

from tenure.cli import main

main()
