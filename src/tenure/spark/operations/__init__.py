"""What is done with pipelines from outside: started by name, looked at, stopped, paused, restarted, stood by for.

`tenure pipeline ...` is made of this. A running application is reached through its control socket (`control.py`) in the
run directory of its host; what needs no application is read from the group and from the state directory.
"""
