"""How a process is watched: metrics in Prometheus' format, and a door at which collectors and probes read them.

The broker and pipelines tell different things, and tell them in the same way. Nothing here is loaded before it is asked
for.
"""
