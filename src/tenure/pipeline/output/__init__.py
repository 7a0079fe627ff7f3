"""Files of a pipeline: layout, staging, publishing and removal. `files` gives access to all paths and URLs."""
