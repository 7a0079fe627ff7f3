"""The task that stages a bundle in a worker, and the job that declares its processing."""
