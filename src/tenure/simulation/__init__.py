"""The whole cluster in one thread and in virtual time, with everything going wrong that can: see docs/simulation.md."""
