"""The program ``arrow-ipc``: ``python -m arrow_ipc`` runs it, too."""

import os
import signal
import sys

from ._arrow_ipc import _run_program


def main() -> int:
    # An interruption ends the program, and not a computation of Python: the program removes unfinished outputs itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The page of `serve`, if the package was built with it.
    viewer = os.path.join(os.path.dirname(__file__), "viewer.html")
    return _run_program(["arrow-ipc", *sys.argv[1:]], viewer)


if __name__ == "__main__":
    sys.exit(main())
