"""The main job: flights through a pipeline whose applications are stopped, killed and started again.

`story` is what happens, in order; `processes` and `application` are its actors; `history` is what the coordinator's
log says of it afterwards; `verdict` compares what came out with what should have; `picture` and `report` show it.
"""
