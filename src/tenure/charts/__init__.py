"""Charts as Vega-Lite specifications, for reports, pictures and the dashboard."""
