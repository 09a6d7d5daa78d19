//! Names that other libraries have, and what does the same here.

/// Names that other libraries have, the objects here for which they are meant, or all, and what does the same. `{}` is the object.
pub(super) const MEMBERS: &[(&str, &str, &str)] = &[
    ("columns names", "", "`{}.column_names` has the names of the columns, `{}.schema` their types"),
    ("dtypes types dtype", "", "`{}.schema` has the types, `{}.schema[name].type` that of a column"),
    ("width ncols n_columns", "", "`{}.num_columns`"),
    ("height nrows n_rows count_rows", "file batch", "`{}.num_rows`"),
    ("height nrows n_rows num_rows count_rows len", "dataset", "`{}.count()`"),
    (
        "shape height nrows n_rows num_rows count_rows count",
        "stream",
        "rows are counted when they are read: `concat({}).shape`",
    ),
    ("where query filter_rows", "", "`{}.filter(\"price > 10\")`"),
    ("limit first fetch", "", "`{}.head(5)`"),
    (
        "iloc loc take slice",
        "file batch",
        "`{}[2:5]` has some rows, `{}.filter(\"price > 10\")` those of a condition",
    ),
    (
        "iloc loc take slice tail sample rows",
        "stream dataset",
        "`{}.head(5)` has the first rows, `{}.filter(\"price > 10\")` those of a condition",
    ),
    (
        "column get_column",
        "stream dataset",
        "`{}.select([name])` has columns, `concat({}).column(name)` is one",
    ),
    ("remove_column drop_columns without", "", "`{}.drop([name])`"),
    (
        "num_batches num_record_batches get_batch get_record_batch iter_batches to_batches read_next_batch",
        "file stream dataset",
        "`for batch in {}` reads the batches",
    ),
    (
        "collect compute read read_all read_table read_pandas to_table to_arrow to_reader scanner fetchall combine_chunks arrow",
        "",
        "`pyarrow.table({})` is a table, `concat({})` one batch, and `{}.to_polars()` and `{}.to_pandas()` are frames",
    ),
    (
        "to_dict as_py to_dicts as_dict dict",
        "",
        "`{}.to_pydict()` is a dict of lists, `{}.to_pylist()` a list of dicts",
    ),
    (
        "iterrows itertuples iter_rows to_records row",
        "stream dataset",
        "`for batch in {}` reads batches, and `batch.iter_rows()` has their rows",
    ),
    (
        "iterrows itertuples to_records row rows",
        "file batch",
        "`{}.iter_rows()` has the rows as dicts, `{}.to_pylist()` a list of them",
    ),
    ("to_numpy values", "", "columns have their own types: `concat({})[name].to_numpy()` is one column"),
    ("to_csv write_csv", "", "`write_csv(dest, {})`"),
    ("to_json write_json write_ndjson", "", "`write_json(dest, {})`"),
    ("to_feather write_feather write_ipc write_file save to_file write", "", "`write_file(dest, {})`"),
    ("write_stream write_ipc_stream to_stream", "", "`write_stream(dest, {})`"),
    ("to_parquet write_parquet", "", "`pyarrow.parquet.write_table(pyarrow.table({}), dest)`"),
    (
        "rename rename_columns cast astype",
        "",
        "`convert(source, dest, rename={old: new}, cast={name: type})` writes a file with these columns",
    ),
    ("explain", "", "`explain(source)`"),
    (
        "describe info nunique max min mean sum std value_counts",
        "",
        "`stats(source)` has the least and greatest values and counts; frames have more: `{}.to_polars()`, `{}.to_pandas()`",
    ),
    (
        "sort sort_values sort_by order_by orderby group_by groupby join merge agg pivot melt unique distinct drop_duplicates with_columns with_column assign apply map fillna fill_null dropna drop_nulls drop_null isnull isna is_null append_column add_column set_column concat union explode",
        "",
        "frames have this: `{}.to_polars()`, `{}.to_pandas()`, `pyarrow.table({})`",
    ),
];

