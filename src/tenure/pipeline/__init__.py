"""Rules of exactly-once processing: plan, stage, commit, publish, recover, sweep.

The modules of this package import neither Spark nor the client of Kafka.

A lane's position, state and output change together, by one fenced offset commit. The commit's metadata names the
manifest, which lists state and output. Files that no commit names may be deleted at any time. After the commit, any
later owner of the lane can finish the remaining steps.
"""
