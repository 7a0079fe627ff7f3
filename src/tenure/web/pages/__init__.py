"""The pages: each turns observations into parts of HTML that are replaced when they change."""
