"""Reports, which functions return. The members of a report are also its attributes. Its text is what the command `arrow-ipc` prints."""

from ._arrow_ipc import _escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, SupportsIndex, overload


class Members(dict[str, "Any"]):
    """The members of a column of a report. A wrong name raises an error that lists the members.

    >>> "n_distinct" in arrow_ipc.stats("people.arrow").columns["id"]
    True
    """

    __slots__ = ()

    def __missing__(self, key: object) -> "Any":
        raise KeyError(_escaped(f"no member is named {key!r}; the members are: {', '.join(self)}"))


class Columns(list["dict[str, Any]"]):
    """The columns of a report, as a list that also finds a column by its name.

    >>> columns = arrow_ipc.stats("people.arrow").columns
    >>> columns["id"]["max"], columns[0]["max"], len(columns)
    (3, 3, 2)
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: "SupportsIndex | str", /) -> "dict[str, Any]": ...
        @overload
        def __getitem__(self, key: slice, /) -> "list[dict[str, Any]]": ...

    def __getitem__(self, key: "SupportsIndex | slice | str", /) -> "Any":
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = [column for column in self if column.get("name") == key]
        if len(found) == 1:
            return found[0]
        names = ", ".join([str(column.get("name")) for column in self[:20]])
        said = f"{len(found)} columns are" if found else "no column is"
        raise KeyError(_escaped(f"{said} named {key!r}; the columns are: {names}{', …' if len(self) > 20 else ''}"))


class Report(dict[str, "Any"]):
    """The result of a function: a dict whose members are also attributes. Its text is what the command `arrow-ipc` prints.

    >>> found = arrow_ipc.count("people.arrow")
    >>> found.n_rows, found["n_rows"], str(found)
    (3, 3, '3')
    """

    __slots__ = ("_text",)

    def __init__(self, said: "dict[str, Any]", text: str) -> None:
        super().__init__(said)
        if "columns" in said:
            self["columns"] = Columns([Members(column) for column in said["columns"]])
        self._text = text

    if not TYPE_CHECKING:
        # Type checkers know the members of each report, and find wrong names.

        def __getattr__(self, name: str) -> object:
            try:
                return self[name]
            except KeyError:
                raise AttributeError(_escaped(f"{type(self).__name__} has no {name!r}, but {', '.join(self)}")) from None

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<arrow_ipc.{type(self).__name__}>\n{self._text}" if self._text else f"<arrow_ipc.{type(self).__name__}>"

    def __reduce__(self) -> "tuple[Any, ...]":
        return type(self), (dict(self), self._text)

    def to_dict(self) -> "dict[str, Any]":
        """The members as a plain dict.

        >>> arrow_ipc.append("people.arrow", "people.arrows").to_dict()
        {'n_batches': 1, 'n_rows': 3, 'lost': []}
        """
        return dict(self)


class CountReport(Report):
    """The numbers of rows and batches, from ``count``. A report can be compared with a number of rows, and ``int`` returns this number.

    >>> found = arrow_ipc.count("people.arrow")
    >>> found.n_batches, found == 3, found > 5, int(found)
    (1, True, False, 3)
    """

    n_rows: int
    n_batches: int
    n_tensors: int
    notes: "list[str]"

    __hash__ = None  # type: ignore[assignment]

    def __int__(self) -> int:
        return self.n_rows

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        return self.n_rows == other if isinstance(other, (int, float)) else super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return self.n_rows < other

    def __le__(self, other: float) -> bool:
        return self.n_rows <= other

    def __gt__(self, other: float) -> bool:
        return self.n_rows > other

    def __ge__(self, other: float) -> bool:
        return self.n_rows >= other


class StatsReport(Report):
    """The statistics of the columns, from ``stats``. Each column is a dict.

    >>> [column["null_count"] for column in arrow_ipc.stats("people.arrow").columns]
    [0, 1]
    """

    input: str
    n_rows: int
    n_batches: int
    n_bytes: "int | None"
    columns: Columns
    notes: "list[str]"


class ExplainReport(Report):
    """The container of an input, the size of its columns, and its oddities, from ``explain``. Each column and each finding is a dict.

    >>> arrow_ipc.explain("people.arrow").metadata_version
    'V5'
    """

    container: 'Literal["file", "stream"]'
    n_bytes: "int | None"
    metadata_version: "str | None"
    endianness: 'Literal["little", "big"] | None'
    writer: "str | None"
    n_streams: int
    n_columns: int
    n_batches: int
    n_truncated_batches: int
    n_unreadable_batches: int
    n_rows: int
    min_batch_rows: "int | None"
    max_batch_rows: "int | None"
    n_dictionary_batches: int
    n_dictionary_values: int
    n_tensors: int
    codecs: "list[str]"
    n_body_bytes: int
    n_missing_bytes: int
    n_decompressed_bytes: "int | None"
    n_metadata_bytes: int
    n_padding_bytes: int
    n_tensor_bytes: int
    n_unknown_bytes: int
    n_other_bytes: int
    columns: Columns
    findings: "list[dict[str, Any]]"
    damage: "list[Exception]"
    notes: "list[str]"


class ValidateReport(Report):
    """The result of ``validate``. ``portability`` lists features of the input that some other readers do not support.

    >>> arrow_ipc.validate("people.arrow").portability
    []
    """

    n_rows: int
    n_batches: int
    n_tensors: int
    portability: "list[str]"
    notes: "list[str]"


class InspectReport(Report):
    """All messages, from ``inspect``. Messages, ends and the footer are dicts. ``damage`` has exceptions that are not raised.

    >>> arrow_ipc.inspect("people.arrow").damage
    []
    """

    container: 'Literal["file", "stream"]'
    n_bytes: "int | None"
    messages: "list[dict[str, Any]]"
    ends: "list[dict[str, Any]]"
    footer: "dict[str, Any] | None"
    damage: "list[Exception]"
    notes: "list[str]"


class DiffReport(Report):
    """The differences of two inputs, from ``diff``. ``same`` is None if no difference was found, but some bytes were not compared.
    Each difference is a dict.

    >>> bool(arrow_ipc.diff("people.arrow", "people.arrows").differences)
    False
    """

    same: "bool | None"
    differences: "list[dict[str, Any]]"
    notes: "list[str]"

    def __bool__(self) -> bool:
        raise TypeError("a report of differences is neither true nor false: `.same` and `.differences` say what was found")


class ConvertReport(Report):
    """What was lost by ``convert``, ``concat_files`` and ``split_file``.

    >>> arrow_ipc.convert("people.arrow", "copy.arrows").lost
    []
    """

    lost: "list[str]"
    notes: "list[str]"

    def __str__(self) -> str:
        return "\n".join([self._text or "no losses", *self["notes"]])


class CopyReport(Report):
    """The numbers of copied batches and rows, and what was lost, from ``append`` and ``recover``.

    >>> arrow_ipc.recover("people.arrow", "sound.arrow").n_rows
    3
    """

    n_batches: int
    n_rows: int
    lost: "list[str]"


class RecoverReport(CopyReport):
    """What ``recover`` has copied, with a hint at an argument that may recover more.

    >>> arrow_ipc.recover("people.arrow", "sound.arrow").hint is None
    True
    """

    hint: "str | None"
