"""A data source of Spark for data sets of Arrow files. Workers find the files at the same paths.

Options: `path`; for reading `columns` with commas between them, `where`, `target_bytes`; for writing `compression`.
"""

import secrets
from dataclasses import dataclass

import arrow_ipc
import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    InputPartition,
    WriterCommitMessage,
)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema


class ArrowIpc(DataSource):
    @classmethod
    def name(cls):
        return "arrow_ipc"

    def data(self):
        columns = self.options.get("columns")
        return arrow_ipc.dataset(self.options["path"], where=self.options.get("where"), columns=columns and columns.split(","))

    def schema(self):
        """Spark has no dictionaries: such columns are their values."""
        fields = pa.schema(self.data().schema)
        is_dictionary = pa.types.is_dictionary
        return from_arrow_schema(pa.schema([f.with_type(f.type.value_type) if is_dictionary(f.type) else f for f in fields]))

    def reader(self, schema):
        return Reader(self.data().split(int(self.options.get("target_bytes", 64 << 20))), schema)

    def writer(self, schema, overwrite):
        """The rows become the files of a new folder: below `path`, with mode "append"."""
        if overwrite:
            raise ValueError("write to another path, and remove the old one: files are not replaced")
        fields = pa.schema(list(to_arrow_schema(schema)))
        return Writer(arrow_ipc.DatasetWriter(f"{self.options['path']}/{secrets.token_hex(8)}", fields, compression=self.options.get("compression")))


@dataclass
class Partition(InputPartition):
    task: arrow_ipc.Task


@dataclass
class Reader(DataSourceReader):
    tasks: list
    spark_schema: object

    def partitions(self):
        return [Partition(task) for task in self.tasks]

    def read(self, partition):
        schema = to_arrow_schema(self.spark_schema)
        for batch in partition.task:
            yield pa.record_batch(batch).cast(schema)


@dataclass
class Message(WriterCommitMessage):
    part: arrow_ipc.Part


@dataclass
class Writer(DataSourceArrowWriter):
    writer: arrow_ipc.DatasetWriter

    def write(self, iterator):
        schema = pa.schema(self.writer.schema)
        batches = (batch.cast(schema) for batch in iterator)
        # Spark commits one of several attempts.
        part = self.writer.write(pa.RecordBatchReader.from_batches(schema, batches))
        return Message(part)

    def commit(self, messages):
        self.writer.commit([message.part for message in messages if message.part.num_rows > 0])

    def abort(self, messages):
        self.writer.abort()
