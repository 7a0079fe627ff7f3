"""One running application of a pipeline: its members, signals, standby, control socket and metrics server."""
