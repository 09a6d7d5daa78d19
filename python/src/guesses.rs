//! Suggests what to use instead of names of other libraries.

use pyo3::{
    PyClass,
    exceptions::{PyAttributeError, PyTypeError, PyValueError},
    prelude::*,
    pyclass::{CompareOp, boolean_struct::True},
    types::{PyDict, PyList, PyString, PyTuple},
};

use crate::error::{Failure, raised};

/// Classes, names that they lack, and what to use instead, as the documentation writes it.
const TABLE: [(&str, &[&str], &str); 54] = [
    ("File", &["to_polars"], "`polars.DataFrame(file)`"),
    (
        "File",
        &["to_pyarrow", "to_arrow", "to_table", "read_all", "read"],
        "`pyarrow.table(file)`, or `file[:]`, which is a batch",
    ),
    ("File", &["filter", "where", "query"], "`dataset(path, where=)`, which reads the rows of a condition"),
    (
        "File",
        &["columns", "names", "column_names"],
        "`file.schema.names`, and `file[\"id\"]` for the values of one",
    ),
    ("File", &["shape", "num_columns", "count"], "`file.num_rows` and `len(file.schema)`"),
    (
        "File",
        &["to_csv", "to_json", "write_csv", "write_json"],
        "`write_csv(dest, file)` and `write_json(dest, file)`",
    ),
    ("File", &["stats", "describe", "info"], "`stats(path)` and `explain(path)`"),
    (
        "File",
        &["sort", "sort_by", "group_by", "join"],
        "what other libraries make of it, as `polars.DataFrame(file)`",
    ),
    ("File", &["nbytes"], "`explain(path)`, which tells what takes the bytes"),
    (
        "File",
        &["batches", "iter_batches", "to_batches", "num_record_batches", "get_batch"],
        "`for batch in file`, `file.num_batches`, `file.batch(0)`",
    ),
    (
        "Stream",
        &["to_pandas", "to_pylist", "to_pydict", "head", "num_rows", "column"],
        "`concat(stream)` as a batch, which has them; other libraries take the stream itself",
    ),
    (
        "Schema",
        &["types", "dtypes", "items", "to_dict"],
        "`{field.name: field.type for field in schema}`, and `schema.names`",
    ),
    ("Schema", &["columns", "column_names"], "`schema.names` and `schema.fields`"),
    (
        "Writer",
        &["write_batch", "write_table", "append", "flush"],
        "`writer.write(data)`, which writes each batch at once",
    ),
    ("Dataset", &["close"], "nothing to close: files are open only while they are read"),
    ("Stream", &["to_polars"], "`polars.DataFrame(stream)`"),
    (
        "Stream",
        &["to_numpy"],
        "`concat(stream)` as a batch, and `batch[\"id\"].to_numpy()` for the values of a column",
    ),
    (
        "Stream",
        &["read_all", "read", "to_table", "read_pandas"],
        "`concat(stream)`, which is a batch, or `pyarrow.table(stream)`",
    ),
    ("Stream", &["read_next_batch", "batches", "iter_batches"], "`next(stream)` and `for batch in stream`"),
    ("Stream", &["select"], "`columns=` of the function that opens it"),
    ("Stream", &["filter", "where", "query"], "`convert(source, dest, where=)`, and then `open(dest)`"),
    ("RecordBatch", &["to_polars"], "`polars.DataFrame(batch)`"),
    ("RecordBatch", &["to_pyarrow", "to_arrow", "to_table"], "`pyarrow.record_batch(batch)`"),
    ("RecordBatch", &["shape"], "`batch.num_rows` and `batch.num_columns`"),
    ("RecordBatch", &["names"], "`batch.column_names`"),
    ("RecordBatch", &["to_csv", "to_json"], "`write_csv(dest, batch)` and `write_json(dest, batch)`"),
    (
        "RecordBatch",
        &["sort", "sort_by", "group_by", "join", "drop", "drop_columns"],
        "`batch.select(names)`, and what other libraries make of the batch, as `polars.DataFrame(batch)`",
    ),
    (
        "File",
        &["cast", "rename", "drop", "rename_columns", "with_columns"],
        "`convert(path, dest, cast=, rename=, columns=)`, and `file[[\"id\"]]` for some of the columns",
    ),
    (
        "File",
        &["save", "write", "write_file", "write_stream"],
        "`write_file(dest, file)` and `write_stream(dest, file)`",
    ),
    ("File", &["dtypes", "types"], "`file.schema`, and `file.schema[\"id\"].type`"),
    ("File", &["take"], "`file[:]` as a batch, and what other libraries make of it"),
    (
        "RecordBatch",
        &[
            "cast",
            "rename",
            "rename_columns",
            "with_column",
            "with_columns",
            "set_column",
            "append_column",
            "add_column",
            "assign",
            "__setitem__",
        ],
        "`RecordBatch({\"id\": batch[\"id\"].cast(\"int32\"), \"more\": [1, 2]})`, which makes a batch of columns",
    ),
    (
        "RecordBatch",
        &["write", "save", "write_file"],
        "`write_file(dest, batch)` and `write_stream(dest, batch)`",
    ),
    (
        "RecordBatch",
        &["with_metadata", "with_schema", "replace_schema_metadata"],
        "`RecordBatch(batch, batch.schema.with_metadata({\"unit\": \"kg\"}))`",
    ),
    ("RecordBatch", &["to_dict", "to_dicts"], "`batch.to_pydict()` and `batch.to_pylist()`"),
    ("RecordBatch", &["dtypes", "types"], "`batch.schema`, and `batch.schema[\"id\"].type`"),
    ("RecordBatch", &["to_numpy", "take"], "`batch[\"id\"].to_numpy()` of a column, and `batch.to_pandas()`"),
    (
        "Array",
        &["dictionary", "indices"],
        "one if the column is dictionary-encoded, as `array.cast(\"dictionary\")` makes it",
    ),
    (
        "Array",
        &["codes", "categories"],
        "`array.indices` and `array.dictionary` of dictionary-encoded columns, as `array.cast(\"dictionary\")` makes them",
    ),
    (
        "Array",
        &["dictionary_encode", "dictionary_decode", "decode"],
        "`array.cast(\"dictionary\")`, and `array.cast(\"utf8\")` with the type of the values",
    ),
    ("Array", &["take", "filter", "fill_null", "fillna", "sort"], "`pyarrow.array(array)`, which has them"),
    ("Array", &["head", "tail", "slice"], "`array[:10]` and `array[-10:]`"),
    (
        "Dataset",
        &[
            "head",
            "to_pylist",
            "to_pydict",
            "to_pandas",
            "to_table",
            "num_rows",
            "column",
            "to_batches",
            "iter_rows",
            "columns",
            "names",
        ],
        "`count()`, `for batch in data`, `concat(data)` as a batch, `polars.DataFrame(data)` and the like",
    ),
    ("Dataset", &["filter", "query"], "`data.where(\"id > 1\")`"),
    (
        "RecordBatch",
        &["filter", "where", "query"],
        "`convert(source, dest, where=)`, or what another library makes of the batch",
    ),
    (
        "Array",
        &["to_pandas", "to_polars", "to_pyarrow", "to_arrow"],
        "`pandas.Series.from_arrow(array)`, `polars.Series(array)`, `pyarrow.array(array)`",
    ),
    (
        "Array",
        &["sum", "mean", "min", "max", "std"],
        "`array.to_numpy()`, or `sum(array)` and the like of Python",
    ),
    ("Array", &["unique", "value_counts"], "`set(array)`, or `collections.Counter(array)`"),
    (
        "Array",
        &["tolist", "to_list", "as_py", "dtype", "shape"],
        "`array.to_pylist()`, `array.type`, `len(array)`",
    ),
    (
        "Array",
        &["is_null", "isnull", "isna", "is_valid", "notna", "notnull"],
        "`array.null_count`, and `[value is None for value in array]`",
    ),
    ("Array", &["values"], "`array.to_numpy()` and `array.to_pylist()`"),
    ("Array", &["astype"], "`array.cast(\"int32\")`"),
    ("File", &["loc", "iloc"], "`file[2:5]` for rows, and `file[\"id\"]` for a column"),
    ("RecordBatch", &["loc", "iloc"], "`batch[2:5]` for rows, and `batch[\"id\"]` for a column"),
];

