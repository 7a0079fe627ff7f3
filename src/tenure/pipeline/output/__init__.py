"""Files of a pipeline: layout, staging, publishing and removal. All paths and URLs go through `files`."""
