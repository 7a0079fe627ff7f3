"""Loop of one group member: plan, stage, commit, publish, sweep."""
