"""What other processes of Python begin with."""

# pyarrow imports both where they are, which takes ten times as long as the rest of it. No child needs them.
LEAN = """
import sys

class Lean:
    def find_spec(name, *_):
        if name in ("numpy", "pandas"):
            raise ImportError(name)

sys.meta_path.insert(0, Lean)
"""
