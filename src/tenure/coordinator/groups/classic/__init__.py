"""Classic group protocol: JoinGroup, SyncGroup, Heartbeat, LeaveGroup, static membership."""
