"""Log of one partition: segments, indexes, checks of batches, and state of producers."""
