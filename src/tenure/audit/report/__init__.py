"""Report of an audit as HTML and pictures."""
