"""The main job: flights through a pipeline whose applications are stopped, killed and started again.

`story` has the events in order, `processes` and `application` the processes. `history` reads the coordinator's log
afterwards, `verdict` compares the result with the expected one, and `picture` and `report` show both.
"""
