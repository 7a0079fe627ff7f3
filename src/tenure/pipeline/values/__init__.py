"""Value types that all parts of a pipeline share, and the interfaces to the group and to Spark. No I/O."""