/// The error for an attribute that an object lacks.
pub(crate) fn no_attribute(this: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let class = match this.get_type().name() {
        Ok(class) => class.to_string(),
        Err(error) => return error,
    };
    let advice = TABLE.iter().find(|(of, names, _)| *of == class && names.contains(&name));
    let text = match advice {
        Some((_, _, instead)) => {
            format!("'arrow_ipc.{class}' object has no attribute '{name}': there is {instead}")
        }
        None => {
            // The columns are no attributes.
            let of = [("File", "file"), ("RecordBatch", "batch")].iter().find(|(of, _)| *of == class);
            let column = of.filter(|_| this.contains(name).unwrap_or(false));
            let column = column.map(|(_, this)| format!(": there is `{this}[\"{name}\"]`, the column"));
            format!("'arrow_ipc.{class}' object has no attribute '{name}'{}", column.unwrap_or_default())
        }
    };
    raised::<PyAttributeError>(text)
}

/// The other object of a comparison, which must be of the same class. `made` is an expression that converts it, for
/// the error.
pub(crate) fn same_class<'a, T: PyClass<Frozen = True> + Sync>(
    other: &'a Bound<'_, PyAny>,
    made: &str,
) -> PyResult<&'a T> {
    let same = other.cast::<T>().map(Bound::get);
    same.map_err(|_| {
        let (class, found) = (T::NAME, other.get_type());
        raised::<PyTypeError>(format!(
            "expected an `arrow_ipc.{class}`, found {found}: `arrow_ipc.{made}` makes one"
        ))
    })
}

