"""Functions behind the commands of `tenure pipeline`: run, supervise, backfill, repartition, and the state's commands.

A running application is reached through its control socket (`application/control.py`) in the run directory of its
host. What needs no application is read from the group and from the state directory.
"""
