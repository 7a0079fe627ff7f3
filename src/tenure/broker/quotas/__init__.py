"""Client quotas and limits on connections: measured rates, and the decisions to throttle or refuse. Without I/O."""
