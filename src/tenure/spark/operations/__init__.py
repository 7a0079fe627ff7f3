"""Functions of the commands of `tenure pipeline`: run, supervise, backfill, repartition, and those of the state.

A running application is reached through its control socket (`application/control_socket.py`) in the run directory of
its host. What needs no application is read from the group and from the state directory.
"""
