"""The loop of one member (plan, stage, commit, publish, sweep) and the task that it stages with."""
