"""Operations on a cluster, for the command line and for scripts.

The modules implement them as coroutines over a `Cluster`; `Admin` is the blocking interface.
"""

from tenure.admin.blocking import Admin

__all__ = ["Admin"]