/// Like [`MEMBERS`], for arrays.
pub(super) const ARRAY_MEMBERS: &[(&str, &str, &str)] = &[
    ("name", "", "`{}.field.name`"),
    ("dtype", "", "`{}.type`"),
    ("size length shape nrows num_rows", "", "`len({})`"),
    ("to_list tolist as_py", "", "`{}.to_pylist()`"),
    ("astype", "", "`{}.cast(type)`"),
    ("to_arrow to_pyarrow", "", "`pyarrow.array({})`"),
    ("to_pandas to_series", "", "`pyarrow.array({}).to_pandas()`"),
    ("to_polars", "", "`polars.Series({})`"),
    ("head slice", "", "`{}[:5]`"),
    (
        "sum mean min max std unique n_unique nunique value_counts sort sort_values argsort is_null isna isnull is_in isin fill_null fillna drop_null dropna \
         filter take apply map str dt",
        "",
        "functions of `pyarrow.compute` take `pyarrow.array({})`, and those of NumPy `{}.to_numpy()`",
    ),
];

/// Like [`MEMBERS`], for schemas.
pub(super) const SCHEMA_MEMBERS: &[(&str, &str, &str)] = &[
    ("types dtypes", "", "`[field.type for field in {}]`"),
    ("columns column_names", "", "`{}.names`"),
    (
        "to_dict as_dict items values get",
        "",
        "`dict({})` has the fields by name, and `{}[name].type` is a type",
    ),
    ("num_fields len", "", "`len({})`"),
    (
        "append insert remove set with_field drop add_field",
        "",
        "`Schema([*{}, (\"more\", \"int8\")])` is made of other fields",
    ),
    ("to_pyarrow to_arrow to_arrow_schema", "", "`pyarrow.schema({})`"),
    ("empty_table", "", "`pyarrow.schema({}).empty_table()`"),
];

/// Like [`MEMBERS`], for fields.
pub(super) const FIELD_MEMBERS: &[(&str, &str, &str)] = &[
    ("dtype data_type", "", "`{}.type`"),
    ("is_nullable", "", "`{}.nullable`"),
    ("fields", "", "`{}.children`"),
    ("with_name with_type with_nullable", "", "`Field(name, {}.type, nullable=True, metadata={}.metadata)`"),
];

/// Like [`MEMBERS`], for writers.
pub(super) const WRITER_MEMBERS: &[(&str, &str, &str)] = &[
    ("write_batch write_table write_rows write_row append add send", "", "`{}.write(data)`"),
    (
        "finish end commit flush",
        "",
        "`{}.close()` completes what is written, and so does the end of a `with` block",
    ),
];

/// Like [`MEMBERS`], for tasks.
pub(super) const TASK_MEMBERS: &[(&str, &str, &str)] = &[(
    "to_pandas to_polars to_pydict to_pylist head filter drop schema shape column_names to_table collect read_all to_batches",
    "",
    "`{}.read()` is a stream of its batches, with `to_pandas`, `to_polars` and more",
)];

