"""The loop of one member: plan, stage, commit, publish, sweep."""
