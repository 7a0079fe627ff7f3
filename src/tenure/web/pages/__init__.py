"""Pages of the dashboard. Each converts observations to parts of HTML, which are replaced when they change."""
