"""Pages of the dashboard. Each page converts observations to parts of HTML. The browser replaces changed parts."""
