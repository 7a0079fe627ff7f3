"""Functions of the commands of `tenure pipeline`: run, supervise, backfill, repartition, and the state commands.

Commands reach a running application through its control socket (`application/control_socket.py`) in the run directory
of its host. All other commands read the group and the state directory.
"""
