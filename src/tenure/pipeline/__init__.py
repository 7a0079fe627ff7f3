"""Rules of exactly-once processing: plan, stage, commit, publish, recover, sweep.

Without Spark and broker.

A lane's position, state and output change together, by one fenced offset commit whose metadata names the manifest that
lists them. Everything before that commit can be thrown away by anyone; any later owner of the lane can finish all
following steps.
"""
