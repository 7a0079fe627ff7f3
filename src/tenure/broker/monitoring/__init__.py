"""What operators look at while the broker runs: metrics, health, readiness. Loaded only when somebody asks for it."""
