"""Java runtime that Spark starts, and the archive of classes that lets it start sooner."""
