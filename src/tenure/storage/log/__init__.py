"""Log of one partition: segments, indexes, checks of batches, and what producers have written."""