/// The error for an array without a dictionary. An `AttributeError` makes Python call the method that suggests other names.
pub(crate) fn no_dictionary() -> Failure {
    raised::<PyAttributeError>("the column is not dictionary-encoded").into()
}

/// The error for a value that an array does not have.
pub(crate) fn not_found(value: &Bound<'_, PyAny>) -> PyErr {
    let text = value.repr().map_or_else(|_| "the value".to_owned(), |text| text.to_string());
    raised::<PyValueError>(format!("{text} is not in the array"))
}

/// The result of comparing an array with something else. Arrays of other libraries may know how to compare.
///
/// # Errors
/// If the values of an array should be compared with a constant, which gives a mask in other libraries.
pub(crate) fn not_compared(other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
    let is_order = !matches!(op, CompareOp::Eq | CompareOp::Ne);
    if is_order && !other.hasattr("__array__")? && !other.hasattr("__arrow_c_array__")? {
        return Err(raised::<PyTypeError>(
            "the values of an array are not compared: `dataset(path, where=\"id > 2\")` reads the rows of a condition, and \
             `array.to_numpy() > 2` is an array of NumPy",
        ));
    }
    Ok(other.py().NotImplemented())
}

/// The error if an object should become a NumPy array. `batch` is an expression that reads its rows as a batch.
pub(crate) fn no_array(what: &str, batch: &str) -> PyErr {
    raised::<PyTypeError>(format!(
        "{what} is no array, since its columns have their own types: `{batch}[\"id\"].to_numpy()` is a column, \
         `numpy.column_stack({batch}.columns)` all columns in one type; pandas takes `{batch}.to_pandas()`"
    ))
}

