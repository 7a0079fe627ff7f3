"""Administrative operations on a cluster, for the command line and for scripts.

Each module has the coroutines for one kind of object (topics, groups, ACLs, ...). `Admin` is the blocking interface to
all of them.
"""

from tenure.admin.blocking import Admin

__all__ = ["Admin"]
