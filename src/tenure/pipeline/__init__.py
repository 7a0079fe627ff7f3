"""Rules of exactly-once processing: plan, stage, commit, publish, recover, sweep.

Without Spark and broker.

A lane's position, state and output change together, by one fenced offset commit whose metadata names the manifest that
lists them. Files without a commit may be deleted at any time. After the commit, any later owner of the lane can finish
the remaining steps.
"""
