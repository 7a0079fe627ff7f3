"""SQL expressions over the columns of a row: parsed where a pipeline is declared, evaluated in Arrow by its tasks."""
