"""Java runtime that Spark starts, and the class archive that shortens Spark's start."""