/// Functions, keyword arguments that other libraries have, and what does the same.
pub(super) const KEYWORDS: &[(&str, &str, &str)] = &[
    ("split_file", "n num parts n_parts n_files num_files", "`into=`"),
    ("split_file", "rows_per_file max_rows chunk_size chunksize n_rows target_rows", "`batch_rows=`"),
    ("split_file", "partition_by partition_cols group_by on key", "`by=`"),
    ("split_file", "max_bytes bytes_per_file file_size", "`target_bytes=`"),
    ("read_csv write_csv convert count stats diff", "sep delim separator field_delimiter", "`delimiter=`"),
    (
        "read_csv read_json count stats",
        "dtype dtypes schema_overrides column_types parse_dates converters",
        "`types={name: type}`",
    ),
    (
        "read_csv read_json",
        "usecols columns include_columns select",
        "`.select([name])` of the stream that is returned",
    ),
    (
        "read_csv read_json read_stream open",
        "nrows n_rows limit n max_rows rows",
        "`.head(n)` of what is returned",
    ),
    ("read_csv convert count stats", "na_values null_values nulls null_value keep_default_na", "`null=`"),
    ("read_csv convert count stats", "skiprows skip_rows", "`skip=`"),
    ("read_csv", "has_header", "`header=True` or `no_header=True`"),
    ("read_csv", "names new_columns column_names", "`schema=`, or `no_header=True` if the text has no names"),
    ("read_csv convert", "on_bad_lines error_bad_lines ignore_errors", "`ragged=`"),
    ("read_csv convert", "quotechar quote_char", "`quote=`"),
    ("read_csv convert", "dayfirst date_format", "`dates=`"),
    ("read_csv convert", "infer_schema_length", "`infer_rows=`"),
    (
        "read_csv read_json open dataset read_stream",
        "chunksize batch_size batch_rows",
        "batches have the sizes of the source: `convert(source, dest, batch_rows=…)` writes others",
    ),
    ("read_json", "lines orient", "JSON lines are read without it, and so is an array of rows"),
    ("open read_stream", "mode", "`open` and `read_stream` only read; `write_file` and `Writer` write"),
    ("open read_stream", "mmap use_memory_map", "`memory_map=True`"),
    (
        "open read_stream",
        "where filter filters condition query predicate",
        "`.filter(\"price > 10\")` of what is returned, or `dataset(source, where=)`",
    ),
    (
        "dataset convert count stats diff append concat_files split_file",
        "filter filters condition query predicate",
        "`where=`",
    ),
    (
        "write_file write_stream",
        "where filter columns rename cast select",
        "`convert(source, dest)` has this; `data.filter(…)` and `data.select(…)` are written, too",
    ),
    ("open dataset read_stream", "usecols select", "`columns=`"),
    ("open dataset", "n_threads num_threads use_threads workers max_workers", "`threads=`"),
    ("dataset", "format", "data sets are Arrow files; `read_csv` and `read_json` read many texts"),
    ("dataset", "partitioning hive_partitioning", "folders such as day=2024-02-29 are columns without it"),
    ("write_file write_stream convert append concat_files split_file", "codec compress", "`compression=`"),
    (
        "write_file write_stream convert append concat_files split_file",
        "compression_level level",
        "`compression=\"zstd:3\"`",
    ),
    ("write_file write_stream", "mode append", "`append(path, data)` adds rows to a file"),
    (
        "write_file write_stream",
        "batch_rows chunk_size chunksize batch_size max_chunksize row_group_size record_batch_size",
        "batches are written as they are: `convert(source, dest, batch_rows=…)` writes others",
    ),
    ("write_file write_stream", "schema", "`RecordBatch(data, schema)` is data of these types"),
    (
        "write_file write_stream write_csv write_json",
        "index preserve_index",
        "`frame.reset_index(drop=True)` has no index to write",
    ),
    ("write_file write_stream", "overwrite exist_ok", "an old file is replaced when the new one is complete"),
    ("write_csv", "header include_header", "`no_header=True` writes no names"),
    ("write_json", "orient lines", "each row is written as an object on a line of its own"),
    ("convert append concat_files split_file", "select usecols", "`columns=`"),
    (
        "convert append concat_files split_file",
        "exclude drop",
        "`columns=` takes the names that are left, as `open(source).drop([name]).column_names`",
    ),
    (
        "convert count stats diff append concat_files split_file",
        "sort sort_by order_by group_by by_key",
        "frames sort and group: `open(source).to_polars()`, `open(source).to_pandas()`",
    ),
    ("convert append concat_files split_file", "limit n nrows n_rows head", "`rows=(0, n)`"),
    (
        "convert concat_files",
        "chunk_size chunksize batch_size max_chunksize row_group_size rows_per_batch target_rows",
        "`batch_rows=`",
    ),
    ("convert count stats diff", "format from from_format input_format", "`from_=`"),
    (
        "convert",
        "to to_format output_format",
        "`container=\"file\"` or `container=\"stream\"`; `write_csv` and `write_json` write text",
    ),
    ("append concat_files split_file", "types dtype dtypes astype", "`cast={name: type}`"),
    (
        "convert",
        "dtype dtypes schema_overrides column_types parse_dates astype",
        "`cast={name: type}`, and `types={name: type}` of text",
    ),
    ("diff", "on keys index by id", "`key=`"),
    ("diff", "limit n max_differences", "`max_rows=`"),
];
