"""Time zones that another library does not have."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from ._arrow_ipc import _escaped

_ZONED = re.compile(r'timestamp\((\w+), ("(?:[^"\\]|\\.)*")\)')


def unknown_zone(library: str, schema: Any, has: Callable[[str], bool]) -> ValueError | None:
    """The error about the first column whose time zone a library does not have; `None` if it has all of them."""
    for field in schema:
        for unit, quoted in _ZONED.findall(field.type):
            # Surrogates, as of zones that are not UTF-8, are in no database.
            zone = json.loads(quoted)
            if not has(zone):
                text = (
                    f"{library} does not know the time zone {zone} of the column {field.name}: {field.type}; "
                    f'`cast("timestamp[{unit}, UTC]")` of its array keeps the instants, `drop` leaves the column out; '
                    f"in a data set, `schema=` can give it another type"
                )
                return ValueError(_escaped(text))
    return None
