"""The rules of exactly-once work: plan, stage, commit, publish, recover, sweep. Knows no Spark and no broker.

A commit is the only door: a lane's position, the state it has reached and the output it has staged become true
together, by one fenced offset commit whose metadata names the manifest that lists them. Everything before that commit
can be thrown away by anyone; everything after it can be finished by anyone who owns the lane.
"""
