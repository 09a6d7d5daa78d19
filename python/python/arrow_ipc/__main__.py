"""The program ``arrow-ipc``: ``python -m arrow_ipc`` runs it, too."""

import signal
import sys

from ._arrow_ipc import _run_program


def main() -> int:
    # An interruption ends the program, and not a computation of Python: the program removes unfinished outputs itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _run_program(["arrow-ipc", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
