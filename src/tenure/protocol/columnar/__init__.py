"""Messages as columns, decoded and encoded without a Python object per element.

Record batches become Arrow columns. Subscriptions and assignments of a whole group become numpy arrays.
"""
