"""SQL expressions over the columns of a row. The declaration parses them, and the tasks evaluate them in Arrow."""
