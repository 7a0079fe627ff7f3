"""What an operator may do to a cluster: one typed set of operations, for the command line and for scripts.

`topics.py` and `groups.py` hold them as coroutines over a `Cluster`; `Admin` offers them to callers that block.
"""

from tenure.admin.blocking import Admin

__all__ = ["Admin"]
