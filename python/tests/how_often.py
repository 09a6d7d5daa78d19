"""How often what is random is tried: a few times, or, with `ARROW_IPC_LONG=1`, many times."""

import os

IS_LONG = os.environ.get("ARROW_IPC_LONG", "") not in ("", "0")


def times(few, many):
    return many if IS_LONG else few
