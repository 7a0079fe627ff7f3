"""Record batches as Arrow columns: decoded, checked and encoded without a Python object per record."""