/// A hint on how to convert objects that are not rows. `item` is one of them.
pub(crate) fn rows_of(item: &Bound<'_, PyAny>) -> PyResult<&'static str> {
    const OF_ATTRIBUTES: [(&str, &str); 4] = [
        ("_asdict", ": rows are dicts: `[row._asdict() for row in rows]`"),
        ("__dataclass_fields__", ": rows are dicts: `[dataclasses.asdict(row) for row in rows]`"),
        ("model_dump", ": rows are dicts: `[row.model_dump() for row in rows]`"),
        ("keys", ": rows are dicts: `[dict(row) for row in rows]`"),
    ];
    if item.is_instance_of::<PyDict>() {
        return Ok(
            ": pass rows as a `list` of dicts, `list(rows)`; rows that do not fit in memory are written in batches, as the recipe \
             \"Rows of a generator\" does with `Writer(dest, schema)` and `list(itertools.islice(rows, 10_000))`",
        );
    }
    if let Ok(rows) = item.cast::<PyList>()
        && rows.iter().next().is_some_and(|row| row.is_instance_of::<PyDict>())
    {
        return Ok(
            ": lists of rows are written one after the other by `Writer(dest, schema)`, as in the recipe \"Rows of a generator\"",
        );
    }
    for (name, advice) in OF_ATTRIBUTES {
        if item.hasattr(name)? {
            return Ok(advice);
        }
    }
    if item.is_instance_of::<PyString>() || item.hasattr("__fspath__")? {
        return Ok(": `open(path)` reads a file, and `concat_files(paths, dest)` several");
    }
    Ok(match item.is_instance_of::<PyTuple>() || item.is_instance_of::<PyList>() {
        true => ": rows are dicts: `[dict(zip(names, row)) for row in rows]`",
        false => ": a column alone needs a name: `{\"name\": values}`",
    })
}

/// The argument of this package that replaces an argument of another library.
pub(crate) fn keyword(function: &str, name: &str) -> String {
    const OF_FUNCTIONS: [(&str, &[&str], &str); 20] = [
        (
            "open",
            &["where", "filter", "filters"],
            "`dataset(path, where=)`, which reads the rows of a condition",
        ),
        ("open", &["schema"], "`dataset(path, schema=)`, which casts columns"),
        ("write_file", &["mode"], "`append(path, data)`, which adds rows to a file"),
        (
            "write_file",
            &["schema"],
            "`Writer(dest, schema)`, whose `write` gives values the types of the schema",
        ),
        (
            "write_file",
            &["row_group_size", "max_chunksize", "chunksize", "batch_size", "batch_rows"],
            "`convert(source, dest, batch_rows=)`, and `Writer(dest, schema)`, each `write` of which is a batch",
        ),
        ("write_csv", &["index"], "no index: `df.reset_index(drop=True)` is a frame without one"),
        (
            "read_csv",
            &["names", "new_columns", "column_names"],
            "`convert(source, dest, rename={\"old\": \"new\"})`",
        ),
        ("convert", &["exclude", "drop"], "columns=, which names the columns to keep"),
        (
            "convert",
            &["sort", "sort_by", "order_by"],
            "no sorting: `polars.DataFrame(file).sort(\"id\")` sorts",
        ),
        ("split_file", &["n", "n_files", "parts", "n_parts"], "into=, the number of files"),
        ("write_csv", &["columns"], "`open(path, columns=)` and `data[[\"id\"]]`, which select columns"),
        ("write_csv", &["where"], "`dataset(path, where=)`, which reads the rows of a condition"),
        ("convert", &["target_rows"], "batch_rows=, the number of rows of each batch"),
        ("concat_files", &["batch_rows"], "target_rows=, the number of rows of each batch"),
        ("split_file", &["batch_rows"], "target_rows=, the number of rows of each batch"),
        ("count", &["columns"], "`stats(source, columns=)`, which also counts nulls and distinct values"),
        ("write_csv", &["thousands"], "no mark between thousands, and decimal= for the decimal mark: 1234,5"),
        ("write_csv", &["null", "na_rep", "null_value"], "no text for nulls: their cells are empty"),
        ("write_csv", &["header", "include_header"], "no_header=True, which leaves out the line of names"),
        (
            "dataset",
            &["partitioning", "hive", "hive_partitioning"],
            "no need: folders such as day=2024-02-29 are columns",
        ),
    ];
    let of_function = OF_FUNCTIONS.iter().find(|(of, names, _)| *of == function && names.contains(&name));
    if let Some((_, _, instead)) = of_function {
        return format!(": there is {instead}");
    }
    const NAMES: [(&str, &str); 26] = [
        ("sep", "delimiter="),
        ("separator", "delimiter="),
        ("dtype", "types="),
        ("dtypes", "types="),
        ("schema_overrides", "types="),
        ("na_values", "null="),
        ("null_values", "null="),
        ("skiprows", "skip="),
        ("skip_rows", "skip="),
        ("quotechar", "quote="),
        ("compression_level", "a level in compression=\"zstd:3\""),
        ("level", "a level in compression=\"zstd:3\""),
        ("keys", "key="),
        ("on", "key="),
        ("filter", "where="),
        ("filters", "where="),
        ("usecols", "convert(columns=), which also reads text"),
        ("columns", "convert(columns=), which also reads text"),
        ("where", "convert(where=), which also reads text"),
        ("nrows", "convert(rows=slice(n)), which also reads text"),
        ("n_rows", "convert(rows=slice(n)), which also reads text"),
        ("has_header", "no_header=True, where the first line is a row"),
        ("parse_dates", "types={\"day\": \"date32\"}; dates of ISO 8601 are found without"),
        ("try_parse_dates", "types={\"day\": \"date32\"}; dates of ISO 8601 are found without"),
        ("partition_by", "by=, the column whose values name the folders"),
        ("partition_cols", "by=, the column whose values name the folders"),
    ];
    let found = NAMES.iter().find(|(guess, _)| *guess == name);
    found.map_or_else(String::new, |(_, instead)| format!(": there is {instead}"))
}
